"""Linear scales from data to places, round ticks, and axes whose labels never touch."""

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.plots.marks import line, text
from analysis.plots.markup import Markup, join, tag
from analysis.plots.text_fitting import SMALL, elide, extent

_MOST = sys.float_info.max
_LEAST = 1e-300  # a smaller step would have no power of ten that is a normal number


@dataclass(frozen=True)
class LinearScale:
    """Data from low to high (low < high) on places from start to end, clipped outside."""

    low: float
    high: float
    start: float = 0.0
    end: float = 1.0

    def __call__(self, value: float) -> float:
        unit = max(abs(self.low), abs(self.high))  # so that high - low cannot overflow
        share = (value / unit - self.low / unit) / (self.high / unit - self.low / unit)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def on(self, start: float, end: float) -> "LinearScale":
        """Return the same data on other places."""
        return LinearScale(self.low, self.high, start, end)

    def ticks(self, count: int = 5) -> list[float]:
        """Return about this many round numbers (1, 2 or 5 times a power of ten) within the data."""
        step = _step(self.low, self.high, count)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [tick for k in range(first, last + 1) if math.isfinite(tick := k * step)]

    def labels(self, count: int = 5) -> list[tuple[float, str]]:
        """Return ticks with their labels."""
        step = _step(self.low, self.high, count)
        ticks = self.ticks(count)
        most = max((abs(tick) for tick in ticks), default=0.0)
        if step < 1e-4 or most >= 1e6:
            return [(tick, f"{tick:.3g}".replace("-", "−")) for tick in ticks]
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        return [(tick, f"{tick + 0.0:,.{digits}f}".replace("-", "−")) for tick in ticks]


def _step(low: float, high: float, count: int) -> float:
    unit = max(abs(low), abs(high))
    raw = max((high / unit - low / unit) / count * unit, _LEAST)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next((m * power for m in (1, 2, 5) if m * power >= raw * 0.999), 10 * power)
    return min(step, _MOST)


def spanning(
    values: Iterable[float],
    *,
    among: Iterable[float] = (),
    possible: tuple[float, float] | None = None,
) -> LinearScale:
    """Return a scale that shows all values, and those of `among`, between round numbers.

    Equal values get room on both sides, but none beyond the `possible` range: no share is 110 %.
    Without values it is 0 to 1.
    """
    values_shown = [*values, *among]
    low, high = min(values_shown, default=0.0), max(values_shown, default=1.0)
    unit = max(abs(low), abs(high))
    if unit < _LEAST or high / unit - low / unit < 1e-9:
        pad = unit * 0.1 if unit >= _LEAST else 0.5
        low, high = max(low - pad, -_MOST), min(high + pad, _MOST)
    step = _step(low, high, 5)
    least, most = possible or (-_MOST, _MOST)
    low = max(math.floor(low / step + 1e-9) * step, least)
    high = min(math.ceil(high / step - 1e-9) * step, most)
    return LinearScale(low, high) if low < high else LinearScale(least, most)


def axis_below(
    scale: LinearScale, y: float, *, width: float, top: float, label: str = ""
) -> Markup:
    """Draw grid lines from top to y, numbers under them, the name of the axis under those.

    `width` is that of the plot: labels at the ends are moved so that they stay inside.
    Takes 22 units below y, and 18 more for the name.
    """
    parts, free = [], -math.inf
    room = abs(scale.end - scale.start)
    for tick, written in scale.labels(max(2, min(6, int(room / 50)))):
        x, half = scale(tick), extent(written, SMALL) / 2
        parts.append(line(x, top, x, y, "plot-grid"))
        middle = min(max(x, half), width - half)
        if middle - half < free:
            continue
        parts.append(text(middle, y + 15, written, "plot-small", anchor="middle"))
        free = middle + half + 6
    parts.append(line(min(scale.start, scale.end), y, max(scale.start, scale.end), y, "plot-axis"))
    if label:
        name = elide(label, width, SMALL)
        half = extent(name, SMALL) / 2
        middle = min(max((scale.start + scale.end) / 2, half), width - half)
        parts.append(text(middle, y + 33, name, "plot-small", anchor="middle"))
    return tag("g", join(parts))


def axis_left(scale: LinearScale, x: float, *, end: float, room: float, most: int = 5) -> Markup:
    """Draw grid lines from x to end, and about `most` numbers in the room left of x."""
    parts = []
    count = max(1, min(5, most))
    for tick, written in scale.labels(count):
        y = scale(tick)
        parts.append(line(x, y, end, y, "plot-grid"))
        parts.append(
            text(x - 6, y + 4, elide(written, room - 6, SMALL), "plot-small", anchor="end")
        )
    return tag("g", join(parts))
