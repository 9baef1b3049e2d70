"""The median with an exact interval, whatever the distribution. Pure.

The interval is between two order statistics: as many values lie below the median of the population
as heads fall in n throws of a coin (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scipy.stats import binom


@dataclass(frozen=True)
class Median:
    """Of n values; without an interval where too few can have one. It covers `confidence` at
    least.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    confidence: float


def exact_median(values: Sequence[float], *, confidence: float = 0.95) -> Median:
    """Raises statistics.StatisticsError without a value."""
    ordered = sorted(values)
    n = len(ordered)
    # The largest number of values that may lie below the interval.
    below = int(binom.ppf((1 - confidence) / 2, n, 0.5)) if n else 0
    if n and binom.cdf(below, n, 0.5) > (1 - confidence) / 2:
        below -= 1
    if below < 0:
        return Median(median(ordered), None, None, n, confidence)
    return Median(median(ordered), ordered[below], ordered[n - 1 - below], n, confidence)
