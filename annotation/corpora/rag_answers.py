"""Answers of TREC RAG as responses, with their sentences as statements."""

from collections.abc import Iterable, Iterator, Mapping

from annotation.corpora.foreign_rows import RagAnswerRow
from annotation.corpora.rows import ResponseRow
from annotation.corpora.summaries import Pool, PoolPlace
from annotation.models import Response, Segment, Style

Parts = Iterator[tuple[Segment, list[int]]]  # a part, and the ids of the passages it cites


def as_response(row: RagAnswerRow, known: Mapping[str, PoolPlace]) -> ResponseRow:
    """Return the whole text, with citations by the passage's number in the pool."""
    sentences = []
    for text, keys in row.sentences():
        numbers = ", ".join(str(known[key].number) for key in keys if key in known)
        sentences.append(f"{text} [{numbers}]" if numbers else text)
    return ResponseRow(
        response=row.key,
        topic=row.of_topic,
        style=Style.FREE,
        text=" ".join(sentences),
        system=row.run,
    )


def statements(
    responses: Mapping[str, Response], rows: Iterable[RagAnswerRow], pool: Pool
) -> Parts:
    """Yield the sentences of new responses, one line each."""
    for row in rows:
        known = pool.get(row.of_topic, {})
        for line, (text, keys) in enumerate(row.sentences(), start=1):
            statement = Segment(
                response=responses[row.key], kind=Segment.Kind.STATEMENT, line=line, text=text
            )
            yield statement, [known[key].pk for key in keys if key in known]
