"""Presentation of the analysis `associations`."""

from collections.abc import Iterator

from analysis.pages.results.figures import tau_figure
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("associations", "associations")
    if not rows:
        return
    yield tau_figure(
        rows,
        {key: found.words.of(key) for key in found.words.questions},
        title="Correlation between questions",
        caption="Kendall's tau-b between gold labels.",
    )


PRESENTATION = Presentation(
    analysis="associations",
    part="systems",
    place=3,
    tables={
        "associations": Display("All pairs of questions", folded=True),
        "others": Display("Each question and the others"),
    },
    figures=figures,
)
