"""Contents of items and questions about them, as prompts show them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.models import Study
from annotation.texts.citations import marks_in
from judging.answering.recording import questions_of
from judging.calls import prompts
from judging.items.cited_documents import document_numbers, with_numbers
from judging.items.conversations import conversation_text, query_text
from judging.items.kinds import item_kind
from judging.items.notes import Note, Notes, notes_read
from judging.items.segments import response_text, text_of
from judging.machines.fields import ModelQuestion, ShownItem, fields_of, how_to_answer, listed
from judging.models import Instrument, Item, ItemSlot, MachineJudge, Prompt, Question

EXTRACTS = "passage_criterion"  # kind of item whose answer in words models give too


@dataclass(frozen=True)
class Material:
    """An item with the texts in its slots."""

    item: Item
    contents: Mapping[str, str]  # slot -> key, in nominal order
    words: Mapping[str, str]

    @property
    def orders(self) -> tuple[tuple[str, ...], ...]:
        """The moving slots as designed, and reversed."""
        kind = item_kind(self.item.kind)
        nominal = kind.drawn(self.contents)
        return (nominal, nominal[::-1]) if len(nominal) > 1 else (nominal,)

    def page(self, order: tuple[str, ...]) -> ShownItem:
        return ShownItem(item_kind(self.item.kind), self.contents, order)


@dataclass(frozen=True)
class Interview:
    """Questions of an instrument that are asked in one call."""

    instrument: Instrument
    questions: tuple[ModelQuestion, ...]
    asked: str = ""  # the question that is asked alone
    is_pinned: bool = False  # people read the description of the topic beside the texts


def interviews(study: Study, *, at_once: bool) -> list[Interview]:
    """Return the questions of a study by call: all of an instrument, or one each.

    Questions that are answered with a text are for people, unless they extract it for a point.
    """
    interviews_made = []
    for questions in questions_of(study.pk).values():
        every = [
            asked_of(question) for question in questions.values() if not _is_for_people(question)
        ]
        if not every:
            continue
        instrument = next(iter(questions.values())).instrument
        is_pinned = study.background == Study.Background.PINNED
        if at_once:
            interviews_made.append(Interview(instrument, tuple(every), is_pinned=is_pinned))
        else:
            interviews_made += [
                Interview(instrument, (asked_question,), asked_question.key, is_pinned)
                for asked_question in every
            ]
    return interviews_made


def for_people_alone(study: Study) -> list[str]:
    """Return the questions with answers in words, which no model is asked."""
    every = (
        question for questions in questions_of(study.pk).values() for question in questions.values()
    )
    return [question.text for question in every if _is_for_people(question)]


def _is_for_people(question: Question) -> bool:
    return question.scale.spec["kind"] == "text" and question.instrument.item_kind != EXTRACTS


def asked_of(question: Question) -> ModelQuestion:
    return ModelQuestion(
        key=question.key,
        text=question.text,
        definition=question.criterion.definition,
        spec=question.scale.spec,
        arity=question.arity,
        wants_reason=question.justification,
        may_be_left_out=question.optional,
        criterion=question.criterion.key,
        about=question.about,
    )


def materials(items: Sequence[Item], *, words: bool = True) -> dict[int, Material]:
    """Return the contents by item, without items with an erased text.

    Without `words` only the keys of the contents are read.
    """
    keys: dict[int, dict[str, str]] = defaultdict(dict)
    texts: dict[int, dict[str, str]] = defaultdict(dict)
    erased = set()
    slots = ItemSlot.objects.filter(item__in=[item.pk for item in items])
    slots = slots.select_related(
        "item__topic", "response", "passage", "criterion", "segment__response"
    )
    if not words:
        slots = slots.defer("response__text", "response__turns", "passage__text", "segment__text")
        slots = slots.defer("segment__response__text")
    numbers = _numbering()
    for slot in slots.order_by("item", "position"):
        keys[slot.item_id][slot.name] = _key(slot)
        if words:
            texts[slot.item_id][slot.name] = words_of_slot = _words(slot, numbers(slot))
            if not words_of_slot:
                erased.add(slot.item_id)
    return {
        item.pk: Material(
            item,
            {name: keys[item.pk][name] for name in item_kind(item.kind).in_order(keys[item.pk])},
            texts[item.pk],
        )
        for item in items
        if item.pk not in erased
    }


def _key(slot: ItemSlot) -> str:
    if slot.segment is not None:
        return f"{slot.segment.response.key}:{slot.segment.line}"
    content = slot.response or slot.passage or slot.criterion
    assert content is not None  # slot_holds_one_thing
    return content.key


def _numbering() -> Callable[[ItemSlot], Mapping[int, int] | None]:
    """Return the numbers of documents for the text in a slot, read once for an item."""
    numbers_by_item: dict[int, Mapping[int, int]] = {}

    def numbers(slot: ItemSlot) -> Mapping[int, int] | None:
        item = slot.item
        if slot.response is None or not item_kind(item.kind).named_by:
            return None
        if item.pk not in numbers_by_item:
            numbers_by_item[item.pk] = document_numbers(item.topic, item.slots.all())
        return numbers_by_item[item.pk]

    return numbers


def _words(slot: ItemSlot, numbers: Mapping[int, int] | None) -> str:
    if slot.passage is not None:
        return "\n\n".join(filter(None, (slot.passage.title, slot.passage.text)))
    if slot.criterion is not None:
        words = dict.fromkeys((slot.criterion.name, slot.criterion.definition))
        return "\n\n".join(filter(None, words))
    if slot.segment is not None:
        return text_of(slot.segment) if slot.segment.response.text else ""
    text = response_text(slot)
    if numbers is not None and slot.response is not None and text == slot.response.text:
        text, _ = with_numbers(text, marks_in(text, slot.response.marks), numbers)
    return conversation_text(slot, text)


def messages(
    *,
    prompt: Prompt,
    material: Material,
    order: tuple[str, ...],
    interview: Interview,
    notes: Notes,
) -> list[dict[str, str]]:
    """Return the messages about an item: what people read, including notes on its documents.

    A pinned background that the prompt does not name follows the query. Raises BadPrompt.
    """
    page = material.page(order)
    fields = fields_of(interview.questions, page)
    said_of = {name: note for (item, name), note in notes.items() if item == material.item.pk}
    shown = [
        (place, page.title(place), _with_note(material.words[slot], said_of.get(slot)))
        for slot, place in page.on_page
    ]
    repeated = page.kind.repeated
    documents = [document for document in shown if repeated and repeated.covers(document[0])]
    noted = [
        (place, page.title(place), _told(said_of[slot]))
        for slot, place in page.on_page
        if slot in said_of
    ]
    topic = material.item.topic
    is_named = "description" in prompts.variables_in(prompt.system, prompt.user)
    background = topic.description if interview.is_pinned and not is_named else ""
    query = query_text(topic)
    values = {place: words for place, _, words in shown} | {
        "query": f"{query}\n\nBackground: {background}" if background else query,
        "description": topic.description,
        "texts": _headed(shown),
        "documents": _headed(documents),
        "annotations": _headed(noted),
        "questions": listed(fields),
        "answers": how_to_answer(fields),
    }
    return prompts.messages(system=prompt.system, user=prompt.user, values=values)


def _with_note(words: str, note: Note | None) -> str:
    return f"{words}\n\n{_told(note)}" if note else words


def _told(note: Note) -> str:
    return "\n".join([f"Rated by others: {note.said}", *(f"- {reason}" for reason in note.reasons)])


def _headed(shown: Sequence[tuple[str, str, str]]) -> str:
    return "\n\n".join(f"### {title}\n\n{words}" for _, title, words in shown)


def notes_for(
    interviews: Iterable[Interview], items: Sequence[Item], *, locked: bool = False
) -> dict[int, Notes]:
    """Return the notes by instrument; `locked` as in `notes_read`."""
    pks = [item.pk for item in items]
    instruments = {interview.instrument.pk: interview.instrument for interview in interviews}
    return {
        pk: notes_read(instrument, pks, locked=locked) for pk, instrument in instruments.items()
    }


def interviews_for(judge: MachineJudge) -> list[Interview]:
    return interviews(judge.study, at_once=judge.at_once)
