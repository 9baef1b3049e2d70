"""Bland-Altman: the difference of two raters over their mean, with limits of agreement."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from analysis.plots.empty import NO_DATA, empty
from analysis.plots.lettering import LINE, SMALL, elide, extent, interval
from analysis.plots.marks import WIDE, box, line, text
from analysis.plots.markup import Markup, document, finite, join, tag, words
from analysis.plots.scales import Linear, axis_below, axis_left, spanning


@dataclass(frozen=True)
class Level:
    """A horizontal line, such as the bias or a limit of agreement, with its interval."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


class NotPaired(ValueError):
    """There are not as many differences as means."""

    def __init__(self, means: int, differences: int) -> None:
        super().__init__(f"There are {means} means, but {differences} differences.")


def differences(
    means: Sequence[float],
    deltas: Sequence[float],
    *,
    levels: Sequence[Level] = (),
    title: str,
    axis: str,
    height_axis: str,
    description: str = "",
    reason: str = NO_DATA,
    width: int = WIDE,
) -> str:
    """`deltas[k]` over `means[k]`; dots at one place become one dot whose area is their number.

    Zero is a solid line; levels are dashed, named, with their intervals as bands. Raises
    NotFinite, NotPaired.

    >>> differences([3, 4], [0, 1], levels=[Level("bias", 0.5)], title="LLM and crowd",
    ...             axis="mean grade", height_axis="LLM − crowd")[:4]
    '<svg'
    """
    if len(means) != len(deltas):
        raise NotPaired(len(means), len(deltas))
    across = [finite(value, axis) for value in means]
    up = [finite(value, height_axis) for value in deltas]
    ends = [
        finite(v, each.label)
        for each in levels
        for v in (each.value, each.low, each.high)
        if v is not None
    ]
    if not across:
        return empty(reason, title=title, width=width)
    ys = spanning(up, among=[0.0, *ends])
    top, bottom = LINE + 14, LINE + (274 if width > 480 else 244)
    left = max(extent(label, SMALL) for _, label in ys.labels()) + 10
    x, y = spanning(across).on(left, width - 10), ys.on(bottom, top)
    above = f"{height_axis}, n {len(across):,}; area of a dot: how many"
    return document(
        text(0, LINE - 4, elide(above, width, SMALL), "plot-small", full=above),
        axis_left(y, left, end=width - 10, room=left),
        axis_below(x, bottom, width=width, top=top, label=axis),
        line(left, y(0), width - 10, y(0), "plot-axis"),
        *(_band(each, y, left, width - 10) for each in levels),
        _dots(across, up, x, y),
        _levels(levels, y, left, width - 10),
        title=title,
        description=description or describe(len(across), levels, height_axis),
        width=width,
        height=bottom + 40,
        kind="differences",
    )  # fmt: skip


def describe(n: int, levels: Sequence[Level], height_axis: str) -> str:
    told = "; ".join(f"{each.label} {interval(each.value, each.low, each.high)}" for each in levels)
    return f"{height_axis} of {n:,} pairs. {told}".strip()


def _dots(across: Sequence[float], up: Sequence[float], x: Linear, y: Linear) -> Markup:
    """One dot for each place on a grid of whole units, never smaller than can be seen."""
    places = Counter((round(x(a)), round(y(b))) for a, b in zip(across, up, strict=True))
    most = max(places.values())
    parts = []
    for (at, height), count in sorted(places.items()):
        dot = tag(
            "circle", tag("title", words(f"{count:,}")) if count > 1 else Markup(""),
            cx=at, cy=height, r=max(2.5, 9 * sqrt(count / max(most, 9))), class_="plot-dot plot-c1",
        )  # fmt: skip
        parts.append(dot)
    return join(parts)


def _band(level: Level, y: Linear, start: float, end: float) -> Markup:
    if level.low is None or level.high is None:
        return join([])
    return box(start, y(level.low), end, y(level.high), "plot-wash plot-c2")


def _levels(levels: Sequence[Level], y: Linear, start: float, end: float) -> Markup:
    parts, free = [], y.end + 10.0
    for each in sorted(levels, key=lambda level: -level.value):
        at = y(each.value)
        base = max(at - 5, free)
        free = base + 14
        label = f"{each.label} {interval(each.value, each.low, each.high)}"
        parts.append(line(start, at, end, at, "plot-reference"))
        parts.append(
            text(end, base, elide(label, end - start), "plot-note", anchor="end", full=label)
        )
    return join(parts)
