"""What the judging page shows, gathered from the records. Only reads."""

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from annotation.markdown import rendered
from annotation.models import Assignment
from judging.kinds import item_kind
from judging.models import Item, ItemSlot, Judgment, Question, Showing

PLACE_LABELS = {2: ("Left", "Right")}


@dataclass(frozen=True)
class SlotView:
    """What stands in a slot. `place` is its nominal name on the page, `label` what it is called."""

    name: str
    place: str
    label: str
    html: SafeString


@dataclass(frozen=True)
class OptionView:
    code: str
    label: str
    digit: int
    checked: bool


@dataclass(frozen=True)
class QuestionView:
    question: Question
    options: list[OptionView]
    raw: str
    comment: str

    @property
    def spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = self.question.scale.spec
        return spec


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
    labels = PLACE_LABELS.get(len(places)) or tuple(f"Text {n}" for n in range(1, len(places) + 1))
    return [
        SlotView(name, place, label, rendered(_text(by_name[name])))
        for name, place, label in zip(order, places, labels, strict=True)
    ]


def _text(slot: ItemSlot) -> str:
    content: Any = slot.content
    return str(getattr(content, "text", None) or content.definition)


def questions_view(
    *, showing: Showing, assignment: Assignment, questions: dict[str, Question]
) -> list[QuestionView]:
    """The questions of an item with what was answered before."""
    rows = Judgment.objects.filter(assignment=assignment, item=showing.item_id, slot="")
    given = {judgment.question_id: judgment for judgment in rows}
    views = []
    for question in questions.values():
        judgment = given.get(question.pk)
        raw = judgment.raw if judgment else ""
        options = [
            OptionView(option["code"], option["label"], digit, option["code"] == raw)
            for digit, option in enumerate(question.scale.spec.get("options", []), start=1)
        ]
        views.append(QuestionView(question, options, raw, judgment.comment if judgment else ""))
    return views


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
