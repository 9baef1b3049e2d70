"""Nuggets and their assignments: nuggetizer, the AutoNuggetizer of TREC RAG. Pure.

A line of nuggets is a query with its nuggets, each `vital` or `okay`. A line of assignments has
the answer of a run, or a passage, and whether that text supports each nugget: a label of a model. A
corpus gets queries, answers and passages. Nuggets are points of a study: `banks` reads them.
"""

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
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.formats.reranking import first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

IDS = ("qid", "query_id", "topic_id")
QUERIES = ("query", "text", "topic")  # `text` where the assignments are to passages
IMPORTANCE = ("vital", "okay")
NUGGETS = marked("nuggets")
RUN, ANSWER, DOCUMENT, PASSAGE = "run_id", "answer_text", "docid", "candidate_text"


def is_nuggets(row: Any) -> bool:
    """Return whether a row is a query with nuggets, assigned to a text or not."""
    if not isinstance(row, dict) or not isinstance(row.get("nuggets"), list):
        return False
    nuggets = row["nuggets"]
    return bool(first_text(row, IDS)) and all(
        isinstance(nugget, dict) and isinstance(nugget.get("text"), str) for nugget in nuggets
    )


def _signature(sample: FileSample) -> Signature | None:
    share = sum(map(is_nuggets, sample.rows)) / len(sample.rows) if sample.rows else 0
    if share <= 1 / 2:
        return None
    return Signature(0.95 + 0.05 * share, (Sentence("one query per row, with its nuggets"),))


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    topics: set[str] = set()
    passages: set[tuple[str, str]] = set()
    for source in rows:
        row = source.values
        if not is_nuggets(row):
            yield FaultyRow(source, FormatFault("nuggets", Sentence("is not a list of nuggets")))
            continue
        nuggets = row["nuggets"]
        assigned = [nugget for nugget in nuggets if "assignment" in nugget]
        yield LeftOutCounts(source, {NUGGETS: len(nuggets) - len(assigned)})
        topic, query = first_text(row, IDS), first_text(row, QUERIES)
        if query and topic not in topics:
            topics.add(topic)
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": query})
        key = first_text(row, (DOCUMENT,))
        if key and isinstance(row.get(PASSAGE), str) and (topic, key) not in passages:
            passages.add((topic, key))
            values = {"topic": topic, "passage": key, "text": row[PASSAGE]}
            yield FormatRow(source, RowKind.PASSAGES, values)
        if isinstance(row.get(ANSWER), str):
            run = {"qid": topic, "agent": first_text(row, (RUN,))}
            yield FormatRow(source, RowKind.ANSWERS, {**run, "answer": row[ANSWER]})
        on = {"passage": key} if key else {"response": f"{topic}/{first_text(row, (RUN,))}"}
        for nugget in assigned:
            if value := str(nugget["assignment"] or "").strip():
                point = {"criterion": _entry(topic, nugget).key}
                label = {"topic": topic, **on, **point, "value": value, "kind": "model"}
                yield ForeignLabel(source, label)


# -- Points of a study ---------------------------------------------------------------------------
def banks(lines: Iterable[str]) -> Iterator[tuple[int, rubric.RubricBank | FormatFault]]:
    """Yield the nuggets of a file as banks of Rubric; how important one is stands in its id.

    A line of assignments repeats the nuggets of its query: each comes once.
    """
    met: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError):
            row = None
        if not is_nuggets(row):
            yield number, FormatFault("nuggets", Sentence("is not a list of nuggets"))
            continue
        topic = first_text(row, IDS)
        entries = [_entry(topic, nugget) for nugget in row["nuggets"]]
        new = {entry.key: entry for entry in entries if entry.key not in met}
        met |= set(new)
        if new:
            yield (
                number,
                rubric.RubricBank(
                    query_id=topic,
                    test_collection="",
                    query_text=first_text(row, QUERIES),
                    hash=0,
                    items=list(new.values()),
                ),
            )


def _entry(topic: str, nugget: dict[str, Any]) -> rubric.RubricEntry:
    importance = nugget.get("importance")
    facet = importance if importance in IMPORTANCE else ""
    text = nugget["text"]
    return rubric.RubricEntry(
        query_id=topic, nugget_id=rubric.entry_id(topic, text, facet), nugget_text=text
    )


FORMAT = FileFormat(
    name="nuggetizer",
    title=marked("queries with nuggets and their texts (nuggetizer)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.PASSAGES, RowKind.ANSWERS),
    reader=_reader,
    reads=(*IDS, *QUERIES, RUN, ANSWER, DOCUMENT, PASSAGE, "nuggets"),
    system=RUN,
    labels=True,
    hint=marked("Nuggets belong to a study: import this file under Methods."),
)
