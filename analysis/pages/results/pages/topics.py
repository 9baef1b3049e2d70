"""Topics as cards: their texts, ranked by one question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext

from analysis.pages.results.pages.first_sight import at_first_sight
from analysis.pages.results.pages.responses import (
    ResponseScores,
    ScoredResponse,
    compared_context,
    response_rows,
    scored,
)
from analysis.pages.results.rankable import Unplaced, graded_in, unplaced_of
from analysis.pages.results.run_results import RunResults
from annotation.console.shown_texts import texts_of
from annotation.corpora.text_names import WRITERS
from annotation.lists import page_of, search_words
from annotation.models import Response
from annotation.texts.citations import Marks, marks_in

Topic = list[ResponseScores]
Row = TypeVar("Row", ResponseScores, ScoredResponse)
TOPICS_FIRST, TOPICS_A_PAGE = 1, 8


class SavedText(NamedTuple):
    """A text as it is stored, with the marks of its citations."""

    text: str
    words: int
    marks: Marks


@dataclass(frozen=True)
class RankedText:
    """Text in its topic.

    place: its rank, 1 for the best; None without a value, or where nothing tells the texts apart.
    cell: value, low, high and n on the ranking question. others: the names of other questions with
    the rank or value there. places: the range of the rank, if the question only ranks.
    """

    row: ResponseScores
    place: int | None
    shared: bool
    cell: dict[str, Any] | None
    others: list[tuple[str, int | None, float]]
    text: str
    words: int
    marks: Marks
    places: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """Name of the system, or the kind of writer."""
        by = {str(origin.label): gettext(name) for origin, name in WRITERS.items()}
        return self.row.system or by.get(self.row.origin, self.row.origin)


@dataclass(frozen=True)
class TopicCard:
    """Topic with its texts; `why` is the reason if they have no ranks."""

    key: str
    query: str
    texts: list[RankedText]
    why: str = ""


@dataclass(frozen=True)
class TopicRanking:
    """Questions (keys and names), one of which ranks.

    `graded` ones only rank; `unplaced` has the topics without ranks.
    """

    names: Mapping[str, str]
    by: str
    graded: Collection[str]
    unplaced: Unplaced

    @property
    def at(self) -> int:
        return [*self.names].index(self.by) if self.by else 0


def by_topic(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows grouped by topic, in the order of the first ones."""
    topics: dict[str, list[Row]] = {}
    for row in rows:
        topics.setdefault(row.topic, []).append(row)
    return list(topics.values())


def matching(
    topics: list[list[ScoredResponse]], *, corpus: int, sought: str
) -> list[list[ScoredResponse]]:
    """Return the topics whose query, or a text, its key or system, contains a text."""
    if not sought:
        return topics
    condition = (
        Q(topic__query__icontains=sought)
        | Q(text__icontains=sought)
        | Q(key__icontains=sought)
        | Q(system__name__icontains=sought)
    )
    pks = set(Response.objects.filter(condition, corpus=corpus).values_list("pk", flat=True))
    return [rows for rows in topics if any(row.pk in pks for row in rows)]


def cards(topics: Sequence[Sequence[ResponseScores]], ranking: TopicRanking) -> list[TopicCard]:
    """Return cards of a few topics, with their texts."""
    pks = [row.pk for rows in topics for row in rows]
    read = Response.objects.filter(pk__in=pks).values_list("pk", "text", "words", "marks")
    texts = {pk: SavedText(text, words, marks_in(text, marks)) for pk, text, words, marks in read}
    return [
        TopicCard(
            rows[0].topic,
            rows[0].query,
            _ranked(rows, ranking, texts),
            ranking.unplaced.get((ranking.by, rows[0].topic), ""),
        )
        for rows in topics
    ]


def _ranked(
    rows: Sequence[ResponseScores], ranking: TopicRanking, texts: dict[int, SavedText]
) -> list[RankedText]:
    """Return the texts, best first and those without a value last; equals share a place."""
    at, graded = ranking.at, ranking.by in ranking.graded
    places = _places(rows, at, ranking)
    ranked = [
        RankedText(
            row=row,
            place=place,
            shared=place is not None and places.count(place) > 1,
            cell=row.cells[at],
            others=_others(rows, number, ranking),
            text=texts[row.pk].text,
            words=texts[row.pk].words,
            marks=texts[row.pk].marks,
            places=_between(row.cells[at], rows, at) if graded and place else None,
        )
        for number, (row, place) in enumerate(zip(rows, places, strict=True))
    ]
    return sorted(ranked, key=lambda each: each.place or len(ranked) + 1)


def _places(rows: Sequence[ResponseScores], at: int, ranking: TopicRanking) -> list[int | None]:
    """Return the rank of each text of a topic by a question."""
    if ([*ranking.names][at], rows[0].topic) in ranking.unplaced:
        return [None] * len(rows)
    values = [cell["value"] for row in rows if (cell := row.cells[at])]
    return [
        None if cell is None else 1 + sum(value > cell["value"] for value in values)
        for cell in (row.cells[at] for row in rows)
    ]


def _between(
    cell: dict[str, Any] | None, rows: Sequence[ResponseScores], at: int
) -> tuple[float, float] | None:
    """Return the range of ranks: grades count from the worst up, ranks from the best down."""
    if cell is None or cell["low"] is None:
        return None
    last = 1 + sum(row.cells[at] is not None for row in rows)
    return last - cell["high"], last - cell["low"]


def _others(
    rows: Sequence[ResponseScores], number: int, ranking: TopicRanking
) -> list[tuple[str, int | None, float]]:
    cells = []
    for at, (key, name) in enumerate(ranking.names.items()):
        cell = rows[number].cells[at]
        if at != ranking.at and cell:
            place = _places(rows, at, ranking)[number] if key in ranking.graded else None
            if place or key not in ranking.graded:
                cells.append((name, place, cell["value"]))
    return cells


def ranked_context(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    """Return topics as cards, ranked by the requested question."""
    rows = scored(found)
    titles = {measure.key: measure.title for measure in found.scored}
    keys, wanted = list(titles), request.GET.get("question", "")
    question = wanted if wanted in keys else found.headline
    graded = graded_in(found)
    sought = search_words(request)
    topics = matching(by_topic(rows), corpus=found.run.study.corpus_id, sought=sought)
    page = page_of(
        topics, request, rows_a_page=at_first_sight(request, TOPICS_FIRST, TOPICS_A_PAGE)
    )
    unplaced = unplaced_of(found, [texts[0].topic for texts in page.object_list])
    return {
        "questions": found.scored,
        "responses": len(rows),
        "is_graded": question in graded,
        "page": page,
        "q": sought,
        "question": question,
        "texts": texts_of(found.run.study),
        "cards": cards(
            _with_scores(found, list(page.object_list)),
            TopicRanking(titles, question, graded, unplaced),
        ),
    }


def _with_scores(found: RunResults, topics: Sequence[Sequence[ScoredResponse]]) -> list[Topic]:
    """Return the topics of a page with the scores of their texts."""
    return by_topic(response_rows(found, topics=[texts[0].topic for texts in topics]))


def scored_context(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    """Return the same, with the means of systems and styles."""
    return ranked_context(found, request) | compared_context(found, request)
