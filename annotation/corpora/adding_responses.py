"""Adding texts of a writing study to the corpus, with their citations and statements."""

from collections.abc import Sequence

from annotation.models import (
    Citation,
    Origin,
    Passage,
    Response,
    Segment,
    System,
    Topic,
    Worker,
)
from annotation.texts.citations import cited_places
from annotation.texts.statements import statements
from annotation.texts.words import count_words


def add_response(
    *,
    topic: Topic,
    key: str,
    style: str,
    origin: Origin,
    text: str,
    passages: Sequence[Passage],
    author: Worker | None = None,
    system: System | None = None,
) -> Response:
    """Create a response that cites these passages by their place, from 0.

    A number without a passage is no citation: it stays in the text and makes no row.
    """
    response = Response.objects.create(
        corpus_id=topic.corpus_id,
        topic=topic,
        key=key,
        style=style,
        origin=origin,
        author=author,
        system=system,
        text=text,
        words=count_words(text),
    )
    cited = [place for place in cited_places(text) if place < len(passages)]
    Citation.objects.bulk_create(
        Citation(response=response, passage=passages[place], position=position)
        for position, place in enumerate(cited, start=1)
    )
    _add_statements(response, passages)
    return response


def _add_statements(response: Response, passages: Sequence[Passage]) -> None:
    """Create its statements as segments, on lines from 1; pieces without words are skipped."""
    pieces = [piece for piece in statements(response.text) if piece.text]
    segments = Segment.objects.bulk_create(
        Segment(response=response, kind=Segment.Kind.STATEMENT, line=line, text=piece.text)
        for line, piece in enumerate(pieces, start=1)
    )
    through = Segment.cited.through
    through.objects.bulk_create(
        through(segment_id=segment.pk, passage_id=passages[place].pk)
        for segment, piece in zip(segments, pieces, strict=True)
        for place in dict.fromkeys(piece.cited)
        if place < len(passages)
    )
