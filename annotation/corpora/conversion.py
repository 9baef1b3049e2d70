"""Files of other systems as rows of a corpus. Only reads."""

from collections.abc import Iterable, Iterator

import msgspec
from django.utils.translation import gettext

from annotation.corpora.foreign_rows import AnswerRow, DocumentRow, QueryRow, RagTopicRow
from annotation.corpora.formats import trec
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.rows import (
    CorpusRow,
    CountedFrom,
    PassageRow,
    RankingRow,
    TopicRow,
)
from annotation.corpora.schema import RowKind

Rows = Iterator[tuple[int, CorpusRow | FormatFault]]


class NotTrec(ValueError):
    """The file is none of those of TREC that a corpus can have."""


def trec_kind(first: str) -> RowKind | None:
    """Return the kind of a TREC file by its first line that is not blank."""
    cells = first.split()
    if len(cells) == len(trec.RUN) and trec.WHOLE.fullmatch(cells[3]):
        return RowKind.RANKINGS
    return RowKind.TOPICS if first.lstrip().startswith("<top") or "\t" in first else None


def trec_rows(first: str, lines: Iterable[str], kind: RowKind | None) -> tuple[Rows, RowKind]:
    """Return the rows of a TREC file and their kind. Raises NotTrec."""
    kind = kind or trec_kind(first)
    if kind is RowKind.RANKINGS:
        return _rankings(lines), kind
    if kind is RowKind.TOPICS:
        is_tagged = first.lstrip().startswith("<")
        return _topics(trec.topics(lines) if is_tagged else trec.topic_table(lines)), kind
    raise NotTrec(
        gettext("contains neither TREC topics nor a run (six columns): {run}").format(
            run=", ".join(trec.RUN)
        )
    )


def _rankings(lines: Iterable[str]) -> Rows:
    for number, ranked in trec.run(lines):
        yield number, ranked if isinstance(ranked, FormatFault) else _ranking(ranked)


def _ranking(ranked: trec.RankedPassage) -> RankingRow:
    return RankingRow(
        system=ranked.system,
        topic=ranked.topic,
        passage=ranked.passage,
        rank=ranked.rank,
        score=ranked.score,
    )


def _topics(numbered: Iterable[tuple[int, trec.TrecTopic | FormatFault]]) -> Rows:
    for number, topic in numbered:
        if isinstance(topic, FormatFault):
            yield number, topic
        else:
            description = "\n\n".join(filter(None, (topic.description, topic.narrative)))
            yield number, TopicRow(topic=topic.key, query=topic.title, description=description)


def translated(row: CorpusRow) -> CorpusRow:
    """Convert a row of RAGElo or TREC RAG to ours, with ranks from 1."""
    match row:
        case QueryRow() | RagTopicRow():
            return row.topic_row()
        case DocumentRow():
            return row.passage_row()
        case AnswerRow():
            return row.response_row()
        case PassageRow(ranks_from=CountedFrom.ZERO, rank=int(rank)):
            return msgspec.structs.replace(row, rank=rank + 1, ranks_from=None)
        case RankingRow(ranks_from=CountedFrom.ZERO, rank=rank):
            return msgspec.structs.replace(row, rank=rank + 1, ranks_from=None)
        case PassageRow(ranks_from=CountedFrom.ONE) | RankingRow(ranks_from=CountedFrom.ONE):
            return msgspec.structs.replace(row, ranks_from=None)
    return row
