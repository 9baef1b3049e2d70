"""Rubric's bank and graded passages as rows of a corpus: topics, passages, rankings. Pure.

Grades on entries are for studies, not for a corpus; judgments and direct grades are labels.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from annotation.corpora.formats import rubric
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    ForeignLabel,
    FormatRow,
    Read,
    Signature,
)
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

# A line of graded passages is a list, and may be longer than what is looked at.
GRADED = re.compile(r'\s*\["(?:[^"\\]|\\.)*",\s*\[?\s*\{\s*"paragraph')
GradedPassages = tuple[str, list[rubric.Paragraph] | rubric.Paragraph]


def _is_bank(sample: FileSample) -> Signature | None:
    names = set(sample.names)
    is_bank = {"query_id", "items"} <= names and names & {"test_collection", "query_text"}
    return Signature(1) if is_bank else None


def _is_graded(sample: FileSample) -> Signature | None:
    is_graded = GRADED.match(sample.beginning) or _is_line(*sample.rows[:1])
    return Signature(1) if is_graded else None


def _is_line(values: Any = None) -> bool:
    """Return whether the values of a row are a topic with its passages."""
    if not isinstance(values, list) or len(values) != 2 or not isinstance(values[0], str):
        return False
    first = next(iter(values[1]), None) if isinstance(values[1], list) else values[1]
    return isinstance(first, dict) and "paragraph_id" in first


def _of_banks(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow]:
    """Yield the topics, each once: a query has a line for each facet."""
    first: dict[str, tuple[int, str]] = {}  # topic -> where it is given first, its query
    for source in rows:
        bank = _converted(source.values, rubric.RubricBank)
        if isinstance(bank, FormatFault):
            yield FaultyRow(source, bank)
            continue
        line, query = first.setdefault(bank.query_id, (source.line, bank.query_text))
        if query != bank.query_text:
            yield FaultyRow(source, FormatFault("query_text", _other(bank.query_id, line)))
        elif line == source.line:
            values = {"topic": bank.query_id, "query": bank.query_text}
            yield FormatRow(source, RowKind.TOPICS, values)


def _other(topic: str, line: int) -> str:
    return Sentence("differs from the query of {topic!r} in line {line}", topic=topic, line=line)


def _of_passages(rows: Iterable[SourceRow]) -> Iterator[Read]:
    for source in rows:
        graded = _converted(source.values, GradedPassages)
        if isinstance(graded, FormatFault):
            yield FaultyRow(source, graded)
            continue
        topic, passages = graded
        for passage in passages if isinstance(passages, list) else [passages]:
            keys = {"topic": topic, "passage": passage.paragraph_id}
            yield FormatRow(source, RowKind.PASSAGES, {**keys, "text": passage.text})
            data = passage.paragraph_data or rubric.ParagraphData(judgments=[], rankings=[])
            for place in data.rankings:
                ranked = {"rank": place.rank, "score": place.score, "system": place.method}
                yield FormatRow(source, RowKind.RANKINGS, {**keys, **ranked})
            for label in rubric.labels_of(passage):
                yield ForeignLabel(source, {**keys, **label})


def _converted(values: Any, wanted: Any) -> Any:
    """Return the struct, or the fault."""
    try:
        return msgspec.convert(values, wanted)
    except msgspec.ValidationError as error:
        return rubric.fault_of(error)


BANK = FileFormat(
    name="rubric_bank",
    title=marked("topics with a bank (Rubric)"),
    signature=_is_bank,
    brings=(RowKind.TOPICS,),
    reader=_of_banks,
)
PASSAGES = FileFormat(
    name="rubric_passages",
    title=marked("graded passages with rankings (Rubric)"),
    signature=_is_graded,
    brings=(RowKind.PASSAGES, RowKind.RANKINGS),
    reader=_of_passages,
)
