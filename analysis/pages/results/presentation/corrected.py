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
        within = " within participants" if shuffled else ""
        yield figure(
            lambda title, width: agreement(
                [estimate(found, row, row["votes_kept"], n=n_of(row)) for row in rows],
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Agreement of all and of competent participants",
            caption=f"Krippendorff's alpha. Hollow band: chance level (votes shuffled{within}). "
            f"The "
            "in-sample value is circular.",
        )


PRESENTATION = Presentation(
    analysis="corrected",
    part="agreement",
    place=1,
    tables={
        "corrected": Display(
            "Agreement of kept votes",
            hidden=("null_draws",),
            note=(
                "Report the cross-fitted value: competence is estimated from other items than it "
                "is applied to. Its interval is for new participants and items, given the "
                "participants kept. The in-sample value is circular; use it only to compare with "
                "the literature. p is the share of shuffles that agree as much (19 draws: at "
                "least .05; 99 draws: at least .01)."
            ),
        ),
    },
    figures=figures,
)
