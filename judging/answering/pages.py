"""Contents of a judging page."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext

from annotation.corpora.shown_texts import ShownTexts
from annotation.corpora.threads import Thread, TurnView, thread_of, turn_views
from annotation.fieldwork.work.prepared_statements import PreparedQuery
from annotation.texts.citations import Marks, marks_in
from annotation.texts.markdown import Link, rendered
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated
from judging.answering.page_layout import Page
from judging.answering.question_views import FieldView, OptionView, QuestionView
from judging.answering.saved_answers import SavedAnswer
from judging.answering.unanswered import Questions
from judging.items.cited_documents import document_numbers, with_numbers
from judging.items.contents import slot_names
from judging.items.conversations import earlier_turns, is_whole
from judging.items.kinds import Holds, ItemKind, item_kind
from judging.items.notes import Note, notes_of, shown_of
from judging.items.segments import response_text, text_of
from judging.models import Instrument, Item, ItemRole, ItemSlot, Presentation, Question

ERASED = Sentence("The author withdrew this text.")
NOTHING = SavedAnswer("", "", 0)
CONTENTS = ("item__topic", "response", "passage", "segment", "criterion")
SLOTS = PreparedQuery(lambda item: ItemSlot.objects.filter(item=item).select_related(*CONTENTS), -1)
EXCERPT = 120  # characters of a section without a heading
MOST_STEPS = 11  # a range with more steps is a number to type, not a row of buttons


@dataclass(frozen=True)
class SlotView:
    """Content of a slot: `place` is its nominal name on the page, `label` its title.

    `turns` are those before a last turn of a conversation, unless they are the query alone.
    """

    name: str
    place: str
    label: str
    title: str
    html: SafeString
    is_repeated: bool = False
    note: Note | None = None
    turns: Sequence[TurnView] = ()
    is_turn: bool = False  # the response is the last turn of a conversation
    is_whole: bool = False  # the whole conversation is judged

    @property
    def thread(self) -> Thread | None:
        return thread_of(self.turns, is_judged=self.is_whole) if self.turns else None


def read_slots(items: Iterable[Item]) -> None:
    """Read the slots of several items in one query, for `slots_of`."""
    unread = [item for item in items if item.imagined is None and item.read is None]
    slots: dict[int, list[ItemSlot]] = defaultdict(list)
    rows = ItemSlot.objects.filter(item__in={item.pk for item in unread})
    for slot in rows.select_related(*CONTENTS).order_by("item", "position"):
        slots[slot.item_id].append(slot)
    for item in unread:
        item.read = slots[item.pk]


def _slots(item: Item) -> list[ItemSlot]:
    if item.imagined is not None:
        return item.imagined
    if item.read is None:
        item.read = SLOTS.fetch(item.pk)
    return item.read


def slots_of(
    presentation: Presentation,
    instrument: Instrument | None = None,
    *,
    texts: ShownTexts,
) -> list[SlotView]:
    """Return the slots of an item from left to right for this worker, and its topic.

    `instrument` decides whether notes on documents are shown, `texts` how texts are.
    """
    item: Item = presentation.item
    by_name = {}
    for slot in _slots(item):
        by_name[slot.name] = slot
        item.topic = slot.item.topic
    kind = item_kind(item.kind)
    notes = notes_of(instrument, [item.pk]) if instrument else {}
    numbers = document_numbers(item.topic, by_name.values()) if kind.named_by else None
    attention_text = _attention(item, texts)
    attentive = kind.judged(by_name) if attention_text else ()
    return [
        SlotView(
            name,
            place,
            label_of(kind, place),
            *(
                ("", attention_text)
                if name in attentive
                else _words(by_name[name], texts, place, numbers)
            ),
            is_repeated=bool(kind.repeated and kind.repeated.covers(place)),
            note=notes.get((item.pk, name)),
            turns=()
            if name in attentive
            else turn_views(earlier_turns(by_name[name]), texts, name=place),
            is_turn=name not in attentive and _is_turn(by_name[name]),
            is_whole=is_whole(by_name[name]),
        )
        for name, place in kind.on_page(by_name, presentation.order.split(","))
        if not is_entry(kind, name)
    ]


def is_entry(kind: ItemKind, name: str) -> bool:
    """Return whether a slot is one of several things whose text is beside its answers."""
    slot = kind.slot(name)
    if slot is None or not slot.repeated or not slot.judged:
        return False
    return slot.holds in (Holds.CRITERION, Holds.SEGMENT)


def _is_turn(slot: ItemSlot) -> bool:
    return slot.response is not None and bool(earlier_turns(slot) or slot.item.topic.turns)


def background_of(presentation: Presentation, *, texts: ShownTexts) -> SafeString:
    """Return the description of the topic as the study shows texts; empty without one.

    Arguments as for `slots_of`, which reads the topic.
    """
    text = presentation.item.topic.description
    return texts.html(text, name="background") if text else mark_safe("")


def annotating(page: Page, questions: Questions) -> Instrument | None:
    """Return the instrument whose notes a page shows, without a query."""
    instruments = [
        next((question.instrument for question in questions.get(instrument, {}).values()), None)
        for instrument in page.instruments
    ]
    asked_instruments = [instrument for instrument in instruments if instrument is not None]
    return shown_of(asked_instruments) if len(asked_instruments) == len(instruments) else None


def _attention(item: Item, texts: ShownTexts) -> SafeString:
    """Return the text of an attention item; empty for all others."""
    if item.role != ItemRole.ATTENTION or item.check_of is None:
        return mark_safe("")
    return texts.html(item.check_of.spec["text"])


def _words(
    slot: ItemSlot, texts: ShownTexts, place: str, numbers: Mapping[int, int] | None
) -> tuple[str, SafeString]:
    """Return title and text as the study shows them.

    With `numbers` the text cites documents by these (cited_documents).
    """
    if (criterion := slot.criterion) is not None:
        is_the_text = criterion.definition.startswith(criterion.name)  # an entry of a bank
        return "" if is_the_text else criterion.name, rendered(criterion.definition)
    if slot.passage is not None:
        return slot.passage.title, texts.html(slot.passage.text, name=place)
    if slot.response is not None and slot.response.is_empty:
        return "", _marked_empty(response_text(slot))
    text = text_of(slot.segment) if slot.segment is not None else response_text(slot)
    of = slot.response
    cited = marks_in(text, of.marks) if of is not None and text == of.text else None
    if numbers is not None and cited is not None:
        text, cited = with_numbers(text, cited, numbers)
        return "", texts.html(text, name=place, cited=cited, link=_to_documents(cited))
    return "", texts.html(text, name=place, cited=cited) if text else rendered(_erased())


def _to_documents(cited: Marks) -> Link:
    """Return links from citations to the documents on the page."""

    def link(number: int) -> SafeString:
        links = [
            format_html('<a href="#text-d{}" data-cites="{}">{}</a>', shown, shown, shown)
            for shown in cited[number][2:]
        ]
        return format_html("[{}]", format_html_join(", ", "{}", ((anchor,) for anchor in links)))

    return link


def _marked_empty(words: str) -> SafeString:
    """Return the words for an empty answer, which are not the system's."""
    return format_html('<p class="note" role="note" data-empty-answer>{}</p>', words)


def _erased() -> str:
    return f"*{translated(ERASED)}*"


def label_of(kind: ItemKind, place: str) -> str:
    """Return the label of a place in the language of the page."""
    slot = kind.slot(place)
    if slot is None:
        return place
    word = gettext(slot.label)
    return f"{word} {place.removeprefix(slot.name)}" if slot.repeated else word


def page_questions(
    *, page: Page, questions: Questions, given: Mapping[tuple[int, int, str], SavedAnswer]
) -> list[QuestionView]:
    """Return all questions of a page, with the earlier answers."""
    questions_by_presentation = {
        presentation: questions.get(presentation.instrument_id, {})
        for presentation in page.presentations
    }
    keys = _side_keys(
        [question for some in questions_by_presentation.values() for question in some.values()]
    )
    if len(questions_by_presentation) == 1:
        asked = page.first.asked(questions_by_presentation[page.first].values())
        return _questions(page.first, asked, given, keys)
    views = []
    for shown_text, some in questions_by_presentation.items():
        asked = shown_text.asked(some.values())
        mine = _questions(shown_text, asked, given, keys, page.mark_of(shown_text))
        views += [
            view if n else replace(view, title=view.question.instrument.title)
            for n, view in enumerate(mine)
        ]
    return views


def _questions(
    presentation: Presentation,
    questions: Iterable[Question],
    given: Mapping[tuple[int, int, str], SavedAnswer],
    keys: dict[str, int],
    mark: str = "",
) -> list[QuestionView]:
    """Return the questions of an instrument with their prefix."""
    kind = item_kind(presentation.item.kind)
    views = []
    for question in questions:
        slots = (
            _judged(kind, presentation, question.about)
            if question.arity == Question.Arity.SLOT
            else [("", "")]
        )
        fields = tuple(
            _field(
                question,
                presentation,
                mark,
                slot,
                label,
                given.get((presentation.item_id, question.pk, slot), NOTHING),
                keys,
            )
            for slot, label in slots
        )
        views.append(QuestionView(question, fields, f"{mark}{question.key}"))
    return views


def _judged(kind: ItemKind, presentation: Presentation, about: str) -> list[tuple[str, str]]:
    """Return name and label of the slots that are judged one by one, from left to right."""
    names = slot_names([presentation.item])[presentation.item_id]
    judged = kind.judged(names, about)
    if any(is_entry(kind, name) for name in judged):
        rows = _slots(presentation.item)
        if kind.named_by:
            return part_labels(kind, {slot.name: slot for slot in rows}, judged, presentation)
        texts = {slot.name: slot.criterion for slot in rows if slot.criterion is not None}
        return [(name, texts[name].definition or texts[name].name) for name in judged]
    return [
        (name, label_of(kind, place))
        for name, place in kind.on_page(names, presentation.order.split(","))
        if name in judged
    ]


def part_labels(
    kind: ItemKind,
    slots: Mapping[str, ItemSlot],
    judged: Iterable[str],
    presentation: Presentation,
) -> list[tuple[str, str]]:
    """Return name and words of parts of texts, from left to right and from top to bottom.

    A section has its heading, or else its first words.
    """
    sides = {
        slots[name].response_id: (number, label_of(kind, place))
        for number, (name, place) in enumerate(kind.on_page(slots, presentation.order.split(",")))
        if slots[name].response_id is not None
    }
    segments = [slot.segment for slot in slots.values() if slot.segment is not None]
    headings = {part.parent_id: part.text for part in segments if part.kind == part.Kind.HEADING}
    rows = []
    for name in judged:
        part = slots[name].segment
        assert part is not None  # of a kind with parts
        words = headings.get(part.pk) if part.kind == part.Kind.SECTION else part.text
        number, side = sides[part.response_id]
        excerpt = words or Truncator(text_of(part)).chars(EXCERPT)
        label = gettext("{side}: {words}").format(side=side, words=excerpt)
        rows.append((number, part.line, name, label))
    return [(name, label) for _, _, name, label in sorted(rows)]


def _side_keys(questions: Iterable[Question]) -> dict[str, int]:
    """Return the digit of each slot that can be chosen, the same in every question of a page.

    Left is 1 and right is 3 if another question has *Equal* between them: a known key must not
    mean another answer.
    """
    keys: dict[str, int] = {}
    for question in questions:
        for n, option in enumerate(question.scale.spec.get("options", []), start=1):
            if option["role"] == "slot":
                keys[option["slot"]] = max(keys.get(option["slot"], 0), n)
    return keys if len(set(keys.values())) == len(keys) else {}


def _digits(options: list[dict[str, Any]], keys: dict[str, int]) -> list[int | None]:
    """Return the key of each option: that of its side, or the next free one."""
    sides = [keys.get(option["slot"]) if option["role"] == "slot" else None for option in options]
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
    presentation: Presentation,
    mark: str,
    slot: str,
    label: str,
    kept: SavedAnswer,
    keys: dict[str, int],
) -> FieldView:
    is_choice = question.arity == Question.Arity.CHOOSE
    distinct = item_kind(presentation.item.kind).distinct_choices
    spec: dict[str, Any] = question.scale.spec
    options = _options(spec, kept.raw, keys)
    return FieldView(
        name=f"q-{mark}{question.key}-{slot}" if slot else f"q-{mark}{question.key}",
        slot=slot,
        label=label,
        kind=_kind_of_field(spec, options),
        options=tuple(options),
        raw=kept.raw,
        comment=kept.comment,
        number=kept.number,
        spec=spec,
        position=presentation.position,
        apart=f"{mark}{question.criterion.key}" if is_choice and distinct else "",
    )


def _kind_of_field(spec: dict[str, Any], options: list[OptionView]) -> str:
    if spec["kind"] != "range":
        return str(spec["kind"])
    if spec.get("display") == "slider":
        return "slider"
    return "range" if options else "number"


def _options(spec: dict[str, Any], raw: str, keys: dict[str, int]) -> list[OptionView]:
    """Return the options; the steps of a short range are chosen by their own digit."""
    if spec["kind"] == "options":
        return [
            OptionView(
                option["code"],
                option["label"],
                digit,
                option["code"] == raw,
                option.get("slot", ""),
                option.get("definition", ""),
            )
            for option, digit in zip(spec["options"], _digits(spec["options"], keys), strict=True)
        ]
    if spec["kind"] == "text" or spec.get("display") == "slider":
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
