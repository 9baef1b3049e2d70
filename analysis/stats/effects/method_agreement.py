"""Agreement of two methods on the ranking of the same texts or systems.

Kendall's tau-b within each topic, then the mean over topics. A topic whose values are all equal by
a method is left out. p is two-sided: scipy's for one topic, which is exact without ties; else the
mean of independent taus is normal, with Kendall's variances under the null (1970, with ties).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats
from analysis.stats.effects.method_comparison import (
    DECIMALS,
    GAP,
    LEAST_GROUPS,
    LEAST_RANKED,
    RANKS,
    NotTwoMeasures,
)
from analysis.stats.resampling import check_confidence

LEAST_TEXTS = 6  # of a topic that counts for an interval; benchmarks/coverage/methods.py


@dataclass(frozen=True, kw_only=True)
class MethodAgreement:
    """Mean tau-b over topics.

    p: of no association within topics. units: things compared in these topics. low, high: a t
    interval over topics; NaN without one, and then `why` is the reason.
    """

    tau: float
    p: float
    low: float
    high: float
    why: str
    units: int
    topics: int
    confidence: float


def method_agreement(
    first: ArrayLike,
    second: ArrayLike,
    *,
    topics: Sequence[Hashable],
    confidence: float = 0.95,
) -> MethodAgreement:
    """Compute tau-b of two methods within topics.

    Raises NotTwoMeasures where no topic has three things that both methods tell apart, BadSetting.
    """
    check_confidence(confidence)
    x, y = (np.asarray(values, dtype=np.float64).round(DECIMALS) for values in (first, second))
    group = np.unique([str(topic) for topic in topics], return_inverse=True)[1]
    parts = [(x[group == k], y[group == k]) for k in range(int(group.max(initial=-1)) + 1)]
    parts = [(a, b) for a, b in parts if len(a) >= LEAST_RANKED and np.ptp(a) > 0 and np.ptp(b) > 0]
    if not parts:
        raise NotTwoMeasures(
            RANKS, f"no topic has {LEAST_RANKED} texts with different scores by both"
        )
    tests = [scipy.stats.kendalltau(a, b) for a, b in parts]
    taus = np.array([test.statistic for test in tests])
    why = _why_no_interval(taus, sum(len(a) >= LEAST_TEXTS for a, _ in parts))
    low, high = (GAP, GAP) if why else _over_topics(taus, confidence)
    return MethodAgreement(
        tau=float(taus.mean()),
        p=float(tests[0].pvalue) if len(tests) == 1 else _over_all(taus, parts),
        low=low,
        high=high,
        why=why,
        units=sum(len(a) for a, _ in parts),
        topics=len(parts),
        confidence=confidence,
    )


def signal_to_noise(
    values: ArrayLike,
    half_widths: ArrayLike,
    *,
    topics: Sequence[Hashable],
    confidence: float = 0.95,
) -> float:
    """Return the variance of true scores within topics over the mean squared standard error.

    half_widths: of the intervals of values, from which the errors are taken as if normal. The
    ratio has no unit and grows with the number of votes, so methods can be compared. NaN where
    intervals are missing or no topic has two values.
    """
    x, half = np.asarray(values, dtype=np.float64), np.asarray(half_widths, dtype=np.float64)
    group = np.unique([str(topic) for topic in topics], return_inverse=True)[1]
    counts = np.bincount(group) if len(group) else np.zeros(1)
    degrees = len(x) - np.count_nonzero(counts)
    noise = (
        float(np.mean((half / scipy.stats.norm.ppf((1 + confidence) / 2)) ** 2)) if len(x) else 0
    )
    if degrees < 1 or not noise > 0:
        return GAP
    means = np.bincount(group, weights=x) / counts
    spread = float(((x - means[group]) ** 2).sum()) / degrees
    return max(0.0, spread - noise) / noise


def _over_all(taus: Floats, parts: Sequence[tuple[Floats, Floats]]) -> float:
    """Return p of the mean tau-b of several topics."""
    z = abs(taus.sum()) / sum(_null_variance(a, b) for a, b in parts) ** 0.5
    return float(2 * scipy.stats.norm.sf(z))


def _null_variance(x: Floats, y: Floats) -> float:
    """Return the variance of tau-b without association, given the ties."""
    n = len(x)
    t, u = (np.unique(values, return_counts=True)[1].astype(float) for values in (x, y))
    pairs_t, pairs_u = (float((c * (c - 1)).sum()) for c in (t, u))
    threes_t, threes_u = (float((c * (c - 1) * (c - 2)).sum()) for c in (t, u))
    ties = sum(float((c * (c - 1) * (2 * c + 5)).sum()) for c in (t, u))
    variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
    variance += pairs_t * pairs_u / (2 * n * (n - 1))
    variance += threes_t * threes_u / (9 * n * (n - 1) * (n - 2))
    whole = n * (n - 1) / 2
    return variance / ((whole - pairs_t / 2) * (whole - pairs_u / 2))


def _why_no_interval(taus: Floats, large: int) -> str:
    """Return the reason against an interval, or an empty string.

    large: the topics with LEAST_TEXTS texts.
    """
    if large < LEAST_GROUPS:
        return (
            f"A confidence interval needs {LEAST_GROUPS} topics with {LEAST_TEXTS} texts (you have "
            f"{large})."
        )
    if np.ptp(taus.round(DECIMALS)) == 0:
        return "No confidence interval: tau-b is the same in all topics."
    return ""


def _over_topics(taus: Floats, confidence: float) -> tuple[float, float]:
    n = len(taus)
    half = scipy.stats.t.ppf((1 + confidence) / 2, n - 1) * taus.std(ddof=1) / n**0.5
    return max(float(taus.mean() - half), -1.0), min(float(taus.mean() + half), 1.0)
