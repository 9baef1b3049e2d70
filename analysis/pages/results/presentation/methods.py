"""Presentation of the analysis `methods`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from analysis.analyses.methods import HEAD, TOTAL
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure, figure
from analysis.plots.matrix import matrix
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
            yield _heat_map(gettext(title).format(scale=named), of_scale)


def _heat_map(title: str, rows: Sequence[Mapping[str, Any]]) -> Figure:
    taus = {(row["first"], row["second"]): row["tau"] for row in rows}
    methods = list(dict.fromkeys(method for pair in taus for method in pair))
    cells = [[taus.get((a, b), taus.get((b, a))) for b in methods] for a in methods]
    return figure(
        lambda title, width: matrix(
            methods,
            cells,
            title=title,
            meaning="Kendall’s tau-b of row and column.",
            ends=(-1.0, 1.0),
            middle=0.0,
            width=width,
        ),
        title=title,
        caption="1 is the same order, 0 unrelated, −1 reversed.",
    )


PRESENTATION = Presentation(
    analysis="methods",
    part="systems",
    place=9,
    lede="Kendall’s tau-b between two methods: 1 is the same order, 0 unrelated, −1 reversed. "
    "Texts are compared within a topic.",
    tables={
        "work": Display("Work and pay of each method, {currency}", hidden=("agreed",)),
        "systems": Display("Agreement on systems", hidden=("low", "high", "topics"), folded=True),
        "texts": Display("Agreement on texts", folded=True),
    },
    figures=figures,
)
