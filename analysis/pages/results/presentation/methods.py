"""Presentation of the analysis `methods`."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext

from analysis.analyses.methods import HEAD, TOTAL
from analysis.pages.coding.tables import codes_by_method
from analysis.pages.results.figures import tau_figure
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure
from annotation.texts.sentences import marked

TITLES = {
    "texts": marked("Do the methods agree on the ranking of texts? {scale}"),
    "systems": marked("Do the methods agree on the ranking of systems? {scale}"),
}


def figures(found: RunResults) -> Iterator[Figure]:
    """Yield a heat map per scale, or else per criterion, with the total last."""
    for table, title in TITLES.items():
        rows = found.records("methods", table)
        scales = list(dict.fromkeys(str(row["scale"]) for row in rows))
        wide = [scale for scale in scales if scale == TOTAL or scale.startswith(HEAD)]
        for scale in wide or scales:
            of_scale = [row for row in rows if row["scale"] == scale]
            named = scale.removeprefix(HEAD).replace("_", " ").capitalize()
            methods = dict.fromkeys(row[side] for row in of_scale for side in ("first", "second"))
            yield tau_figure(
                of_scale,
                {method: method for method in methods},
                title=gettext(title).format(scale=named),
                caption="1 is the same order, 0 unrelated, −1 reversed.",
            )


def _codes(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    return {"codes": codes_by_method(found.run.study)}


PRESENTATION = Presentation(
    analysis="methods",
    part="systems",
    place=9,
    lede="Kendall's tau-b between two methods: 1 is the same order, 0 unrelated, −1 reversed. "
    "Texts are compared within a topic. Brackets: {percent} CI over topics, for these "
    "raters.",
    tables={
        "work": Display("Work and pay of each method, {currency}", hidden=("agreed",)),
        "systems": Display(
            "Agreement on systems", hidden=("low", "high", "why", "topics"), folded=True
        ),
        "texts": Display("Agreement on texts", hidden=("why",), folded=True),
    },
    figures=figures,
    panel=Panel(below="console/_codes_by_method.html", context=_codes),
)
