"""Presentation of the analysis `methods`."""

from collections.abc import Iterator

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure, figure
from analysis.plots.matrix import matrix

TITLES = {
    "texts": "Do the methods rank texts alike?",
    "systems": "Do the methods rank systems alike?",
}


def figures(found: RunResults) -> Iterator[Figure]:
    """Yield a heat map each of texts and systems: a row per pair of methods, a column per scale."""
    for table, title in TITLES.items():
        rows = found.records("methods", table)
        if rows:
            yield _heat_map(title, rows)


def _heat_map(title: str, rows: list[dict[str, object]]) -> Figure:
    taus = {(row["first"], row["second"], row["scale"]): row["tau"] for row in rows}
    pairs = list(dict.fromkeys((row["first"], row["second"]) for row in rows))
    scales = list(dict.fromkeys(row["scale"] for row in rows))
    scales.sort(key=lambda scale: str(scale) not in ("total",) and "scale_" not in str(scale))
    return figure(
        lambda title, width: matrix(
            [f"{first} – {second}" for first, second in pairs],
            [[taus.get((*pair, scale)) for scale in scales] for pair in pairs],  # type: ignore[misc]
            columns=[str(scale).replace("_", " ") for scale in scales],
            title=title,
            meaning="Kendall’s tau-b of two methods.",
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
        "systems": Display("Agreement on systems", hidden=("low", "high", "topics"), folded=True),
        "texts": Display("Agreement on texts", folded=True),
    },
    figures=figures,
)
