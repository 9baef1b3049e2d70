"""Grades or mean scores of responses, and their means over systems and styles."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext

from analysis.inputs.scores import response_scores
from analysis.pages.results.run_results import RunResults
from analysis.runs import findings
from annotation.models import Response
from annotation.models.corpus import Origin, Style

STYLES, ORIGINS = dict(Style.choices), dict(Origin.choices)
MOST_KEYS = 1_000  # in one query: to name more takes longer than to read a whole corpus


@dataclass(frozen=True)
class ResponseScores:
    """Scores of one response; one cell per scored measure."""

    pk: int
    response: str
    topic: str
    query: str
    style: str
    origin: str
    system: str
    cells: list[dict[str, Any] | None]  # value, low, high, n


class ScoredResponse(NamedTuple):
    """Response that has a score, read without it: there are tens of thousands."""

    pk: int
    topic: str


def scored_keys(found: RunResults) -> set[str]:
    """Return the keys of all responses with a score by some measure."""
    return found.kept("scored", lambda: set(response_scores(found.run)["response"]))


def scored(found: RunResults) -> list[ScoredResponse]:
    """Return the scored responses that still exist, in order."""
    keys = scored_keys(found)
    rows = _named(found, keys).values_list("pk", "topic__key", "key")
    return [ScoredResponse(pk, topic) for pk, topic, key in rows if key in keys]


def _named(found: RunResults, keys: Collection[str]) -> "QuerySet[Response]":
    """Return the responses with these keys, and perhaps others."""
    responses = Response.objects.filter(corpus=found.run.study.corpus_id).order_by("pk")
    return responses.filter(key__in=keys) if len(keys) <= MOST_KEYS else responses


def response_rows(
    found: RunResults, *, topics: Collection[str] | None = None
) -> list[ResponseScores]:
    """Return responses with their scores by every measure, optionally of these topics."""
    run, keys = found.run, [measure.key for measure in found.scored]
    cells: dict[str, dict[str, Any]] = {}
    for row in findings.records(response_scores(run, topics=topics)):
        cells.setdefault(row["response"], {})[row["question"]] = row
    responses = _named(found, cells)
    # As plain values: a model of each of thousands takes ten times as long as they do.
    read = responses.values_list(
        "pk", "key", "topic__key", "topic__query", "style", "origin", "system__name"
    )
    return [
        ResponseScores(
            pk,
            key,
            topic,
            query,
            str(STYLES.get(style, style)),
            str(ORIGINS.get(origin, origin)),
            system or "",
            [cells[key].get(question) for question in keys],
        )
        for pk, key, topic, query, style, origin, system in read
        if key in cells
    ]


@dataclass(frozen=True)
class GroupRow:
    """Mean of a group (system, or style and origin) over n topics; one cell per question.

    `key` is the group as the run names it.
    """

    group: str
    n: int
    cells: list[dict[str, Any] | None]  # value, low, high, n, letters
    key: str = ""


def compared_rows(found: RunResults, *, by: str) -> list[GroupRow]:
    """Return mean scores of the compared groups ("system" or "style, origin").

    A cell has the letters beside value, low, high and n (topics): groups that share one do not
    differ significantly. A group without an interval was compared with none and has no letters.
    """
    means = found.records("groups", "means", by=by)
    cells = {(row["group"], row["question"]): row for row in means}
    headline = [row for row in means if row["question"] == found.headline] or means
    best_first = dict.fromkeys(row["group"] for row in [*headline, *means])
    return [
        GroupRow(
            found.words.of_group(group),
            max(row["topics"] for row in means if row["group"] == group),
            [
                _compared(cells.get((group, measure.key)), found.possible(measure.key))
                for measure in found.scored
            ],
            key=group,
        )
        for group in best_first
    ]


def _compared(
    row: dict[str, Any] | None, possible: tuple[float, float] | None
) -> dict[str, Any] | None:
    """Return the cell of a mean; its interval ends where the scale does."""
    if row is None:
        return None
    low, high = row["low"], row["high"]
    if possible and low is not None:
        low, high = max(low, possible[0]), min(high, possible[1])
    return {
        "value": row["mean"],
        "n": row["topics"],
        "low": low,
        "high": high,
        "letters": "" if row["low"] is None else row["letters"],
    }


def compared_context(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    styles = compared_rows(found, by="style, origin")
    return {
        "questions": found.scored,
        "compared": {
            gettext("System"): compared_rows(found, by="system"),
            gettext("Style and origin"): styles if len(styles) > 1 else [],
        },
    }
