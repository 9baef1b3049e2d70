"""Presentation of the analysis `score_pairs`."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from analysis.analyses.score_pairs import ITEMS
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Reference, Spot, scatter
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    """Yield Bland and Altman's plot, one a question and model."""
    for limits in found.records("score_pairs", "limits", of=ITEMS):
        judge, question = limits["judge"], limits["question"]
        spots = found.records("score_pairs", "spots", of=ITEMS, judge=judge, question=question)
        yield figure(
            partial(_drawn, limits=limits, spots=spots),
            title=f"{judge} and people: {found.words.of(question)}",
            caption=(
                "Bland-Altman plot: judge minus mean of people, by the mean of both. 95% of normal "
                "differences are within the limits. Larger discs: more items."
            ),
        )


def _drawn(title: str, width: int, *, limits: dict[str, Any], spots: Iterable[Any]) -> str:
    lines = (("upper limit", "upper_limit"), ("mean", "difference"), ("lower limit", "lower_limit"))
    return scatter(
        [Spot(row["mean"], row["difference"], int(row["units"])) for row in spots],
        title=title,
        axis="mean of the two scores",
        height_axis="judge − people",
        references=[Reference(limits[name], label) for label, name in lines],
        width=width,
    )


PRESENTATION = Presentation(
    analysis="score_pairs",
    part="judges",
    place=1,
    lede="Scores of each judge and the mean of people, on items that both scored; differences "
    "are judge minus people, in scale points. The paired t test is over topic means. MRR "
    "uses passages that both graded. Brackets: {percent} CIs.",
    tables={
        "ranks": Display("Rank correlation of judges and people"),
        "paired": Display("Paired t test of judges and people", hidden=("df",)),
        "limits": Display("Limits of agreement (Bland and Altman)"),
        "means": Display("Systems by judges and people", folded=True),
        "spots": None,
    },
    figures=figures,
)
