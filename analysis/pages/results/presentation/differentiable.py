"""Presentation of the analysis `differentiable`."""

from collections.abc import Iterator

from analysis.pages.results.figures import estimate
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.agreement import agreement
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = [row for row in found.records("differentiable", "parts") if row["value"] is not None]
    if rows:
        yield figure(
            lambda title, width: agreement(
                [estimate(found, row, row["part"]) for row in rows],
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Agreement by majority strength",
            caption="Krippendorff's alpha; intervals over items.",
        )


PRESENTATION = Presentation(
    analysis="differentiable",
    part="agreement",
    place=2,
    tables={
        "parts": Display("By group"),
        "split": None,
    },
    figures=figures,
)
