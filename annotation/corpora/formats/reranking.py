"""Retrieved candidates of rerankers and generators: rank_llm, ragnarok, nuggetizer, Pyserini. Pure.

A line is a query (`qid` and `text`, or a text alone) with its candidates, the best one first:
`docid`, `score`, perhaps `rank`, and `doc`, which is a text or an object with it. The text of a
passage is called segment, contents, text, passage or body, by the collection it is from. The
ranking is that of the file: a line does not say which system made it.
"""

import math
from collections.abc import Iterable, Iterator
from hashlib import blake2b
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

IDS = ("qid", "query_id", "topic_id", "id")
DOCUMENT_IDS = ("docid", "doc_id", "pid", "id", "_id")
TEXTS = ("segment", "contents", "text", "passage", "body", "content")
SYSTEMS = ("run_id", "system", "ranker", "model")
CANDIDATES = "candidates"


def _signature(sample: FileSample) -> Signature | None:
    share = sample.share_of_most(_is_request)
    if not share:
        return None
    return Signature(0.95 + 0.05 * share, (Sentence("one query per row, with its candidates"),))


def _is_request(row: dict[str, Any]) -> bool:
    candidates = row.get(CANDIDATES)
    return "query" in row and isinstance(candidates, list) and all(map(_is_candidate, candidates))


def _is_candidate(candidate: Any) -> bool:
    if not isinstance(candidate, dict):
        return isinstance(candidate, str)
    return any(name in candidate for name in ("doc", *DOCUMENT_IDS, *TEXTS))


def _reader(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow]:
    met: dict[tuple[str, str], bytes] = {}
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        topic, query, system = _query(row)
        candidates = row.get(CANDIDATES)
        if not topic or not isinstance(candidates, list):
            field = CANDIDATES if topic else "query"
            yield FaultyRow(source, FormatFault(field, Sentence("is missing")))
            continue
        if query and _is_new(met, (topic, ""), query):
            values = {"topic": topic, "query": query}
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, values)
        for place, candidate in enumerate(candidates, start=1):
            yield from _rows(source, met, topic, system, place, candidate)


def _rows(
    source: SourceRow,
    met: dict[tuple[str, str], bytes],
    topic: str,
    system: str,
    place: int,
    candidate: Any,
) -> Iterator[FormatRow | FaultyRow]:
    """Yield a passage, and its place in the ranking; without a system it is that of the file."""
    key, title, text = _passage(candidate)
    if not text.strip():
        reason = Sentence("candidate {number} has no text", number=place)
        yield FaultyRow(source, FormatFault(CANDIDATES, reason))
        return
    keys = {"topic": topic, "passage": key or digest(text)}
    if _is_new(met, (topic, keys["passage"]), f"{title}\0{text}"):
        titled = {"title": title} if title.strip() else {}
        yield FormatRow(source, RowKind.PASSAGES, {**keys, "text": text, **titled})
    ranked = {"system": system, **keys, "rank": place, "score": _score(candidate)}
    yield FormatRow(source, RowKind.RANKINGS, ranked)


def _score(candidate: Any) -> float | None:
    score = candidate.get("score") if isinstance(candidate, dict) else None
    if not isinstance(score, int | float) or isinstance(score, bool):
        return None
    return float(score) if math.isfinite(score) else None


def _query(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return the id and the text of a query, and the system that has ranked its candidates."""
    query = row.get("query")
    outer = query if isinstance(query, dict) else row
    text = first_text(query, ("text", "query", "title")) if isinstance(query, dict) else query
    text = text if isinstance(text, str) else ""
    topic = first_text(outer, IDS) or first_text(row, IDS) or (digest(text) if text else "")
    return topic, text, first_text(row, SYSTEMS)


def _passage(candidate: Any) -> tuple[str, str, str]:
    """Return id, title and text."""
    if not isinstance(candidate, dict):
        return "", "", candidate if isinstance(candidate, str) else ""
    document = candidate.get("doc", candidate)
    if not isinstance(document, dict):
        document = {"text": document}
    key = first_text(candidate, DOCUMENT_IDS) or first_text(document, DOCUMENT_IDS)
    return key, first_text(document, ("title",)), first_text(document, TEXTS, strips=False)


def first_text(values: dict[str, Any], names: Iterable[str], *, strips: bool = True) -> str:
    """Return the first of these values that is a text or a whole number."""
    for name in names:
        value = values.get(name)
        if type(value) is int or (isinstance(value, str) and value.strip()):
            return str(value).strip() if strips else str(value)
    return ""


def digest(text: str) -> str:
    """Return an id for a text that came without one."""
    return blake2b(text.strip().encode("utf-8", "replace"), digest_size=6).hexdigest()


def _is_new(met: dict[tuple[str, str], bytes], key: tuple[str, str], content: str) -> bool:
    """Return whether a key is new, or has another content than before."""
    value = blake2b(content.encode("utf-8", "replace"), digest_size=16).digest()
    is_new = met.get(key) != value
    met.setdefault(key, value)
    return is_new


QUERY = tuple(f"query.{name}" for name in (*IDS, "text", "query", "title"))
DOCUMENT = tuple(f"{CANDIDATES}.doc.{name}" for name in ("title", *DOCUMENT_IDS, *TEXTS))
CANDIDATE = tuple(
    f"{CANDIDATES}.{name}" for name in ("score", "rank", "title", *DOCUMENT_IDS, *TEXTS)
)
FORMAT = FileFormat(
    name="reranking",
    title=marked("queries with ranked passages (rank_llm, ragnarok, nuggetizer)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.PASSAGES, RowKind.RANKINGS),
    reader=_reader,
    reads=(*IDS, *SYSTEMS, "query", *QUERY, *DOCUMENT, *CANDIDATE),
)
