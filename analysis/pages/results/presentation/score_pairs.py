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
            title=f"{judge} against people: {found.words.of(question)}",
            caption="Bland and Altman’s plot: the difference of the two scores of an item, the "
            "model’s less the mean of people, over their mean. 95 % of differences lie between "
            "the limits if they are about normal. A larger disc is more items.",
        )


def _drawn(title: str, width: int, *, limits: dict[str, Any], spots: Iterable[Any]) -> str:
    lines = (("upper limit", "upper_limit"), ("mean", "difference"), ("lower limit", "lower_limit"))
    return scatter(
        [Spot(row["mean"], row["difference"], int(row["units"])) for row in spots],
        title=title,
        axis="mean of the two scores",
        height_axis="score by the model − score by people",
        references=[Reference(limits[name], label) for label, name in lines],
        width=width,
    )


PRESENTATION = Presentation(
    analysis="score_pairs",
    part="judges",
    place=1,
    lede="Each model’s score of an item beside the mean of people’s, where both scored it. "
    "Differences are the model’s less people’s, in points of the scale. The paired t test is over "
    "topics, each by the mean of its items. Where people and models grade passages, MRR of each "
    "system is by either’s grades, of the passages that both graded. Brackets hold "
    "{percent} intervals; why a number has none is said above.",
    tables={
        "ranks": Display("Rank correlation of scores by models and by people"),
        "paired": Display("Paired t test of scores by models and by people", hidden=("df",)),
        "limits": Display("Limits of agreement (Bland and Altman)"),
        "means": Display("Systems by models and by people", folded=True),
        "spots": None,
    },
    figures=figures,
)
