"""Presentation of the analysis `elo_beside`."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from analysis.pages.results.figures import ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate, forest
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    """Yield both ratings of each system, one plot a question."""
    rows = found.records("elo_beside", "elo")
    for question in dict.fromkeys(row["question"] for row in rows):
        question_rows = [row for row in rows if row["question"] == question]
        if len(question_rows) > ROWS_IN_ONE:
            continue
        yield figure(
            partial(_drawn, rows=question_rows, confidence=found.confidence),
            title=f"Elo by LLM judges and people: {found.words.of(question)}",
            caption="Ratings of each system from the games of each LLM judge and of people; n "
            "is the number of games.",
        )


def _drawn(title: str, width: int, *, rows: list[dict[str, Any]], confidence: float) -> str:
    estimates = []
    for system in dict.fromkeys(row["system"] for row in rows):
        beside = [row for row in rows if row["system"] == system]
        several = len({row["people_rating"] for row in beside}) > 1  # not the same pairs
        for row in beside:
            estimates.append(_estimate(row["judge"], row, "rating", ("low", "high")))
            if several or row is beside[-1]:
                name = f"people, on the pairs of {row['judge']}" if several else "people"
                ends = ("people_rating_low", "people_rating_high")
                estimates.append(_estimate(name, row, "people_rating", ends))
    axis = "Elo rating"
    return forest(estimates, title=title, axis=axis, width=width, confidence=confidence, digits=0)


def _estimate(label: str, row: dict[str, Any], value: str, ends: tuple[str, str]) -> ForestEstimate:
    low, high = (row[end] for end in ends)
    return ForestEstimate(label, row[value], low, high, int(row["games"]), row["system"])


PRESENTATION = Presentation(
    analysis="elo_beside",
    part="judges",
    place=2,
    lede=(
        "Each pair judged by both is one game, scored by the mean of the judge's labels or of "
        "people's votes. In “Wins and Elo ratings” each vote is a game, so ratings spread wider. A "
        "rating is the mean of 500 tournaments. Brackets: {percent} CIs for new topics and people."
    ),
    tables={
        "elo": Display(
            "Elo ratings by LLM judges and people", hidden=("sd", "people_sd", "games"), folded=True
        )
    },
    figures=figures,
)
