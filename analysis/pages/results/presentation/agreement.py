"""Presentation of the analysis `agreement`."""

from collections.abc import Iterator

from analysis.pages.results.figures import agreement_figure
from analysis.pages.results.pages.agreement import agreement_context, agreement_rows
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure


def figures(found: RunResults) -> Iterator[Figure]:
    if drawn := agreement_figure(agreement_rows(found), confidence=found.confidence):
        yield drawn


PRESENTATION = Presentation(
    analysis="agreement",
    part="agreement",
    lede="Report the first {percent} CI: for new participants and items, or, with fewer "
    "than 10 participants, for these participants on new topics. The other intervals "
    "allow comparison with other papers.",
    tables={
        "agreement": Display("All measures", folded=True),
    },
    figures=figures,
    panel=Panel(below="console/_agreement_table.html", context=agreement_context),
)
