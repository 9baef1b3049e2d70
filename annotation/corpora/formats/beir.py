"""Documents of BEIR: `corpus.jsonl`, with the judgments of `qrels/*.tsv`. Pure.

A document of BEIR belongs to no query. It becomes a passage of each topic for which it is judged;
documents that are judged for none are counted. Queries are topics, and judgments labels
(`judgments`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.corpora.formats import judgments
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    FormatRow,
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.formats.reranking import first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

KEY, TITLE, TEXT = "_id", "title", "text"
QUERY, DOCUMENT = "query-id", "corpus-id"
NOT_JUDGED = marked("documents without a judgment")


def _signature(sample: FileSample) -> Signature | None:
    is_corpus = "corpus" in sample.name.lower() or TITLE in sample.names
    if not is_corpus or not sample.share_of_most(_is_document):
        return None
    return Signature(0.97, (Sentence("one document per row, with “_id” and “text” (BEIR)"),))


def _is_document(row: Mapping[str, Any]) -> bool:
    names = {KEY, TITLE, TEXT, "metadata"}
    return {KEY, TEXT} <= row.keys() <= names and isinstance(row[TEXT], str)


def _joined(rows: Iterable[SourceRow], judged: Iterable[SourceRow]) -> Iterator[Read]:
    """Yield each document as a passage of the topics for which it is judged."""
    topics: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for judgment in judged:
        cells = judgment.values
        if isinstance(cells, dict) and cells.keys() >= {QUERY, DOCUMENT}:
            topics[first_text(cells, (DOCUMENT,))][first_text(cells, (QUERY,))] = None
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        if not topics:
            reason = Sentence("needs judgments: also upload qrels/*.tsv")
            yield FaultyRow(source, FormatFault(KEY, reason))
            return
        key = first_text(row, (KEY,))
        if not key or not isinstance(row.get(TEXT), str):
            yield FaultyRow(source, FormatFault(TEXT, Sentence("is not a text")))
        elif key not in topics:
            yield LeftOutCounts(source, {NOT_JUDGED: 1})
        else:
            title = first_text(row, (TITLE,))
            values = {"passage": key, "text": row[TEXT]} | ({"title": title} if title else {})
            for topic in topics[key]:
                yield FormatRow(source, RowKind.PASSAGES, {"topic": topic, **values})


def _alone(rows: Iterable[SourceRow]) -> Iterator[Read]:
    return _joined(rows, ())


FORMAT = FileFormat(
    name="beir_corpus",
    title=marked("test collection documents (BEIR)"),
    signature=_signature,
    brings=(RowKind.PASSAGES,),
    reader=_alone,
    joins=judgments.FORMAT.name,
    joined_reader=_joined,
    reads=(KEY, TITLE, TEXT),
)
