"""Items that a researcher names by key, with their contents and right answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext

from annotation.models import Corpus, Passage, Response, Segment
from judging.answering.scales import NotOnScale, canonical
from judging.instruments.files import BadInstrument, as_json
from judging.instruments.schema import AnswerSpec, InstrumentFile
from judging.items.contents import key_of
from judging.items.kinds import Holds, ItemKind

PARTS = {Holds.RESPONSE: 1, Holds.PASSAGE: 2, Holds.SEGMENT: 2, Holds.CRITERION: 1}


def contents_of(
    key: str, *, kind: ItemKind, corpus: Corpus, criteria: Mapping[str, Model]
) -> list[Any]:
    """Return the contents of an item by its key, in nominal order. Raises BadInstrument."""
    if kind.named_by:
        raise BadInstrument(
            "overview_item",
            gettext("Items with all parts of two summaries can't be gold or training items."),
        )
    parts = key.strip().removeprefix(f"{kind.name}:").split("|")
    contents: list[Any] = []
    for name in _names(kind, parts):
        slot = kind.slot(name)
        assert slot is not None
        taken, parts = parts[: PARTS[slot.holds]], parts[PARTS[slot.holds] :]
        contents.append(_content(slot.holds, [text.strip() for text in taken], corpus, criteria))
    if parts or None in contents:
        raise BadInstrument(
            "unknown_item",
            gettext(
                "Item {key!r} not found. Use the exported form: the keys of its contents, "
                "separated by |."
            ).format(key=key),
        )
    if _mixes_summaries(kind, contents):
        raise BadInstrument(
            "different_summaries",
            gettext("In {key!r}, sections and overview belong to different summaries.").format(
                key=key
            ),
        )
    return contents


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
    answers: Sequence[AnswerSpec], *, file: InstrumentFile, kind: ItemKind, contents: Sequence[Any]
) -> dict[str, str]:
    """Return the canonical answer to each question for nominal order. Raises BadInstrument."""
    names = kind.names(len(contents))
    by_name = {name: key_of(content) for name, content in zip(names, contents, strict=True)}
    places = kind.drawn(names)
    scales = {scale.key: as_json(scale) for scale in file.scales}
    scale_by_question = {
        question.key: scales[question.scale]
        for question in file.questions
        if question.scale in scales
    }
    expected = {}
    for known_answer in answers:
        if known_answer.key not in scale_by_question:
            raise BadInstrument(
                "unknown_question",
                gettext("Question {key!r} not found.").format(key=known_answer.key),
            )
        try:
            answer = canonical(
                spec=scale_by_question[known_answer.key],
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
