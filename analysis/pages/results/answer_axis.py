"""Axis of the plot in a table: positions in percent of its width, and round ticks."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Protocol

MARGIN = 7.0  # percent of the width at each end, for the words of the outer ticks
MOST_TICKS = 7
LEAST_PART = 0.2  # of the possible scores that an axis covers
SLACK = 1e-9  # rounding of floats


class Bar(Protocol):
    """Estimate with ends that may be missing."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True)
class Tick:
    at: str
    text: str
    is_middle: bool


@dataclass(frozen=True)
class Axis:
    """Range of values and the distance of its ticks."""

    low: float
    high: float
    step: float
    is_share: bool

    def at(self, value: float | None) -> str:
        """Return the position of a value as SVG writes it."""
        if value is None:
            return ""
        inside = max(self.low, min(self.high, value))
        part = (inside - self.low) / (self.high - self.low)
        return f"{MARGIN + part * (100 - 2 * MARGIN):.2f}%"

    @property
    def ticks(self) -> list[Tick]:
        count = round((self.high - self.low) / self.step)
        values = [self.low + self.step * k for k in range(count + 1)]
        return [
            Tick(
                self.at(value),
                self._text(value, is_end=k in (0, count)),
                abs(value - 0.5) < SLACK if self.is_share else False,
            )
            for k, value in enumerate(values)
        ]

    def _text(self, value: float, *, is_end: bool) -> str:
        if self.is_share:
            return f"{value * 100:.0f}%" if is_end else f"{value * 100:.0f}"
        digits = max(0, -floor(log10(self.step)))
        return f"{round(value, digits) + 0:.{digits}f}".replace("-", "−")


def axis_of(
    bars: Sequence[Bar], *, is_share: bool, possible: tuple[float, float] | None = None
) -> Axis:
    """Return an axis that covers all intervals. An axis of shares has 50% near its middle.

    The axis covers at least a fifth of the `possible` scores, so that small differences look small.
    """
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    if is_share:
        ends = [*ends, 0.5]
    if not ends:
        return Axis(0.0, 1.0, 0.5, is_share)
    low, high = min(ends), max(ends)
    if possible and not is_share:
        low, high = _widened(low, high, possible)
    if is_share:
        wide = ceil(high * 10 - SLACK) - floor(low * 10 + SLACK) >= MOST_TICKS
        step = 0.25 if wide else 0.1
    else:
        step = _round_step((high - low) or 1.0)
    low, high = floor(low / step + SLACK) * step, ceil(high / step - SLACK) * step
    if low == high:
        low, high = low - step, high + step
    return Axis(low, high, step, is_share)


def _widened(low: float, high: float, possible: tuple[float, float]) -> tuple[float, float]:
    """Return the range, widened to at least LEAST_PART of the possible scores."""
    least, most = possible
    lacking = LEAST_PART * (most - least) - (high - low)
    if lacking <= 0:
        return low, high
    begin = max(least, min(low - lacking / 2, most - LEAST_PART * (most - least)))
    return min(low, begin), max(high, begin + LEAST_PART * (most - least))


def _round_step(width: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that gives at most six parts."""
    rough = width / 5
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
