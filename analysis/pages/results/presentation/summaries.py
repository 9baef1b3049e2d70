"""Presentation of the analysis `summaries`."""

from collections.abc import Iterator, Sequence
from functools import partial

from analysis.inputs.summaries import key_of
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Spot, scatter
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    """Yield the plot of XUX against Comp, if summaries have both."""
    rows = found.records("summaries", "scores")
    xux, comp = (
        {row["response"]: row for row in rows if row["question"] == key_of(name, found.run.pool)}
        for name in ("xux", "comp")
    )
    responses = found.run.study.corpus.responses.filter(key__in=[key for key in xux if key in comp])
    spots = [
        Spot(
            comp[key]["value"],
            xux[key]["value"],
            name=f"{system or origin}, {comp[key]['topic']}",
            group=system or origin,
        )
        for key, system, origin in responses.order_by("system__key", "topic", "key").values_list(
            "key", "system__name", "origin"
        )
    ]
    if spots:
        yield figure(
            partial(_drawn, spots=spots),
            title="Expected user experience and comprehensiveness",
            caption=(
                "One mark per summary, by system. Higher: readers see more of value. Further "
                "right: more even coverage of the topic's sections."
            ),
        )


def _drawn(title: str, width: int, *, spots: Sequence[Spot]) -> str:
    return scatter(spots, title=title, axis="Comp", height_axis="XUX", width=width)


PRESENTATION = Presentation(
    analysis="summaries",
    part="responses",
    place=4,
    lede="XUX: expected value of the lines that readers see. Comp: how evenly a summary covers"
    " the sections of its topic. SGSS adds both. Brackets: {percent} t intervals over "
    "raters; n is the number of labels.",
    figures=figures,
    tables={
        "scores": Display("Scores of each summary", folded=True),
        "degraded": Display(
            "Degraded copies",
            folded=True,
            note="The original should score higher.",
        ),
        "comprehensive": Display(
            "Scores and labels of comprehensiveness",
            folded=True,
            note="Rank correlation of each score with the mean label of how comprehensive a whole "
            "summary is. Brackets: {percent} jackknife CIs over topics.",
        ),
        "weights": Display("Weights learned from preferences", folded=True),
        "agreement": Display(
            "Scores and preferences",
            folded=True,
            note=(
                "Mean agreement rate (MAR) on held-out topics, including votes on degraded copies. "
                "Labels of parts are by this page's raters, models, or both; preferences are by "
                "this page's raters. Brackets: {percent} t intervals over topics."
            ),
        ),
        "pairs": Display("Agreement with the preferences on each pair", folded=True),
    },
)
