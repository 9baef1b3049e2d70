"""Competence of the workers."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

import pandas as pd
from django.http import HttpRequest

from analysis.pages.results.pages.first_sight import at_first_sight
from analysis.pages.results.run_results import RunResults
from analysis.stats.verdicts import About
from annotation.lists import page_of, search_words

WORKERS_FIRST, WORKERS_A_PAGE = 10, 50
RATIOS = ("ratio", "ratio_low", "ratio_high")


class HonestAgreement(NamedTuple):  # kept of thousands
    """Agreement beyond chance in % of that of an honest worker on the same items, and its interval.

    Numbers are None where the items would not tell a guesser from an honest worker.
    """

    percent: float | None
    low: float | None
    high: float | None
    q: float | None
    comparable: bool
    mark: bool


def honest_agreement(row: Mapping[str, Any]) -> HonestAgreement | None:
    """Return the comparison in a row of workers; None of runs that did not compare.

    Their `mark` was a cut of competence, which flags honest workers on close texts.
    """
    if row.get("comparable") is None:
        return None
    comparable = bool(row["comparable"])
    if not comparable:
        return HonestAgreement(None, None, None, None, comparable=False, mark=False)
    percent, low, high = (100 * float(row[name]) for name in RATIOS)
    return HonestAgreement(
        percent, low, high, float(row["q"]), comparable=True, mark=bool(row["mark"])
    )


@dataclass(frozen=True)
class WorkerCompetence:
    """Competence of one worker over all questions with its interval and number of votes.

    Without pooling it is the mean over questions, with their lowest and highest.
    """

    worker: str
    pooled: float
    low: float | None
    high: float | None
    votes: int
    by_question: list[float | None]
    honesty: HonestAgreement | None = None


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of competence, and the workers compared and flagged."""

    median: float | None
    low: float | None
    high: float | None
    compared: int = 0
    flagged: int = 0


def worker_rows(found: RunResults) -> list[WorkerCompetence]:
    """Return the workers, the least competent first."""
    return found.kept("workers", lambda: _worker_rows(found))


def _worker_rows(found: RunResults) -> list[WorkerCompetence]:
    keys = list(found.words.questions)
    competence_of: dict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    without = found.without("competence")  # too few answered the same items
    for row in found.records("competence", "competence"):
        if row["question"] in without:
            continue
        competence_of[str(row["worker"])][row["question"]] = (
            float(row["competence"]),
            int(row["votes"]),
        )
    pooled = {row["worker"]: row for row in found.records("crowd", "workers")}
    rows = [
        WorkerCompetence(
            worker,
            (overall := pooled[worker])["competence"],
            overall["low"],
            overall["high"],
            sum(votes for _, votes in cells.values()),
            [cells[key][0] if key in cells else None for key in keys],
            honest_agreement(overall),
        )
        if worker in pooled
        else WorkerCompetence(
            worker,
            fmean(competence for competence, _ in cells.values()),
            None if pooled else min(cells.values())[0],
            None if pooled else max(cells.values())[0],
            sum(votes for _, votes in cells.values()),
            [cells[key][0] if key in cells else None for key in keys],
        )
        for worker, cells in competence_of.items()
    ]
    return sorted(rows, key=lambda row: (row.pooled, row.worker))


def spread_of(workers: list[WorkerCompetence]) -> Spread:
    pooled = pd.Series([row.pooled for row in workers], dtype=float)
    if pooled.empty:
        return Spread(None, None, None)
    low, median, high = pooled.quantile([0.25, 0.5, 0.75])
    compared = [row.honesty for row in workers if row.honesty and row.honesty.comparable]
    flagged = sum(honesty.mark for honesty in compared)
    return Spread(float(median), float(low), float(high), len(compared), flagged)


def workers_context(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    every, sought = worker_rows(found), search_words(request)
    workers = [row for row in every if sought.lower() in row.worker.lower()]
    page = page_of(
        workers, request, rows_a_page=at_first_sight(request, WORKERS_FIRST, WORKERS_A_PAGE)
    )
    return {
        "workers": every,
        "spread": spread_of(every),
        "page": page,
        "q": sought,
        "is_compared": any(row.honesty for row in every),
        "is_about_these": any(
            row.get("about") == About.THESE and row["low"] is not None
            for row in found.records("crowd", "workers")
        ),
        "is_pooled": found.kept("pooled", lambda: not found.table("crowd", "workers").empty),
        "percent": found.percent,
    }
