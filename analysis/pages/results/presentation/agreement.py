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
    lede="Krippendorff’s alpha is 1 for perfect agreement and 0 for what chance gives. "
    "Report the first {percent} interval: for other workers and other items, or, with fewer than "
    "10 workers, for these workers on other topics. Intervals for other items or other workers "
    "alone are for comparison with other papers.",
    tables={
        "agreement": Display("All measures", folded=True),
    },
    figures=figures,
    panel=Panel(below="console/_agreement_table.html", context=agreement_context),
)
