"""Median with an exact interval, whatever the distribution.

The interval is between two order statistics: the number of values below the median of the
population is binomial like heads in n throws of a coin (Conover, Practical Nonparametric
Statistics, 3rd ed., 3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scipy.stats import binom


@dataclass(frozen=True)
class MedianEstimate:
    """Median of n values, with an interval of at least `confidence` where n is large enough."""

    value: float
    low: float | None
    high: float | None
    n: int
    confidence: float


def exact_median(values: Sequence[float], *, confidence: float = 0.95) -> MedianEstimate:
    """Return the median. Raises statistics.StatisticsError without a value."""
    ordered = sorted(values)
    n = len(ordered)
    # The largest number of values that may lie below the interval.
    below = int(binom.ppf((1 - confidence) / 2, n, 0.5)) if n else 0
    if n and binom.cdf(below, n, 0.5) > (1 - confidence) / 2:
        below -= 1
    if below < 0:
        return MedianEstimate(median(ordered), None, None, n, confidence)
    return MedianEstimate(median(ordered), ordered[below], ordered[n - 1 - below], n, confidence)
