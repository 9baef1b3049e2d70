"""Presentation of the analysis `elo_beside`."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from analysis.pages.results.figures import ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Estimate, forest
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
            title=f"Elo by models and by people: {found.words.of(question)}",
            caption="Of each system the rating from the games of each model, and from those of "
            "people; n is the number of its games.",
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


def _estimate(label: str, row: dict[str, Any], value: str, ends: tuple[str, str]) -> Estimate:
    low, high = (row[end] for end in ends)
    return Estimate(label, row[value], low, high, int(row["games"]), row["system"])


PRESENTATION = Presentation(
    analysis="elo_beside",
    part="judges",
    place=2,
    lede="Each pair that a model and people judged is one game of either: it scores the mean of "
    "the model’s answers (a half where it says otherwise in the other order), or of people’s "
    "votes. So both play the same games in the same orders; “Wins and Elo ratings”, where each "
    "vote is a game, plays more, which drives ratings apart. A rating is the mean of 500 "
    "tournaments; its spread between orders is in the files. Brackets hold {percent} intervals "
    "for as many games on other topics, and of other people.",
    tables={
        "elo": Display(
            "Elo ratings by models and by people", hidden=("sd", "people_sd", "games"), folded=True
        )
    },
    figures=figures,
)
