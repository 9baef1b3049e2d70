"""Items that a researcher names by key, with their contents and right answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext

from annotation.models import Corpus, Passage, Response, Segment
from judging.answering.scales import NotOnScale, canonical
from judging.design.material import parts_from
from judging.designers.segments import pair_slots
from judging.designers.texts import DesignText
from judging.instruments.files import BadInstrument, as_json
from judging.instruments.schema import AnswerSpec, InstrumentFile
from judging.items.contents import SLOT_MARK, key_of
from judging.items.kinds import Holds, ItemKind

PARTS = {Holds.RESPONSE: 1, Holds.PASSAGE: 2, Holds.SEGMENT: 2, Holds.CRITERION: 1}


def contents_of(
    key: str, *, kind: ItemKind, corpus: Corpus, criteria: Mapping[str, Model]
) -> dict[str, Any]:
    """Return the contents of an item by slot, in nominal order. Raises BadInstrument."""
    parts = key.strip().removeprefix(f"{kind.name}:").split("|")
    if kind.named_by:
        return _whole_pair(key, [part.strip() for part in parts], kind, corpus)
    contents: list[Any] = []
    for name in _names(kind, parts):
        slot = kind.slot(name)
        assert slot is not None
        taken, parts = parts[: PARTS[slot.holds]], parts[PARTS[slot.holds] :]
        contents.append(_content(slot.holds, [text.strip() for text in taken], corpus, criteria))
    if parts or None in contents:
        raise BadInstrument(
            "unknown_item",
            gettext("Item {key!r} not found. Use exported keys, separated by |.").format(key=key),
        )
    if _mixes_summaries(kind, contents):
        raise BadInstrument(
            "different_summaries",
            gettext("{key!r} combines sections and overview from different summaries.").format(
                key=key
            ),
        )
    return dict(zip(kind.names(len(contents)), contents, strict=True))


def _whole_pair(key: str, keys: Sequence[str], kind: ItemKind, corpus: Corpus) -> dict[str, Any]:
    """Return two summaries on a topic with the parts and documents that follow from them."""
    found = {
        response.key: response
        for response in Response.objects.with_text().filter(corpus=corpus, key__in=keys)
    }
    sides = [found[key] for key in keys if key in found]
    topics = {side.topic_id for side in sides}
    if len(keys) != len(kind.named_by) or len(found) != len(keys) or len(topics) != 1:
        raise BadInstrument(
            "unknown_item",
            gettext(
                "Pair {key!r} not found. Enter two summaries of one topic, separated by |."
            ).format(key=key),
        )
    segments = Segment.objects.filter(response__in=sides).in_bulk()
    passages = Passage.objects.filter(topic__in=topics).order_by("rank", "pk").in_bulk()
    parts: dict[int, list[DesignText]] = {side.pk: [] for side in sides}
    for part in parts_from(Segment.objects.filter(response__in=sides)):
        parts[part.response].append(part)
    if not all(any(part.part == "overview" for part in of_side) for of_side in parts.values()):
        raise BadInstrument(
            "not_structured",
            gettext("{key!r} contains a summary without an overview or sections.").format(key=key),
        )
    contents: dict[Holds, dict[int, Any]] = {
        Holds.RESPONSE: {side.pk: side for side in sides},
        Holds.SEGMENT: segments,
        Holds.PASSAGE: passages,
    }
    slots = pair_slots(
        [DesignText(id=side.pk, topic=side.topic_id, words=side.words) for side in sides],
        parts=parts,
        passages=[DesignText(id=pk, topic=None, words=0) for pk in passages],
    )
    return {
        name: contents[slot.holds][text.id]
        for name, text in slots
        if (slot := kind.slot(name)) is not None
    }


def _mixes_summaries(kind: ItemKind, contents: Sequence[Any]) -> bool:
    """Return whether sections are shown that are not of the text of the judged part."""
    names = kind.names(len(contents))
    shown = dict(zip(names, contents, strict=True))
    part = shown[kind.subject.name]
    return any(
        slot.sections_only and isinstance(part, Segment) and part.response_id != shown[slot.name].pk
        for slot in kind.slots
    )


def _names(kind: ItemKind, parts: Sequence[str]) -> Iterable[str]:
    """Return the slots that this number of parts of a key fills."""
    once = [slot for slot in kind.slots if not slot.repeated]
    left = len(parts) - sum(PARTS[slot.holds] for slot in once)
    more = max(0, left) // PARTS[kind.repeated.holds] if kind.repeated else 0
    try:
        return kind.names(len(once) + more)
    except LookupError:
        return kind.names(len(once) + 1)


def _content(
    holds: Holds, key: Sequence[str], corpus: Corpus, criteria: Mapping[str, Model]
) -> Any:
    if len(key) < PARTS[holds]:
        return None
    if holds == Holds.RESPONSE:
        return Response.objects.with_text().filter(corpus=corpus, key=key[0]).first()
    if holds == Holds.PASSAGE:
        return Passage.objects.filter(topic__corpus=corpus, topic__key=key[0], key=key[1]).first()
    if holds == Holds.SEGMENT:
        line = int(key[1]) if key[1].isdigit() and len(key[1]) < 10 else -1
        rows = Segment.objects.filter(response__corpus=corpus, response__key=key[0], line=line)
        return rows.first()
    return criteria.get(key[0])


def expected_of(
    answers: Sequence[AnswerSpec],
    *,
    file: InstrumentFile,
    kind: ItemKind,
    contents: Mapping[str, Any],
) -> dict[str, str]:
    """Return the canonical answer to each question for nominal order. Raises BadInstrument.

    An answer may be about one part alone: its key is the question and the slot, "support:s2".
    """
    by_name = {name: key_of(content) for name, content in contents.items()}
    places = kind.drawn(contents)
    questions = {question.key: question for question in file.questions}
    scales = {scale.key: as_json(scale) for scale in file.scales}
    scale_by_question = {
        question.key: scales[question.scale]
        for question in file.questions
        if question.scale in scales
    }
    expected = {}
    for known_answer in answers:
        key, mark, slot = known_answer.key.partition(SLOT_MARK)
        if known_answer.key in scale_by_question:
            key, mark = known_answer.key, ""
        asked = questions[key].about if key in questions else ""
        if key not in scale_by_question or (mark and slot not in kind.judged(contents, asked)):
            raise BadInstrument(
                "unknown_question",
                gettext("Question {key!r} not found.").format(key=known_answer.key),
            )
        try:
            answer = canonical(
                spec=scale_by_question[key],
                raw=known_answer.answer,
                shown=places,
                places=places,
                contents=by_name,
            )
        except NotOnScale as error:
            raise BadInstrument(
                "bad_answer",
                gettext("Question {key}: {error}").format(key=known_answer.key, error=error),
            ) from error
        expected[known_answer.key] = answer.value
    return expected
