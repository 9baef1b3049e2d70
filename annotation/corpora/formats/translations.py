"""Tables of judged translations: MQM, ESA and SQM of WMT. Pure.

MQM has a row for each error of a segment: its category and severity, with the error between
<v> and </v> in the target. The errors of a rater in a segment make one score, by the weights of
Google's MQM (Freitag et al. 2021): 25 for a non-translation or a critical error, 5 for a major one,
1 for a minor one, 0.1 for minor punctuation; the score is their negative sum, as WMT publishes it.
ESA and SQM have the score in a column. The spans themselves are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

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
from annotation.corpora.formats.reranking import digest, first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

SOURCES, TARGETS = ("source", "src"), ("target", "tgt")
SEGMENTS = ("globalsegid", "seg_id", "line_id", "segment_id", "docsegid", "itemid")
DOCUMENTS = ("doc", "doc_id", "document_id", "documentid")
SCORES = ("esa_score", "score", "mqm_score", "raw_score", "da_score")
RATERS = ("rater", "annotator", "user_id", "login")
ERRORS = ("category", "severity")
SPAN = re.compile(r"</?v>")
SPANS = marked("marked error spans")
WORDINGS = marked("additional versions of a translation")
NON_TRANSLATION, CRITICAL, MAJOR, MINOR, PUNCTUATION = 25.0, 25.0, 5.0, 1.0, 0.1
UNCOUNTED = ("source error", "source issue")  # an error of the source is none of the system


def _signature(sample: FileSample) -> Signature | None:
    rows = sample.objects()
    share = sum(_is_judged(_lowered(row)) for row in rows) / len(sample.rows) if rows else 0
    if share <= 1 / 2:
        return None
    return Signature(1, (Sentence("one judged translation per row"),))


def _lowered(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name.strip().casefold(): value for name, value in row.items()}


def _is_judged(row: Mapping[str, Any]) -> bool:
    has_texts = _text(row, SOURCES) is not None and _text(row, TARGETS) is not None
    is_judged = set(ERRORS) <= row.keys() or any(name in row for name in SCORES)
    return has_texts and "system" in row and is_judged


def _text(row: Mapping[str, Any], names: Iterable[str]) -> str | None:
    value = next((row[name] for name in names if name in row), None)
    return value if isinstance(value, str) else None


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    topics: dict[str, str] = {}
    responses: dict[str, str] = {}
    errors: dict[tuple[str, str], tuple[SourceRow, dict[str, str], float]] = {}
    for source in rows:
        row = _lowered(source.values) if isinstance(source.values, dict) else {}
        if not _is_judged(row):
            yield FaultyRow(source, FormatFault("target", Sentence("is not a judged translation")))
            continue
        query = SPAN.sub("", _text(row, SOURCES) or "").strip()
        text = SPAN.sub("", _text(row, TARGETS) or "").strip()
        topic, system = _segment(row, query), str(row["system"]).strip()
        key = f"{topic}/{system}"
        if topic not in topics:
            topics[topic] = query
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": query})
        if key not in responses:
            responses[key] = text
            values = {"response": key, "topic": topic, "text": text, "system": system}
            yield FormatRow(source, RowKind.RESPONSES, values)
        elif responses[key] != text:  # a slip where an error was marked
            yield LeftOutCounts(source, {WORDINGS: 1})
        rater = first_text(row, RATERS)
        label = {"topic": topic, "response": key} | ({"rater": rater} if rater else {})
        if set(ERRORS) <= row.keys():
            place, first_label, total = errors.get((key, rater), (source, label, 0.0))
            errors[key, rater] = place, first_label, total + weight(row)
            yield LeftOutCounts(source, {SPANS: 1} if _is_error(row) else {})
        elif (score := _score(row)) is not None:
            yield ForeignLabel(source, {**label, "value": score})
    for place, label, total in errors.values():
        yield ForeignLabel(place, {**label, "value": f"{0 - total:.4g}"})


def _segment(row: Mapping[str, Any], query: str) -> str:
    document, segment = first_text(dict(row), DOCUMENTS), first_text(dict(row), SEGMENTS)
    languages = first_text(dict(row), ("langs", "lp"))
    return "/".join(filter(None, (languages, document, segment))) if segment else digest(query)


def _score(row: Mapping[str, Any]) -> str | None:
    value = next((row[name] for name in SCORES if name in row), None)
    if value is None or isinstance(value, list | dict | bool) or not str(value).strip():
        return None
    return f"{value:.15g}" if isinstance(value, float) else str(value).strip()


def _is_error(row: Mapping[str, Any]) -> bool:
    return weight(row) > 0


def weight(row: Mapping[str, Any]) -> float:
    """Return how much an error counts against its segment."""
    category = str(row["category"] or "").strip().casefold()
    severity = str(row["severity"] or "").strip().casefold()
    if category.startswith(UNCOUNTED) or category in ("no-error", "no error"):
        return 0.0
    if category.startswith("non-translation"):
        return NON_TRANSLATION
    if severity == "minor" and category.startswith("fluency/punctuation"):
        return PUNCTUATION
    return {"critical": CRITICAL, "major": MAJOR, "minor": MINOR}.get(severity, 0.0)


FORMAT = FileFormat(
    name="translations",
    title=marked("judged translations (WMT: MQM, ESA, SQM)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_reader,
    reads=(
        "globalSegId",
        "docSegId",
        *SOURCES,
        *TARGETS,
        *SEGMENTS,
        *DOCUMENTS,
        *SCORES,
        *RATERS,
        *ERRORS,
        "system",
    ),
    system="system",
    labels=True,
)
