"""What the judging page shows, gathered from the records. Only reads."""

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from annotation.texts.markdown import rendered
from annotation.texts.sentences import Sentence
from annotation.work.languages import spoken
from judging.answering.recording import Kept, Questions
from judging.items.contents import slot_names
from judging.items.kinds import ItemKind, item_kind
from judging.items.segments import text_of
from judging.models import Instrument, Item, ItemSlot, Presentation, Question, Role

ERASED = Sentence("The writer of this text has withdrawn it.")
NOTHING = Kept("", "", 0)
SHORT = 10  # characters of a label that five answers side by side have room for
MOST_STEPS = 11  # a range with more steps is a number to type, not a row of buttons


@dataclass(frozen=True)
class SlotView:
    """What stands in a slot. `place` is its nominal name on the page, `label` what it is called."""

    name: str
    place: str
    label: str
    title: str
    html: SafeString
    is_repeated: bool = False


@dataclass(frozen=True)
class OptionView:
    """`digit` is the key that chooses it, if there is one, `slot` the place that it chooses."""

    code: str
    label: str
    digit: int | None
    checked: bool
    slot: str = ""


@dataclass(frozen=True)
class FieldView:
    """Where one answer is given: an item has one a question, or one a question and slot.

    No two fields that are `apart` by the same word choose the same place.
    """

    name: str
    slot: str
    label: str
    kind: str  # options, range (as a row of buttons), number or text
    options: list[OptionView]
    raw: str
    comment: str
    number: int
    spec: dict[str, Any]
    apart: str = ""

    @property
    def layout(self) -> str:
        """Side by side as long as the labels have room, on a phone too."""
        n, longest = len(self.options), max((len(each.label) for each in self.options), default=0)
        is_row = self.kind == "range" or n <= 4 or (n == 5 and longest <= SHORT)
        return "row" if is_row else "list"


@dataclass(frozen=True)
class QuestionView:
    question: Question
    fields: list[FieldView]


@dataclass(frozen=True)
class PartView:
    """An instrument, and which of those it is that are asked in a questionnaire."""

    instrument: Instrument
    number: int
    total: int


@dataclass(frozen=True)
class Dot:
    """A page in the progress row: open, begun or done."""

    position: int
    state: str
    current: bool
    address: str


def slots_of(presentation: Presentation) -> list[SlotView]:
    """The slots of an item from left to right as this worker sees them; its topic comes along."""
    item: Item = presentation.item
    by_name = {}
    for slot in ItemSlot.objects.filter(item=item).select_related(
        "item__topic", "response", "passage", "segment", "criterion"
    ):
        by_name[slot.name] = slot
        item.topic = slot.item.topic
    kind = item_kind(item.kind)
    said = _attention(item)
    judged = kind.judged(by_name) if said else ()
    return [
        SlotView(
            name,
            place,
            label_of(kind, place),
            *(("", said) if name in judged else _words(by_name[name])),
            is_repeated=bool(kind.repeated and kind.repeated.covers(place)),
        )
        for name, place in kind.on_page(by_name, presentation.order.split(","))
    ]


def _attention(item: Item) -> SafeString:
    """What an attention item says in the place of its texts; nothing of all others."""
    if item.role != Role.ATTENTION or item.check_of is None:
        return mark_safe("")
    return rendered(item.check_of.spec["text"])


def _words(slot: ItemSlot) -> tuple[str, SafeString]:
    """Title and text. A passage is as its page had it: only its paragraphs mean anything."""
    if slot.passage is not None:
        return slot.passage.title, _paragraphs(slot.passage.text)
    if slot.criterion is not None:
        return slot.criterion.name, rendered(slot.criterion.definition)
    if slot.segment is not None:
        return "", rendered(text_of(slot.segment) or _erased())
    content: Any = slot.content
    return "", rendered(str(content.text) or _erased())


def _erased() -> str:
    return f"*{spoken(ERASED)}*"


def label_of(kind: ItemKind, place: str) -> str:
    """What people call a place of an item, in the language of the page."""
    slot = kind.slot(place)
    if slot is None:
        return place
    word = gettext(slot.label)
    return f"{word} {place.removeprefix(slot.name)}" if slot.repeated else word


def _paragraphs(text: str) -> SafeString:
    return mark_safe(linebreaks(text, autoescape=True))  # escaped in this line


def questions_view(
    *,
    presentation: Presentation,
    questions: dict[str, Question],
    given: Mapping[tuple[int, int, str], Kept],
) -> list[QuestionView]:
    """The questions of an instrument about an item, with what was answered before."""
    kind = item_kind(presentation.item.kind)
    keys = _side_keys(questions)
    views = []
    for question in questions.values():
        slots = _judged(kind, presentation) if question.arity == Question.Arity.SLOT else [("", "")]
        fields = [
            _field(
                question,
                kind,
                slot,
                label,
                given.get((presentation.item_id, question.pk, slot), NOTHING),
                keys,
            )
            for slot, label in slots
        ]
        views.append(QuestionView(question, fields))
    return views


def _judged(kind: ItemKind, presentation: Presentation) -> list[tuple[str, str]]:
    """Name and label of the slots that are judged one by one, from left to right."""
    names = slot_names([presentation.item])[presentation.item_id]
    judged = kind.judged(names)
    return [
        (name, label_of(kind, place))
        for name, place in kind.on_page(names, presentation.order.split(","))
        if name in judged
    ]


def _side_keys(questions: dict[str, Question]) -> dict[str, int]:
    """The digit of each slot that can be chosen, the same in every question of a page.

    Left is 1 and right is 3 where another question has *Equal* between them: whoever answers
    without looking must not meet another answer under a known key.
    """
    keys: dict[str, int] = {}
    for question in questions.values():
        for n, option in enumerate(question.scale.spec.get("options", []), start=1):
            if option["role"] == "slot":
                keys[option["slot"]] = max(keys.get(option["slot"], 0), n)
    return keys if len(set(keys.values())) == len(keys) else {}


def _digits(options: list[dict[str, Any]], keys: dict[str, int]) -> list[int | None]:
    """The key of each option: that of its side, or the next that no side has."""
    sides = [keys.get(each["slot"]) if each["role"] == "slot" else None for each in options]
    digits: list[int | None] = []
    last = 0
    for position, side in enumerate(sides, start=1):
        if side is None:
            last = next(n for n in itertools.count(max(last + 1, position)) if n not in sides)
        digit = side or last
        digits.append(digit if digit < 10 else None)
    return digits


def _field(
    question: Question,
    kind: ItemKind,
    slot: str,
    label: str,
    kept: Kept,
    keys: dict[str, int],
) -> FieldView:
    is_choice = question.arity == Question.Arity.CHOOSE
    spec: dict[str, Any] = question.scale.spec
    options = _options(spec, kept.raw, keys)
    return FieldView(
        name=f"q-{question.key}-{slot}" if slot else f"q-{question.key}",
        slot=slot,
        label=label,
        kind="number" if spec["kind"] == "range" and not options else spec["kind"],
        options=options,
        raw=kept.raw,
        comment=kept.comment,
        number=kept.number,
        spec=spec,
        apart=question.criterion.key if is_choice and kind.distinct_choices else "",
    )


def _options(spec: dict[str, Any], raw: str, keys: dict[str, int]) -> list[OptionView]:
    """The answers to choose from; the steps of a short range are chosen by their own digit."""
    if spec["kind"] == "options":
        return [
            OptionView(
                each["code"], each["label"], digit, each["code"] == raw, each.get("slot", "")
            )
            for each, digit in zip(spec["options"], _digits(spec["options"], keys), strict=True)
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


def wanted_of(*, presentations: list[Presentation], questions: Questions) -> dict[int, int]:
    """How many answers each page (by its position) has to get."""
    names = slot_names(presentation.item for presentation in presentations)
    wanted = {}
    for presentation in presentations:
        judged = len(item_kind(presentation.item.kind).judged(names[presentation.item_id]))
        asked = questions.get(presentation.instrument_id, {}).values()
        wanted[presentation.position] = sum(
            judged if question.arity == Question.Arity.SLOT else 1
            for question in asked
            if not question.optional
        )
    return wanted


def items_by_kind(presentations: list[Presentation]) -> Counter[str]:
    """How many things of each kind a worker judges; what is asked twice is met once."""
    judged = (each for each in presentations if each.item.role == Role.JUDGED)
    return Counter({each.item_id: each.item.kind for each in judged}.values())


def dots_of(
    *,
    presentations: list[Presentation],
    counts: dict[tuple[int, int], int],
    wanted: dict[int, int],
    token: str,
    current: int | None = None,
) -> list[Dot]:
    """The progress row. `counts` are answers by item and instrument, `wanted` those that each page
    gets; nothing is asked about a text whose writer withdrew."""
    # Addresses differ in the position alone, and to make one takes longer than the rest of a dot.
    before, _, after = reverse("judging:item", args=[token, 0]).rpartition("0")
    dots = []
    for presentation in presentations:
        n = counts.get((presentation.item_id, presentation.instrument_id), 0)
        is_done = presentation.is_erased or n >= wanted[presentation.position]
        state = "done" if is_done else "begun" if n else "open"
        position = presentation.position
        dots.append(Dot(position, state, position == current, f"{before}{position}{after}"))
    return dots


def part_of(
    *, presentation: Presentation, presentations: list[Presentation], questions: Questions
) -> PartView | None:
    """What is asked on a page, where a study asks several instruments."""
    if len(questions) < 2:
        return None
    instruments = list(dict.fromkeys(each.instrument_id for each in presentations))
    asked = questions[presentation.instrument_id]
    return PartView(
        instrument=next(iter(asked.values())).instrument,
        number=instruments.index(presentation.instrument_id) + 1,
        total=len(instruments),
    )
