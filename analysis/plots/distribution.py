"""Distributions: one as a histogram with a cut, or several as boxes."""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from analysis.plots.empty import NO_DATA, empty
from analysis.plots.marks import WIDE, box, line, text
from analysis.plots.markup import Markup, document, finite, join, tag, words
from analysis.plots.rows import PlotRow, Reference, rows_plot
from analysis.plots.scales import LinearScale, axis_below, axis_left, spanning
from analysis.plots.text_fitting import LINE, SMALL, extent, number, wrap

_BINS = 20


def histogram(
    values: Sequence[float],
    *,
    title: str,
    axis: str,
    counted: str = "values",
    cut: Reference | None = None,
    domain: tuple[float, float] | None = None,
    bins: int = _BINS,
    description: str = "",
    reason: str = NO_DATA,
    width: int = WIDE,
) -> str:
    """Draw the number of `counted` by value; values beyond the domain count in the outer bins.

    A cut is a dashed line; the part below it is shaded, and counted in the note. Raises CannotPlot.

    >>> histogram([0.2, 0.9], title="Competence", axis="competence", domain=(0, 1))[:4]
    '<svg'
    """
    finite_values = [finite(value, axis) for value in values]
    if not finite_values:
        return empty(reason, title=title, width=width)
    ends = domain or (lambda s: (s.low, s.high))(
        spanning(finite_values, among=[cut.value] if cut else [])
    )
    counts = binned(finite_values, ends, bins)
    heights = LinearScale(0, max(counts)) if max(counts) < 5 else spanning([0.0, max(counts)])
    note = _note(finite_values, counted, cut)
    lines = wrap(note, width, lines=3, size=SMALL)
    top = LINE * len(lines) + (26 if cut else 10)
    bottom = top + (180 if width > 480 else 150)
    left = max(extent(label, SMALL) for _, label in heights.labels(min(5, max(counts)))) + 12
    x = LinearScale(*ends, left, width - 8)
    y = heights.on(bottom, top)
    return document(
        *(
            text(0, LINE * (k + 1) - 4, note_line, "plot-small")
            for k, note_line in enumerate(lines)
        ),
        _below(x, cut, top, bottom),
        axis_left(y, left, end=width - 8, room=left, most=max(counts)),
        _bars(counts, ends, x, y, counted),
        axis_below(x, bottom, width=width, top=bottom, label=axis),
        _cut(x, cut, top, bottom, width),
        title=title,
        description=description or f"{axis}: {note}",
        width=width,
        height=bottom + 40,
        kind="histogram",
    )


def binned(values: Sequence[float], ends: tuple[float, float], bins: int = _BINS) -> list[int]:
    """Return counts in equal bins [edge, next edge); the last one contains its upper edge too."""
    edges = bin_edges(ends, bins)
    counts = [0] * bins
    for value in values:
        counts[min(max(bisect_right(edges, value) - 1, 0), bins - 1)] += 1
    return counts


def bin_edges(ends: tuple[float, float], bins: int = _BINS) -> list[float]:
    """Return the bins + 1 edges, rounded so that .15 is .15."""
    low, high = ends
    exact = [low * (1 - k / bins) + high * (k / bins) for k in range(bins + 1)]
    digits = 12 - math.ceil(math.log10(max(abs(low), abs(high))))
    return [round(edge, digits) if abs(digits) < 300 else edge for edge in exact]


def _note(values: Sequence[float], counted: str, cut: Reference | None) -> str:
    sentence = f"{counted.capitalize()}: {len(values):,}, median {number(median(values))}"
    if cut is not None:
        below = sum(value < cut.value for value in values)
        sentence += f", below the {cut.label} of {number(cut.value)}: {below:,}"
    return sentence


def _bars(
    counts: Sequence[int], ends: tuple[float, float], x: LinearScale, y: LinearScale, counted: str
) -> Markup:
    edges = bin_edges(ends, len(counts))
    return join(
        tag(
            "g",
            tag("title", words(f"{number(low)} to {number(high)}: {count:,} {counted}")),
            box(x(low), y(0), x(high), y(count), "plot-bar plot-c1"),
        )
        for low, high, count in zip(edges, edges[1:], counts, strict=False)
        if count
    )


def _below(x: LinearScale, cut: Reference | None, top: float, bottom: float) -> Markup:
    return box(x.start, top, x(cut.value), bottom, "plot-band") if cut else join([])


def _cut(x: LinearScale, cut: Reference | None, top: float, bottom: float, width: float) -> Markup:
    if cut is None:
        return join([])
    (label,) = wrap(f"{cut.label} {number(cut.value)}", width, lines=1)
    half = extent(label) / 2
    middle = min(max(x(cut.value), half), width - half)
    return join(
        [
            line(x(cut.value), top - 6, x(cut.value), bottom, "plot-reference"),
            text(middle, top - 10, label, "plot-note", anchor="middle"),
        ]
    )


@dataclass(frozen=True)
class BoxSample:
    """The values of one row of boxes."""

    label: str
    values: Sequence[float]
    group: str = ""


def boxes(
    samples: Sequence[BoxSample],
    *,
    title: str,
    axis: str,
    references: Sequence[Reference] = (),
    domain: tuple[float, float] | None = None,
    digits: int = 2,
    description: str = "",
    reason: str = NO_DATA,
    width: int = WIDE,
) -> str:
    """Draw a box from the lower to the upper quartile, its median, whiskers to the extremes.

    Samples without a value are left out. Raises CannotPlot.

    >>> boxes([BoxSample("Human", [40.0, 46.0])], title="Readability", axis="Flesch")[:4]
    '<svg'
    """
    rows = [
        (sample, five_numbers([finite(value, sample.label) for value in sample.values]))
        for sample in samples
        if len(sample.values)
    ]
    if not rows:
        return empty(reason, title=title, width=width)
    values = [value for _, five in rows for value in five]
    shown = [
        PlotRow(
            row_sample.label,
            row_sample.group,
            _numbers(five, len(row_sample.values), digits),
            _box(five),
        )
        for row_sample, five in rows
    ]
    summary = "; ".join(
        f"{row.group and row.group + ', '}{row.label} {row.numbers}" for row in shown
    )
    return rows_plot(
        shown,
        LinearScale(*domain)
        if domain
        else spanning(values, among=[row_sample.value for row_sample in references]),
        title=title,
        description=description or f"{axis}, median, quartiles and n: {summary}.",
        axis=axis,
        head="median [quartiles], n",
        references=references,
        digits=digits,
        width=width,
        kind="boxes",
    )


def five_numbers(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Return minimum, quartiles (linear between ranks, as in numpy) and maximum."""
    ordered = sorted(values)
    if len(ordered) == 1:
        return (ordered[0],) * 5
    low, middle, high = quantiles([value / 4 for value in ordered], n=4, method="inclusive")
    return (ordered[0], low * 4, middle * 4, high * 4, ordered[-1])


def _numbers(five: tuple[float, ...], n: int, digits: int) -> str:
    low, middle, high = (number(value, digits) for value in five[1:4])
    return f"{middle} [{low}, {high}], {n:,}"


def _box(five: tuple[float, ...]) -> Callable[[LinearScale, float], Markup]:
    def draw(scale: LinearScale, y: float) -> Markup:
        least, low, middle, high, most = (scale(value) for value in five)
        return join(
            [
                line(least, y, most, y, "plot-interval"),
                box(low, y - 7, high, y + 7, "plot-ring plot-c1"),
                line(middle, y - 7, middle, y + 7, "plot-median"),
            ]
        )

    return draw
