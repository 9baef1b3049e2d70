"""Topics as cards: the texts of each, by people and models alike, ranked by one question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from analysis.pages.results.comparable import Unplaced, graded_in, unplaced_of
from analysis.pages.results.found import Found
from analysis.pages.results.pages.responses import (
    ResponseRow,
    Scored,
    compared_context,
    response_rows,
    scored,
)
from annotation.console import paging
from annotation.models import Response
from annotation.models.corpus import Origin

Topic = list[ResponseRow]
Row = TypeVar("Row", ResponseRow, Scored)
TOPICS_A_PAGE = 8
WRITERS = {
    Origin.HUMAN: gettext_lazy("Human writer"),
    Origin.LLM: gettext_lazy("Language model"),
}


@dataclass(frozen=True)
class RankedText:
    """A text in its topic. `place` is 1 for the best; None without a value on the question, or
    where nothing tells the texts apart.

    `cell` has value, low, high and n on the question that ranks; `others` has the names of the
    other ones, with what the text has there: its place, where a question does nothing but rank, or
    a value. `places`: from which place to which it may be, where the question does nothing but
    rank.
    """

    row: ResponseRow
    place: int | None
    shared: bool
    cell: dict[str, Any] | None
    others: list[tuple[str, int | None, float]]
    text: str
    words: int
    places: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """Of the system, or what kind of writer it was."""
        by = {str(origin.label): str(name) for origin, name in WRITERS.items()}
        return self.row.system or by.get(self.row.origin, self.row.origin)


@dataclass(frozen=True)
class TopicCard:
    """`why` its texts have no place on the question that ranks; empty where they have."""

    key: str
    query: str
    texts: list[RankedText]
    why: str = ""


@dataclass(frozen=True)
class Ranking:
    """The questions (keys, and what they are called) of which one ranks; those that are `graded` do
    nothing but rank; `unplaced` says of what topics they say nothing."""

    names: Mapping[str, str]
    by: str
    graded: Collection[str]
    unplaced: Unplaced

    @property
    def at(self) -> int:
        return [*self.names].index(self.by) if self.by else 0


def by_topic(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of each topic together, whoever wrote them, in the order of the first ones."""
    topics: dict[str, list[Row]] = {}
    for row in rows:
        topics.setdefault(row.topic, []).append(row)
    return list(topics.values())


def matching(topics: list[list[Scored]], *, corpus: int, sought: str) -> list[list[Scored]]:
    """The topics in which something is found: in the query, or in a text, its key or system."""
    if not sought:
        return topics
    asked = (
        Q(topic__query__icontains=sought)
        | Q(text__icontains=sought)
        | Q(key__icontains=sought)
        | Q(system__name__icontains=sought)
    )
    found = set(Response.objects.filter(asked, corpus=corpus).values_list("pk", flat=True))
    return [rows for rows in topics if any(row.pk in found for row in rows)]


def cards(topics: Sequence[Sequence[ResponseRow]], ranking: Ranking) -> list[TopicCard]:
    """Cards of a few topics, with their texts."""
    pks = [row.pk for rows in topics for row in rows]
    read = Response.objects.filter(pk__in=pks).values_list("pk", "text", "words")
    texts = {pk: (text, words) for pk, text, words in read}
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
    rows: Sequence[ResponseRow], ranking: Ranking, texts: dict[int, tuple[str, int]]
) -> list[RankedText]:
    """The best first; what has no value comes last, without a place. Equal ones share a place."""
    at, graded = ranking.at, ranking.by in ranking.graded
    places = _places(rows, at, ranking)
    ranked = [
        RankedText(
            row=row,
            place=place,
            shared=place is not None and places.count(place) > 1,
            cell=row.cells[at],
            others=_others(rows, number, ranking),
            text=texts[row.pk][0],
            words=texts[row.pk][1],
            places=_between(row.cells[at], rows, at) if graded and place else None,
        )
        for number, (row, place) in enumerate(zip(rows, places, strict=True))
    ]
    return sorted(ranked, key=lambda each: each.place or len(ranked) + 1)


def _places(rows: Sequence[ResponseRow], at: int, ranking: Ranking) -> list[int | None]:
    """The place of each text of a topic by the question at this place of the list."""
    if ([*ranking.names][at], rows[0].topic) in ranking.unplaced:
        return [None] * len(rows)
    values = [cell["value"] for row in rows if (cell := row.cells[at])]
    return [
        None if cell is None else 1 + sum(each > cell["value"] for each in values)
        for cell in (row.cells[at] for row in rows)
    ]


def _between(
    cell: dict[str, Any] | None, rows: Sequence[ResponseRow], at: int
) -> tuple[float, float] | None:
    """From which place to which: grades count from the worst up, places from the best down."""
    if cell is None or cell["low"] is None:
        return None
    last = 1 + sum(row.cells[at] is not None for row in rows)
    return last - cell["high"], last - cell["low"]


def _others(
    rows: Sequence[ResponseRow], number: int, ranking: Ranking
) -> list[tuple[str, int | None, float]]:
    found = []
    for at, (key, name) in enumerate(ranking.names.items()):
        cell = rows[number].cells[at]
        if at != ranking.at and cell:
            place = _places(rows, at, ranking)[number] if key in ranking.graded else None
            if place or key not in ranking.graded:
                found.append((name, place, cell["value"]))
    return found


def ranked_context(found: Found, request: HttpRequest) -> dict[str, Any]:
    """Topics as cards with their texts, ranked by the question that is asked for."""
    rows = scored(found)
    titles = {measure.key: measure.title for measure in found.scored}
    keys, asked = list(titles), request.GET.get("question", "")
    question = asked if asked in keys else found.headline
    graded = graded_in(found)
    sought = paging.sought(request)
    topics = matching(by_topic(rows), corpus=found.run.study.corpus_id, sought=sought)
    page = paging.page_of(topics, request, rows_a_page=TOPICS_A_PAGE)
    unplaced = unplaced_of(found, [texts[0].topic for texts in page.object_list])
    return {
        "questions": found.scored,
        "responses": len(rows),
        "is_graded": question in graded,
        "page": page,
        "q": sought,
        "question": question,
        "cards": cards(
            _with_scores(found, list(page.object_list)),
            Ranking(titles, question, graded, unplaced),
        ),
    }


def _with_scores(found: Found, topics: Sequence[Sequence[Scored]]) -> list[Topic]:
    """The topics of a page, with what is known of their texts."""
    return by_topic(response_rows(found, topics=[texts[0].topic for texts in topics]))


def scored_context(found: Found, request: HttpRequest) -> dict[str, Any]:
    """The same, with the means of systems and styles."""
    return ranked_context(found, request) | compared_context(found, request)
