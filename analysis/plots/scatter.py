"""Points on two axes with lines at heights: differences against means, and the like."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.plots.empty import NO_DATA, empty
from analysis.plots.marks import WIDE, line, shape, text
from analysis.plots.markup import Markup, document, finite, join, tag, words
from analysis.plots.rows import Reference
from analysis.plots.scales import LinearScale, axis_below, axis_left, spanning
from analysis.plots.text_fitting import LINE, SMALL, elide, extent, number

_LEAST, _GROUPED, _MOST = 2.5, 4.5, 9.0  # radii
_SWATCH = 18  # width of a sign in the key


@dataclass(frozen=True)
class Spot:
    """A point with n things; its area grows with n. `group` has a sign of its own."""

    x: float
    y: float
    n: int = 1
    name: str = ""
    group: str = ""


def scatter(
    spots: Sequence[Spot],
    *,
    title: str,
    axis: str,
    height_axis: str,
    references: Sequence[Reference] = (),
    reason: str = NO_DATA,
    width: int = WIDE,
) -> str:
    """Draw discs at x along `axis` and y along `height_axis`; references are heights.

    Raises CannotPlot.

    >>> scatter([Spot(1, 0.5), Spot(2, 0, n=3)], title="Judges", axis="mean",
    ...         height_axis="difference")[:4]
    '<svg'
    """
    if not spots:
        return empty(reason, title=title, width=width)
    xs = spanning(finite(spot.x, axis) for spot in spots)
    ys = spanning(
        [finite(spot.y, height_axis) for spot in spots], among=[spot.value for spot in references]
    )
    groups = list(dict.fromkeys(spot.group for spot in spots if spot.group))
    key, foot = _key(groups, width)
    top = 34.0 + foot
    bottom = top + (250 if width > 480 else 210)
    left = max(extent(label, SMALL) for _, label in ys.labels()) + 10
    x, y = xs.on(left + _MOST, width - 10 - _MOST), ys.on(bottom, top)
    most = max(spot.n for spot in spots)
    return document(
        *key,
        text(0, 18 + foot, elide(height_axis, width, SMALL), "plot-small", full=height_axis),
        axis_left(y, left, end=width - 10, room=left),
        axis_below(x, bottom, width=width, top=top, label=axis),
        *(_sign(spot, x(spot.x), y(spot.y), most, groups) for spot in spots),
        _references(references, y, left, width - 10),
        title=title,
        description=_describe(spots, axis, height_axis, references),
        width=width,
        height=bottom + 40,
        kind="scatter",
    )


def _sign(spot: Spot, x: float, y: float, most: int, groups: Sequence[str]) -> Markup:
    least = _GROUPED if groups else _LEAST
    radius = least if most == 1 else max(least, _MOST * (spot.n / most) ** 0.5)
    hover = f"{number(spot.x)}: {number(spot.y)}, n {spot.n:,}"
    hover = f"{spot.name}: {number(spot.x)}, {number(spot.y)}" if spot.name else hover
    series = groups.index(spot.group) if spot.group else 0
    return tag("g", tag("title", words(hover)), shape(series, x, y, radius))


def _key(groups: Sequence[str], width: float) -> tuple[list[Markup], float]:
    """Return sign and name of each group, in as many lines as they need, and their height."""
    parts: list[Markup] = []
    x, y = 0.0, float(LINE)
    for series, full in enumerate(groups):
        label = elide(full, width - _SWATCH)
        wide = _SWATCH + extent(label)
        if x and x + wide > width:
            x, y = 0.0, y + LINE + 3
        parts += [shape(series, x + 6, y - 5, 4.5), text(x + _SWATCH, y, label, full=full)]
        x += wide + 18
    return parts, y if groups else 0.0


def _describe(
    spots: Sequence[Spot], axis: str, height_axis: str, references: Sequence[Reference]
) -> str:
    heights = [spot.y for spot in spots]
    against = "".join(f" {spot.label} is {number(spot.value)}." for spot in references)
    return (
        f"{height_axis} over {axis}, {sum(spot.n for spot in spots):,} in all, from "
        f"{number(min(heights))} to {number(max(heights))}.{against}"
    )


def _references(
    references: Sequence[Reference], y: LinearScale, start: float, end: float
) -> Markup:
    """Return dashed lines with their names, which keep clear of each other."""
    parts: list[Markup] = []
    taken: list[float] = []
    for line_at in sorted(references, key=lambda reference: -reference.value):
        at = y(line_at.value)
        base = max([at - 5, y.end + 10, *(other + 14 for other in taken)])
        taken.append(base)
        label = f"{line_at.label} {number(line_at.value)}".strip()
        parts.append(line(start, at, end, at, "plot-reference"))
        parts.append(
            text(end, base, elide(label, end - start), "plot-note", anchor="end", full=label)
        )
    return join(parts)
