"""What the judging page shows, gathered from the records. Only reads."""

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from annotation.markdown import rendered
from annotation.models import Assignment
from judging.kinds import ItemKind, item_kind
from judging.models import Item, ItemSlot, Judgment, Question, Showing

PLACE_LABELS = {1: ("Text",), 2: ("Left", "Right")}
ERASED = "*The writer of this text has withdrawn it.*"
MOST_STEPS = 11  # a range with more steps is a number to type, not a row of buttons


@dataclass(frozen=True)
class SlotView:
    """What stands in a slot. `place` is its nominal name on the page, `label` what it is called."""

    name: str
    place: str
    label: str
    html: SafeString


@dataclass(frozen=True)
class OptionView:
    """`digit` is the key that chooses it, if there is one."""

    code: str
    label: str
    digit: int | None
    checked: bool


@dataclass(frozen=True)
class FieldView:
    """Where one answer is given: an item has one a question, or one a question and slot."""

    name: str
    slot: str
    label: str
    kind: str  # options, range (as a row of buttons), number or text
    options: list[OptionView]
    raw: str
    comment: str
    number: int
    spec: dict[str, Any]

    @property
    def layout(self) -> str:
        """Side by side as long as the labels have room."""
        return "row" if self.kind == "range" or len(self.options) <= 4 else "list"


@dataclass(frozen=True)
class QuestionView:
    question: Question
    fields: list[FieldView]


@dataclass(frozen=True)
class Dot:
    """An item in the progress row: open, begun or done."""

    position: int
    state: str
    current: bool


def slots_of(showing: Showing) -> list[SlotView]:
    """The slots of an item from left to right as this worker sees them."""
    item: Item = showing.item
    kind = item_kind(item.kind)
    by_name = {
        slot.name: slot
        for slot in ItemSlot.objects.filter(item=item).select_related(
            "response", "passage", "segment", "criterion"
        )
    }
    places = kind.places or kind.slots
    order = showing.order.split(",") if kind.places else list(kind.slots)
    return [
        SlotView(name, place, label, rendered(_text(by_name[name])))
        for name, place, label in zip(order, places, _labels(len(places)), strict=True)
    ]


def _labels(n: int) -> tuple[str, ...]:
    return PLACE_LABELS.get(n) or tuple(f"Text {number}" for number in range(1, n + 1))


def _text(slot: ItemSlot) -> str:
    content: Any = slot.content
    return str(content.definition) if slot.criterion_id else str(content.text) or ERASED


def questions_view(
    *, showing: Showing, assignment: Assignment, questions: dict[str, Question]
) -> list[QuestionView]:
    """The questions of an item with what was answered before."""
    rows = Judgment.objects.filter(assignment=assignment, item=showing.item_id)
    given = {(judgment.question_id, judgment.slot): judgment for judgment in rows}
    kind = item_kind(showing.item.kind)
    views = []
    for question in questions.values():
        slots = _judged(kind, showing) if question.arity == Question.Arity.SLOT else [("", "")]
        fields = [
            _field(question, slot, label, given.get((question.pk, slot))) for slot, label in slots
        ]
        views.append(QuestionView(question, fields))
    return views


def _judged(kind: ItemKind, showing: Showing) -> list[tuple[str, str]]:
    """Name and label of the slots that are judged one by one, from left to right."""
    order = showing.order.split(",") if kind.places else list(kind.slots)
    return [
        (name, label)
        for name, label in zip(order, _labels(len(order)), strict=True)
        if name in kind.judged
    ]


def _field(question: Question, slot: str, label: str, judgment: Judgment | None) -> FieldView:
    raw = judgment.raw if judgment else ""
    spec: dict[str, Any] = question.scale.spec
    options = _options(spec, raw)
    return FieldView(
        name=f"q-{question.key}-{slot}" if slot else f"q-{question.key}",
        slot=slot,
        label=label,
        kind="number" if spec["kind"] == "range" and not options else spec["kind"],
        options=options,
        raw=raw,
        comment=judgment.comment if judgment else "",
        number=judgment.number if judgment else 0,
        spec=spec,
    )


def _options(spec: dict[str, Any], raw: str) -> list[OptionView]:
    """The answers to choose from; the steps of a short range are chosen by their own digit."""
    if spec["kind"] == "options":
        return [
            OptionView(each["code"], each["label"], n if n < 10 else None, each["code"] == raw)
            for n, each in enumerate(spec["options"], start=1)
        ]
    if spec["kind"] == "text":
        return []
    step = spec.get("step", 1)
    steps = round((spec["max"] - spec["min"]) / step) + 1
    if steps > MOST_STEPS:
        return []
    codes = [f"{spec['min'] + n * step:g}" for n in range(steps)]
    return [
        OptionView(code, code, int(code) if code in "0123456789" else None, code == raw)
        for code in codes
    ]


def wanted_of(*, kind: ItemKind, questions: dict[str, Question]) -> int:
    """How many answers an item of this kind gets."""
    return sum(
        len(kind.judged) if question.arity == Question.Arity.SLOT else 1
        for question in questions.values()
    )


def dots_of(
    *, showings: list[Showing], counts: dict[int, int], wanted: int, current: int | None = None
) -> list[Dot]:
    """The progress row. `counts` are answers per item id, `wanted` answers an item."""
    dots = []
    for showing in showings:
        n = counts.get(showing.item_id, 0)
        state = "done" if n >= wanted else "begun" if n else "open"
        dots.append(Dot(showing.position, state, showing.position == current))
    return dots
