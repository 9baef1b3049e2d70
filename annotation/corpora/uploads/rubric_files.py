"""Rubric's bank and graded passages as rows of a corpus: topics, passages, rankings.

Lines are read one at a time; what they grade is for studies, not for a corpus. Only reads the
upload.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.formats import rubric
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.lines import Bounds, BrokenFile, FileLines, LongLine
from annotation.corpora.readers import CorpusFile
from annotation.corpora.schema import BadLine, RowKind
from annotation.texts.translation import translated

BANK, PASSAGES = "rubric_bank", "rubric_passages"
# A line of graded passages is a list, and may be longer than what is looked at.
GRADED = re.compile(r'\s*\["(?:[^"\\]|\\.)*",\s*\[?\s*\{\s*"paragraph')
Refuse = Callable[[BadLine], None]  # there may be millions: nobody holds them all
Rows = Iterator[tuple[int, RowKind, dict[str, Any]]]  # the line that has it, its kind, the row


def is_bank(names: Iterable[str]) -> bool:
    return {"query_id", "test_collection", "items"} <= set(names)


def rows_of(
    path: Path, *, kind: str, name: str, bounds: Bounds, into: Path, refuse: Refuse
) -> list[CorpusFile]:
    """Split a Rubric file into one file for each kind of row; invalid lines are refused.

    A key is written once, although a query has a line for each facet.
    """
    reader = {BANK: _of_banks, PASSAGES: _of_passages}[kind]
    files: dict[RowKind, Path] = {}
    with ExitStack() as stack:
        raw = stack.enter_context(path.open("rb"))
        written: dict[RowKind, Any] = {}
        query_by_topic: dict[
            str, tuple[int, str]
        ] = {}  # topic -> where it is given first, its query
        try:
            for number, of_kind, row in reader(_texts(raw, name, bounds), name, refuse):
                if of_kind is RowKind.TOPICS and (before := query_by_topic.get(row["topic"])):
                    if before[1] != row["query"]:
                        refuse(BadLine(name, number, "query_text", _other(row["topic"], before[0])))
                    continue
                if of_kind is RowKind.TOPICS:
                    query_by_topic[row["topic"]] = number, row["query"]
                if of_kind not in written:
                    files[of_kind] = into / f"{path.name}-{of_kind}.jsonl"
                    written[of_kind] = stack.enter_context(files[of_kind].open("w"))
                written[of_kind].write(json.dumps(row) + "\n")
        except UnicodeDecodeError:
            refuse(BadLine(name, 0, "", gettext("is not UTF-8")))
        except BrokenFile as error:
            refuse(BadLine(name, error.line, "", translated(error.reason)))
    return [
        CorpusFile(file, kind=of_kind, name=f"{name} ({of_kind}).jsonl")
        for of_kind, file in files.items()
    ]


def _other(topic: str, line: int) -> str:
    return gettext("is another query for {topic!r} than in line {line}").format(
        topic=topic, line=line
    )


def _texts(raw: Any, name: str, bounds: Bounds) -> Iterator[str]:
    for number, line in FileLines(raw, is_gzip=name.lower().endswith(".gz"), bounds=bounds):
        if isinstance(line, LongLine):
            raise BrokenFile(number, line.reason)
        yield line.decode()


def _of_banks(lines: Iterator[str], name: str, refuse: Refuse) -> Rows:
    for number, bank in _good(lines, rubric.banks, name, refuse):
        yield number, RowKind.TOPICS, {"topic": bank.query_id, "query": bank.query_text}


def _of_passages(lines: Iterator[str], name: str, refuse: Refuse) -> Rows:
    for number, (topic, passages) in _good(lines, rubric.passages, name, refuse):
        for passage in passages:
            row = {"topic": topic, "passage": passage.paragraph_id, "text": passage.text}
            yield number, RowKind.PASSAGES, row
            for place in passage.paragraph_data.rankings if passage.paragraph_data else ():
                ranked = {"rank": place.rank, "score": place.score, "system": place.method}
                row = {"topic": topic, "passage": passage.paragraph_id, **ranked}
                yield number, RowKind.RANKINGS, row


def _good(
    lines: Iterator[str],
    reader: Callable[[Iterable[str]], Iterable[tuple[int, Any]]],
    name: str,
    refuse: Refuse,
) -> Iterator[tuple[int, Any]]:
    """Yield the valid rows, each with its line."""
    for number, row in reader(lines):
        if isinstance(row, FormatFault):
            refuse(BadLine(name, number, row.field, translated(row.reason)))
        else:
            yield number, row
