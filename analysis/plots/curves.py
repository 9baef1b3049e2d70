"""Curves over a common axis, each with a dash, a sign and a band of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.plots.empty import NO_DATA, empty
from analysis.plots.forest import bad_interval
from analysis.plots.marks import WIDE, area, colour_of, line, path, shape, text
from analysis.plots.markup import Markup, document, finite, join, tag, words
from analysis.plots.rows import Reference
from analysis.plots.scales import LinearScale, axis_below, axis_left, spanning
from analysis.plots.text_fitting import LINE, SMALL, elide, extent, interval_name, number

_SWATCH = 34.0
_MARKED = 25  # more points than these are a line without signs


class CurvePoint(NamedTuple):
    """A point on a curve, and the interval around its y (both ends or none)."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Curve:
    """Points in the order of x, and the n behind them."""

    label: str
    points: Sequence[CurvePoint]
    n: int | None = None


def curves(
    drawn: Sequence[Curve],
    *,
    title: str,
    axis: str,
    height_axis: str,
    references: Sequence[Reference] = (),
    domain: tuple[float, float] | None = None,
    heights: tuple[float, float] | None = None,
    possible: tuple[float, float] | None = None,
    confidence: float = 0.95,
    description: str = "",
    reason: str = NO_DATA,
    width: int = WIDE,
) -> str:
    """Draw lines through points (x along `axis`, y along `height_axis`), named in a key above.

    References are heights, and `possible` gives the range of heights. Curves without points
    are left out. Raises CannotPlot (not_finite, bad_interval).

    >>> curves([Curve("Human", [CurvePoint(1, 0.5), CurvePoint(2, 0.3)], n=455)], title="Cited",
    ...        axis="rank", height_axis="share cited")[:4]
    '<svg'
    """
    curves_with_points = [
        Curve(curve.label, _checked(curve), curve.n) for curve in drawn if len(curve.points)
    ]
    if not curves_with_points:
        return empty(reason, title=title, width=width)
    points = [point for curve in curves_with_points for point in curve.points]
    banded = any(point.low is not None for point in points)
    xs = LinearScale(*domain) if domain else spanning(point.x for point in points)
    ys = LinearScale(*heights) if heights else _heights(points, references, possible)
    key, top = _key(curves_with_points, references, width)
    above = f"{height_axis}, band: {interval_name(confidence)}" if banded else height_axis
    key.append(text(0, top + 18, elide(above, width, SMALL), "plot-small", full=above))
    top += 34
    bottom = top + (250 if width > 480 else 210)
    left = max(extent(label, SMALL) for _, label in ys.labels()) + 10
    x, y = xs.on(left, width - 10), ys.on(bottom, top)
    return document(
        *key,
        axis_left(y, left, end=width - 10, room=left),
        axis_below(x, bottom, width=width, top=top, label=axis),
        *(_band(curve, k, x, y) for k, curve in enumerate(curves_with_points)),
        *(
            line(left, y(curve.value), width - 10, y(curve.value), "plot-reference")
            for curve in references
        ),
        *(_line(curve, k, x, y) for k, curve in enumerate(curves_with_points)),
        title=title,
        description=description or describe(curves_with_points, axis, height_axis, references),
        width=width,
        height=bottom + 40,
        kind="curves",
    )  # fmt: skip


def describe(
    drawn: Sequence[Curve], axis: str, height_axis: str, references: Sequence[Reference]
) -> str:
    """Return where each curve starts, ends and has its highest point."""
    sentences = []
    for curve in drawn:
        first, last = curve.points[0], curve.points[-1]
        best = max(curve.points, key=lambda point: point.y)
        sentences.append(
            f"{_named(curve)} goes from {number(first.y)} at {number(first.x)} to "
            f"{number(last.y)} at {number(last.x)}, highest {number(best.y)} at {number(best.x)}"
        )
    against = "".join(f" {curve.label} is {number(curve.value)}." for curve in references)
    return f"{height_axis} over {axis}: {'; '.join(sentences)}.{against}"


def _heights(
    points: Sequence[CurvePoint],
    references: Sequence[Reference],
    possible: tuple[float, float] | None,
) -> LinearScale:
    ends = [end for point in points for end in point[1:] if end is not None]
    return spanning(ends, among=[reference.value for reference in references], possible=possible)


def _checked(curve: Curve) -> list[CurvePoint]:
    points = []
    for point in curve.points:
        x, y = finite(point.x, curve.label), finite(point.y, curve.label)
        if (point.low is None) != (point.high is None):
            raise bad_interval(curve.label, point.low, point.high)
        if point.low is None or point.high is None:
            points.append(CurvePoint(x, y))
            continue
        low, high = finite(point.low, curve.label), finite(point.high, curve.label)
        if low > high:
            raise bad_interval(curve.label, low, high)
        points.append(CurvePoint(x, y, low, high))
    return sorted(points, key=lambda point: point.x)


def _named(curve: Curve) -> str:
    return curve.label if curve.n is None else f"{curve.label} (n {curve.n:,})"


def _key(
    drawn: Sequence[Curve], references: Sequence[Reference], width: float
) -> tuple[list[Markup], float]:
    """Return dash, sign and name of each curve and reference, in as many lines as they need.

    Between the curves the name of a reference could not be read.
    """
    parts: list[Markup] = []
    x, y = 0.0, float(LINE)
    named = [_named(curve) for curve in drawn]
    named += [f"{curve.label} {number(curve.value)}".strip() for curve in references]
    for k, full in enumerate(named):
        label = elide(full, width - _SWATCH)
        wide = _SWATCH + extent(label)
        if x and x + wide > width:
            x, y = 0.0, y + LINE + 3
        if k < len(drawn):
            parts += [
                path([(x, y - 5), (x + 26, y - 5)], f"plot-line {colour_of(k)}", series=k),
                shape(k, x + 13, y - 5, 4.5),
            ]
        else:
            parts.append(line(x, y - 5, x + 26, y - 5, "plot-reference"))
        parts.append(text(x + _SWATCH, y, label, full=full))
        x += wide + 18
    return parts, y


def _band(curve: Curve, series: int, x: LinearScale, y: LinearScale) -> Markup:
    sure = [
        (x(p.x), y(p.low), y(p.high))
        for p in curve.points
        if p.low is not None and p.high is not None
    ]
    if len(sure) < 2:
        return join(line(at, low, at, high, "plot-interval") for at, low, high in sure)
    around = [(at, low) for at, low, _ in sure] + [(at, high) for at, _, high in reversed(sure)]
    return area(around, f"plot-wash {colour_of(series)}")


def _line(curve: Curve, series: int, x: LinearScale, y: LinearScale) -> Markup:
    places = [(x(point.x), y(point.y)) for point in curve.points]
    parts = [path(places, f"plot-line {colour_of(series)}", series=series)]
    every = -(-len(places) // _MARKED)
    for k, (point, place) in enumerate(zip(curve.points, places, strict=True)):
        if k % every == 0:
            hover = f"{curve.label}, {number(point.x)}: {number(point.y)}"
            parts.append(tag("g", tag("title", words(hover)), shape(series, *place, 4)))
    return tag("g", *parts)
