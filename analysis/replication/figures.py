"""Figures 1 to 5 of the report, drawn from the numbers in tables.json and the values beside it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from analysis.plots import citations
from analysis.plots.curves import Curve, CurvePoint
from analysis.plots.distribution import BoxSample, boxes
from analysis.plots.figure import Figure, figure
from analysis.replication.cells import TableCells
from analysis.replication.comparison import value_at
from analysis.replication.grade_tables import ORIGINS, STYLES
from analysis.replication.layout import NAMES

GROUPS = tuple((origin, style) for style in STYLES for origin in ORIGINS)


def _counts(what: str, axis: str) -> Callable[[TableCells], Figure]:
    def draw(cells: TableCells) -> Figure:
        values = cells.drawn.get(f"figure1.{what}", {})
        samples = [
            BoxSample(NAMES[origin], values.get(f"{origin} {style}", []), NAMES[style])
            for origin, style in GROUPS
        ]
        return figure(
            lambda title, width: boxes(samples, title=title, axis=axis, digits=0, width=width),
            title=axis[0].upper() + axis[1:],
            caption="Box: quartiles and median; whiskers: lowest and highest.",
        )

    return draw


def _by_rank(cells: TableCells) -> Figure:
    probability = value_at(cells.values, "figures.figure2.probability") or {}
    lines = [
        Curve(NAMES[origin], [CurvePoint(*point) for point in probability.get(origin, [])])
        for origin in ORIGINS
    ]
    return figure(
        lambda title, width: citations.by_rank(lines, title=title, width=width),
        title="Probability of citation by rank",
        caption="Rank 1 is best. Bands: 95% CIs over topics.",
    )


def _reuse(cells: TableCells) -> Figure:
    distribution = value_at(cells.values, "figures.figure3.distribution") or {}
    lines = [
        Curve(
            f"{NAMES[origin]}, {NAMES[style]}",
            [
                CurvePoint(bleu, share)
                for bleu, share in enumerate(distribution.get(origin, {}).get(style, []))
            ],
        )
        for origin, style in GROUPS
    ]
    return figure(
        lambda title, width: citations.reuse(lines, title=title, width=width),
        title="Reuse of cited passages",
        caption="Cumulative share of statements with the passages they cite.",
    )


def _density(style: str) -> Callable[[TableCells], Figure]:
    def draw(cells: TableCells) -> Figure:
        density = value_at(cells.values, "figures.figure4.density") or {}
        lines = []
        for origin in ORIGINS:
            values = density.get(origin, {}).get(style, [])
            width = 1 / max(len(values), 1)
            points = [CurvePoint((n + 0.5) * width, value) for n, value in enumerate(values)]
            lines.append(Curve(NAMES[origin], points))
        return figure(
            lambda title, width: citations.density(lines, title=title, width=width),
            title=f"{NAMES[style]}: positions of citations",
            caption="0 is the first character of a response, 1 its last.",
        )

    return draw


def _readability(cells: TableCells) -> Figure:
    samples = [
        BoxSample(label, cells.drawn.get(f"figure5.{origin}.{text}", []), NAMES[origin])
        for origin in ORIGINS
        for text, label in (("own", "Own text"), ("cited", "Cited documents"))
    ]
    return figure(
        lambda title, width: boxes(
            samples,
            title=title,
            axis="Flesch reading ease (higher is easier)",
            digits=1,
            width=width,
        ),
        title="Flesch reading ease",
        caption="0 is hard to read, 100 easy.",
    )


DRAWINGS: Mapping[str, Callable[[TableCells], Figure]] = MappingProxyType(
    {
        "figure1.words": _counts("words", "words per response"),
        "figure1.statements": _counts("statements", "statements per response"),
        "figure1.documents": _counts("documents", "different documents per response"),
        "figure2": _by_rank,
        "figure3": _reuse,
        **{f"figure4.{style}": _density(style) for style in STYLES},
        "figure5": _readability,
    }
)
