"""Topics as cards: the texts of each, by people and models alike, ranked by one question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from analysis.inputs.measures import Does
from analysis.results.found import Found
from analysis.results.pages.responses import (
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
    """A text in its topic. `place` is 1 for the best; None without a value on the question.

    `cell` has value, low, high and n on the question that ranks; `others` the names and cells of
    the other ones.
    """

    row: ResponseRow
    place: int | None
    shared: bool
    cell: dict[str, Any] | None
    others: list[tuple[str, dict[str, Any]]]
    text: str
    words: int

    @property
    def name(self) -> str:
        """Of the system, or what kind of writer it was."""
        by = {str(origin.label): str(name) for origin, name in WRITERS.items()}
        return self.row.system or by.get(self.row.origin, self.row.origin)


@dataclass(frozen=True)
class TopicCard:
    key: str
    query: str
    texts: list[RankedText]


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


def cards(
    topics: Sequence[Sequence[ResponseRow]], *, question: int, names: Sequence[str]
) -> list[TopicCard]:
    """Cards of a few topics, with their texts; `question` is the place of the one that ranks."""
    pks = [row.pk for rows in topics for row in rows]
    read = Response.objects.filter(pk__in=pks).values_list("pk", "text", "words")
    texts = {pk: (text, words) for pk, text, words in read}
    return [
        TopicCard(rows[0].topic, rows[0].query, _ranked(rows, question, names, texts))
        for rows in topics
    ]


def _ranked(
    rows: Sequence[ResponseRow],
    question: int,
    names: Sequence[str],
    texts: dict[int, tuple[str, int]],
) -> list[RankedText]:
    """The best first; what has no value comes last, without a place. Equal ones share a place."""
    values = [cell["value"] for row in rows if (cell := row.cells[question])]

    def place(row: ResponseRow) -> int | None:
        cell = row.cells[question]
        return None if cell is None else 1 + sum(each > cell["value"] for each in values)

    ranked = [
        RankedText(
            row=row,
            place=place(row),
            shared=(cell := row.cells[question]) is not None and values.count(cell["value"]) > 1,
            cell=cell,
            others=[
                (name, other)
                for at, (name, other) in enumerate(zip(names, row.cells, strict=True))
                if at != question and other
            ],
            text=texts[row.pk][0],
            words=texts[row.pk][1],
        )
        for row in rows
    ]
    return sorted(ranked, key=lambda each: each.place or len(ranked) + 1)


def ranked_context(found: Found, request: HttpRequest) -> dict[str, Any]:
    """Topics as cards with their texts, ranked by the question that is asked for."""
    rows = scored(found)
    titles = {measure.key: measure.title for measure in found.scored}
    keys, asked = list(titles), request.GET.get("question", "")
    question = asked if asked in keys else found.headline
    graded = [each.key for each in found.scored if each.does == Does.COMPARES]
    sought = paging.sought(request)
    topics = matching(by_topic(rows), corpus=found.run.study.corpus_id, sought=sought)
    page = paging.page_of(topics, request, rows_a_page=TOPICS_A_PAGE)
    return {
        "questions": found.scored,
        "responses": len(rows),
        "decimals": -1 if question in graded else 2,  # a grade is whole or, when shared, a half
        "page": page,
        "q": sought,
        "question": question,
        "cards": cards(
            _with_scores(found, list(page.object_list)),
            question=keys.index(question) if question else 0,
            names=list(titles.values()),
        ),
    }


def _with_scores(found: Found, topics: Sequence[Sequence[Scored]]) -> list[Topic]:
    """The topics of a page, with what is known of their texts."""
    return by_topic(response_rows(found, topics=[texts[0].topic for texts in topics]))


def scored_context(found: Found, request: HttpRequest) -> dict[str, Any]:
    """The same, with the means of systems and styles."""
    return ranked_context(found, request) | compared_context(found, request)
