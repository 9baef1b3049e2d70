"""Answers and reports as sentences that cite documents: TREC RAG, RAGTIME, DRAGUN, NeuCLIR. Pure.

A line is what one run says of one topic. Where these are differs:

- RAG 2024: run_id, topic_id, topic (its text), references, answer; a sentence cites by numbers
  that count from 0 in `references`.
- RAG 2025: metadata with run_id, narrative_id and narrative (its text); a sentence cites by numbers
  or by ids.
- RAGTIME, DRAGUN: metadata with run_id and topic_id, and `responses`; a sentence cites an object of
  documents with scores, or a list of ids.
- NeuCLIR 2024: request_id, run_id, sentences; a sentence cites a list of ids.

The evaluation tools of these tracks accept all of them, and `documents` with the texts of what is
cited.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

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

PARTS = ("responses", "answer", "sentences")
RUNS = ("run_id", "metadata.run_id")
TOPIC_IDS = ("topic_id", "request_id", "narrative_id")
TOPICS = (*TOPIC_IDS, *(f"metadata.{name}" for name in TOPIC_IDS))
TOPIC_TEXTS = ("topic", "narrative", "metadata.narrative", "metadata.topic")
SENTENCES = tuple(f"{part}.{name}" for part in PARTS for name in ("text", "citations"))
DOCUMENTS = tuple(f"documents.*.{name}" for name in ("id", "text", "title"))


class RunReport(NamedTuple):
    """Report of a run on a topic; `documents` are the cited texts by ID."""

    run: str
    topic: str
    topic_text: str
    references: list[Any]
    sentences: list[dict[str, Any]]
    documents: dict[str, Any]


def _is_report(row: dict[str, Any]) -> bool:
    """Return whether a row has sentences, and says of which run or topic."""
    parts = _parts(row)
    if parts is None or any(not isinstance(part, dict) or "text" not in part for part in parts):
        return False
    if "answer" in row and not row.keys() & {"references", "metadata"}:
        return False
    return any(_value(row, name) is not None for name in (*RUNS, *TOPICS))


def _signature(sample: FileSample) -> Signature | None:
    share = sample.share_of_most(_is_report)
    if not share:
        return None
    reason = Sentence("one sentence per row, citing documents")
    return Signature(0.95 + 0.05 * share, (reason,))


def _reader(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow]:
    met: set[bytes] = set()
    for source in rows:
        report = _report(source.values)
        if isinstance(report, FormatFault):
            yield FaultyRow(source, report)
            continue
        if report.topic_text and _is_new(met, "topic", report.topic):
            quoted = {"topic": report.topic, "query": report.topic_text}
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, quoted)
        for key, document in report.documents.items():
            passage = _passage(key, document)
            if isinstance(passage, FormatFault):
                yield FaultyRow(source, passage)
            elif _is_new(met, report.topic, *passage.values()):
                of_topic = {"topic": report.topic, **passage}
                yield FormatRow(source, RowKind.PASSAGES, of_topic)
        values: dict[str, Any] = {
            "run_id": report.run,
            "topic_id": report.topic,
            "references": report.references,
            "answer": report.sentences,
        }
        yield FormatRow(source, RowKind.RAG_ANSWERS, values)


def _report(row: Any) -> RunReport | FormatFault:
    if not isinstance(row, dict):
        return FormatFault("", Sentence("is not an object with fields"))
    parts = _parts(row)
    if parts is None:
        return FormatFault("", Sentence("has no list of sentences"))
    sentences = []
    for number, part in enumerate(parts, start=1):
        sentence = _sentence(part)
        if isinstance(sentence, Sentence):
            reason = Sentence("sentence {number} {reason}", number=number, reason=sentence)
            return FormatFault(next(name for name in PARTS if row.get(name) is parts), reason)
        sentences.append(sentence)
    references, documents = row.get("references"), row.get("documents")
    return RunReport(
        run=_first(row, RUNS),
        topic=_first(row, TOPICS),
        topic_text=_first(row, TOPIC_TEXTS),
        references=references if isinstance(references, list) else [],
        sentences=sentences,
        documents=documents if isinstance(documents, dict) else {},
    )


def _sentence(part: Any) -> dict[str, Any] | Sentence:
    """Return a sentence with the list of what it cites, or why it cannot be read."""
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        return Sentence("has no text")
    citations = part.get("citations") if isinstance(part, dict) else None
    if isinstance(citations, dict):
        citations = _best_first(citations)
    elif citations is None:
        citations = []
    elif not isinstance(citations, list) or not all(map(_may_cite, citations)):
        return Sentence("citations must be numbers or document IDs")
    return {"text": text, "citations": citations}


def _best_first(scores: dict[str, Any]) -> list[str]:
    """Return documents by their scores; as they come where a score is no number."""
    if all(type(score) in (int, float) for score in scores.values()):
        return sorted(scores, key=lambda key: -scores[key])
    return list(scores)


def _may_cite(citation: Any) -> bool:
    return isinstance(citation, str) or type(citation) is int


def _passage(key: str, document: Any) -> dict[str, str] | FormatFault:
    text = document.get("text") if isinstance(document, dict) else document
    if not isinstance(text, str):
        return FormatFault("documents", Sentence("{key!r} has no text", key=key[:80]))
    title = document.get("title") if isinstance(document, dict) else None
    titled = {"title": title} if isinstance(title, str) and title.strip() else {}
    return {"passage": key, "text": text, **titled}


# -- Fields --------------------------------------------------------------------------------------
def _parts(row: dict[str, Any]) -> list[Any] | None:
    return next((row[name] for name in PARTS if isinstance(row.get(name), list)), None)


def _value(row: dict[str, Any], path: str) -> Any:
    """Return the value at a path of one or two names."""
    outer, _, inner = path.partition(".")
    value = row.get(outer)
    if not inner:
        return value
    return value.get(inner) if isinstance(value, dict) else None


def _first(row: dict[str, Any], paths: Iterable[str]) -> str:
    """Return the first of these values that is a text or a whole number, as a text."""
    for path in paths:
        value = _value(row, path)
        if (isinstance(value, str) and value.strip()) or type(value) is int:
            return str(value).strip()
    return ""


def _is_new(met: set[bytes], *parts: str) -> bool:
    digest = blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=16).digest()
    is_new = digest not in met
    met.add(digest)
    return is_new


FORMAT = FileFormat(
    name="trec_reports",
    title=marked("answers cited by sentence (TREC RAG, RAGTIME, NeuCLIR)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.PASSAGES, RowKind.RAG_ANSWERS),
    reader=_reader,
    reads=(*RUNS, *TOPICS, *TOPIC_TEXTS, "references", *SENTENCES, *DOCUMENTS),
    system="run_id",
)
