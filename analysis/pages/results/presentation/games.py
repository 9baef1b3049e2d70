"""Presentation of the analysis `games`."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure, figure
from analysis.plots.matrix import matrix
from analysis.runs import findings

MANY_SYSTEMS = 40  # a matrix with more has cells that nobody can read


def figures(found: RunResults) -> Iterator[Figure]:
    shares = findings.tables(found.run, "games", "wins")
    for measure in found.measures if len(shares) else ():
        part = shares[shares["question"] == measure.key]
        names = sorted({*part["system"]})
        if 2 <= len(names) <= MANY_SYSTEMS:
            points = part.set_index(["system", "against"])["points"].to_dict()
            cells = [[points.get((row, column)) for column in names] for row in names]
            called = [found.words.of_group(name) for name in names]
            yield figure(
                partial(_drawn, names=called, cells=cells),
                title=f"Points: {measure.title}",
                caption="Mean score of the row's system against the column's; a tie is half a "
                "point.",
            )


def _drawn(title: str, width: int, *, names: list[str], cells: list[list[float | None]]) -> str:
    shown_cells = [[None if c is None or np.isnan(c) else c for c in row] for row in cells]
    meaning = "Points of the row against the column"
    return matrix(names, shown_cells, title=title, meaning=meaning, width=width)


PRESENTATION = Presentation(
    analysis="games",
    part="systems",
    place=6,
    lede="Points: mean score against another system, 1 for a win, ½ for a tie. Brackets: "
    "{percent} CI over topics and participants; below 10 participants, for these on new "
    "topics. Elo depends on the order of games, so it is the mean of 500 tournaments; SD is the "
    "spread between orders, not the uncertainty. Report strengths or points instead.",
    tables={
        "elo": Display("Elo ratings"),
        "wins": Display("Points", hidden=("why",), folded=True),
        "borda": Display("Wins of each response", folded=True, note="Borda score of a text."),
    },
    figures=figures,
)
