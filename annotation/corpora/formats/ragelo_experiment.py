"""An experiment of RAGElo 0.7, NAME.json: queries with documents, answers and rubrics. Pure.

The file is one object: `queries` by their ids, each with `retrieved_docs` by their ids (`text`, and
`retrieved_by`: the score that each system gave) and `answers` by their agents. Evaluations are in
NAME_results.jsonl; `replicate ragelo` reads them.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    FormatRow,
    Signature,
)
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked


def _signature(sample: FileSample) -> Signature | None:
    if len(sample.rows) != 1 or not sample.every("queries", "experiment_name"):
        return None
    queries = _objects(sample.rows[0].get("queries"))
    if not queries or not all("query" in query for query in queries.values()):
        return None
    return Signature(1, (Sentence("queries have documents and answers"),))


def _reader(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow]:
    for source in rows:
        experiment = source.values if isinstance(source.values, dict) else {}
        for topic, query in _objects(experiment.get("queries")).items():
            if not isinstance(query.get("query"), str):
                reason = Sentence("{key!r} has no text", key=topic[:80])
                yield FaultyRow(source, FormatFault("queries", reason))
                continue
            values = {"topic": topic, "query": query["query"]}
            yield FormatRow(source, RowKind.TOPICS, values)
            documents = _objects(query.get("retrieved_docs"))
            for key, document in documents.items():
                passage = {"topic": topic, "passage": key, "text": document.get("text")}
                yield FormatRow(source, RowKind.PASSAGES, passage)
            for system, ranked in _rankings(documents).items():
                for rank, (key, score) in enumerate(ranked, start=1):
                    place = {"topic": topic, "passage": key, "rank": rank, "score": score}
                    yield FormatRow(source, RowKind.RANKINGS, {"system": system, **place})
            for agent, answer in _objects(query.get("answers")).items():
                answered = {"qid": topic, "agent": agent, "answer": answer.get("text")}
                yield FormatRow(source, RowKind.ANSWERS, answered)


def _rankings(documents: dict[str, dict[str, Any]]) -> dict[str, list[tuple[str, float]]]:
    """Return the documents of each system with their scores, best first."""
    rankings: dict[str, list[tuple[str, float]]] = {}
    for key, document in documents.items():
        scores = document.get("retrieved_by")
        for system, score in scores.items() if isinstance(scores, dict) else ():
            if type(score) in (int, float) and math.isfinite(score):
                rankings.setdefault(system, []).append((key, float(score)))
    return {system: sorted(of, key=lambda pair: -pair[1]) for system, of in rankings.items()}


def _objects(value: Any) -> dict[str, dict[str, Any]]:
    """Return the objects in an object by their keys, without what is none."""
    if not isinstance(value, dict):
        return {}
    return {key: inner for key, inner in value.items() if isinstance(inner, dict)}


FORMAT = FileFormat(
    name="ragelo_experiment",
    title=marked("RAGElo experiment: queries, documents and answers"),
    signature=_signature,
    brings=(RowKind.TOPICS, RowKind.PASSAGES, RowKind.RANKINGS, RowKind.ANSWERS),
    reader=_reader,
    reads=(
        *("experiment_name", "queries.*.qid", "queries.*.query"),
        *(f"queries.*.retrieved_docs.*.{name}" for name in ("qid", "did", "text")),
        *("queries.*.retrieved_docs.*.retrieved_by",),
        *(f"queries.*.answers.*.{name}" for name in ("qid", "agent", "text")),
    ),
)
