"""Preferences between two transcripts: HH-RLHF of Anthropic. Pure.

A row has `chosen` and `rejected`, each a whole conversation as one text. The turns that both begin
with are the topic; the last turn of the assistant is the answer, and which one was chosen is a
label. A row with one transcript has one answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from annotation.corpora.formats import votes
from annotation.corpora.formats.answer_keys import AnswerKeys
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    ForeignLabel,
    FormatRow,
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.formats.reranking import digest
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.conversations import RawTurn, Speaker, turns_of_transcript
from annotation.texts.sentences import Sentence, marked

COLUMNS = (*votes.PREFERRED, "transcript", "conversation", "dialogue")


def _signature(sample: FileSample) -> Signature | None:
    if not sample.share_of_most(lambda row: bool(_transcripts(row))):
        return None
    return Signature(0.99, (Sentence("texts are conversations between “Human” and “Assistant”"),))


def _transcripts(row: Mapping[str, Any]) -> dict[str, list[RawTurn]]:
    """Return the transcripts of a row by column."""
    texts = {name: row[name] for name in COLUMNS if isinstance(row.get(name), str)}
    return {name: turns for name, text in texts.items() if (turns := turns_of_transcript(text))}


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    topics: set[str] = set()
    answers = AnswerKeys()
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        transcripts = _transcripts(row)
        if fault := _fault(row, transcripts):
            yield FaultyRow(source, fault)
            continue
        shared = _shared(list(transcripts.values()))
        topic = digest("\0".join(turn.content for turn in shared))
        if topic not in topics:
            topics.add(topic)
            yield FormatRow(source, RowKind.TOPICS, _topic(topic, shared))
        keys = []
        for name, turns in transcripts.items():
            whole = "\0".join(turn.content for turn in turns)
            key, is_new = answers.key_of(topic, name, whole)
            keys.append(key)
            if is_new:
                yield FormatRow(source, RowKind.RESPONSES, _response(key, topic, name, turns))
        yield from _voted(source, topic, keys, transcripts)


def _fault(row: Mapping[str, Any], transcripts: Mapping[str, list[RawTurn]]) -> FormatFault | None:
    names = [name for name in votes.PREFERRED if name in row] or COLUMNS[2:]
    missing = [name for name in names if name not in transcripts]
    if not transcripts or (missing and names == list(votes.PREFERRED)):
        return FormatFault(missing[0], Sentence("is not a conversation"))
    for name, turns in transcripts.items():
        if turns[-1].role is not Speaker.ASSISTANT:
            return FormatFault(name, Sentence("must end with an assistant turn, the text to judge"))
    if not _shared(list(transcripts.values())):
        return FormatFault(
            missing[0] if missing else next(iter(transcripts)),
            Sentence("starts differently from the row's other conversation"),
        )
    return None


def _shared(transcripts: list[list[RawTurn]]) -> list[RawTurn]:
    """Return the turns that all transcripts begin with, up to one of the user."""
    before = zip(*(turns[:-1] for turns in transcripts), strict=False)
    same = [turns[0] for turns in takewhile(lambda turns: len(set(turns)) == 1, before)]
    while same and same[-1].role is not Speaker.USER:
        same.pop()
    return same


def _topic(topic: str, turns: list[RawTurn]) -> dict[str, Any]:
    values: dict[str, Any] = {"topic": topic, "query": turns[-1].content}
    if len(turns) > 1:
        values["messages"] = [turn._asdict() for turn in turns]
    return values


def _response(key: str, topic: str, system: str, turns: list[RawTurn]) -> dict[str, Any]:
    values: dict[str, Any] = {"response": key, "topic": topic, "text": turns[-1].content}
    if len(turns) > 2:
        values["messages"] = [turn._asdict() for turn in turns]
    return values | ({"system": system} if system in votes.PREFERRED else {})


def _voted(
    source: SourceRow, topic: str, keys: list[str], transcripts: Mapping[str, list[RawTurn]]
) -> Iterator[Read]:
    if list(transcripts) != list(votes.PREFERRED):
        return
    if transcripts["chosen"] == transcripts["rejected"]:
        yield LeftOutCounts(source, {votes.SAME: 1})
        return
    yield ForeignLabel(source, votes.label_of(source.values, topic, keys, is_preference=True))


FORMAT = FileFormat(
    name="transcripts",
    title=marked("preferred conversations as texts (HH-RLHF)"),
    signature=_signature,
    brings=(RowKind.TOPICS, RowKind.RESPONSES),
    reader=_reader,
    reads=(*COLUMNS, *votes.RATERS, *votes.TIMES),
    labels=True,
)
