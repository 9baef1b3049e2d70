"""Requests for reports as topics: RAGTIME, NeuCLIR 2024. Pure.

A request has a problem statement, the background of whoever asks, a title and a limit of length.
"""

from collections.abc import Iterable, Iterator

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

IDS = ("request_id", "topic_id", "id")
DESCRIBING = ("title", "background")


def _signature(sample: FileSample) -> Signature | None:
    if not {"problem_statement"} <= set(sample.names) or not set(IDS) & set(sample.names):
        return None
    return Signature(1, (Sentence("each row has a problem statement"),))


def _reader(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow]:
    for source in rows:
        request = source.values if isinstance(source.values, dict) else {}
        key = next((request[name] for name in IDS if request.get(name) not in (None, "")), "")
        query = request.get("problem_statement")
        if not isinstance(query, str) or not query.strip():
            fault = FormatFault("problem_statement", Sentence("is missing"))
            yield FaultyRow(source, fault)
            continue
        parts = [request[name] for name in DESCRIBING if isinstance(request.get(name), str)]
        values = {"topic": str(key), "query": query, "description": "\n\n".join(parts)}
        yield FormatRow(source, RowKind.TOPICS, values)


FORMAT = FileFormat(
    name="report_requests",
    title=marked("report requests (RAGTIME, NeuCLIR)"),
    signature=_signature,
    brings=(RowKind.TOPICS,),
    reader=_reader,
    reads=(*IDS, "problem_statement", *DESCRIBING),
)
