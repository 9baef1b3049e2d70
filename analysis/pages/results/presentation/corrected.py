"""Presentation of the analysis `corrected`."""

from collections.abc import Iterator
from typing import Any

from analysis.analyses.corrected import N_OF_ALPHA
from analysis.pages.results.figures import estimate
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.agreement import agreement
from analysis.plots.figure import Figure, figure


def n_of(row: dict[str, Any]) -> str:
    """Return the column of n; steps of earlier versions only have the judged items."""
    return "items" if row.get(N_OF_ALPHA) is None else N_OF_ALPHA


def figures(found: RunResults) -> Iterator[Figure]:
    rows = [row for row in found.records("corrected", "corrected") if row["value"] is not None]
    if rows:
        shuffled = any(row.get("shuffled") == "within workers" for row in rows)
        within = " among those of each worker" if shuffled else ""
        yield figure(
            lambda title, width: agreement(
                [estimate(found, row, row["votes_kept"], n=n_of(row)) for row in rows],
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Agreement of all and of the competent",
            caption="Krippendorff’s alpha. The hollow band is what votes shuffled at random reach"
            f"{within}: in sample it lies far above 0, which is the circle.",
        )


PRESENTATION = Presentation(
    analysis="corrected",
    part="agreement",
    place=1,
    tables={
        "corrected": Display(
            "Agreement of kept votes",
            hidden=("null_draws",),
            note="Cross-fitted is the figure to report: competence comes from other items than "
            "those it is applied to. Its interval is for other workers and other items, and takes "
            "as given who is kept; it includes the spread over the starts of MACE. In sample is "
            "circular and is here for comparison with the "
            "literature, with an interval for other items. p: how often votes shuffled among those "
            "of each worker, who keeps every habit, agree as much. The 19 draws of a run that is "
            "told nothing else say 0.050 at the least: no draw reached the value. "
            "analyse --null-draws 99 can say 0.010.",
        ),
    },
    figures=figures,
)
