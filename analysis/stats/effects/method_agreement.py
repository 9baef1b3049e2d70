"""Agreement of two methods on the ranking of the same texts or systems.

Kendall's tau-b within each topic, then the mean over topics. The one-tailed p is that of one topic
(one_tailed_tau), or of S summed over topics against its variance, corrected for ties (Kendall,
Rank Correlation Methods, 1948). A topic whose values are all equal by a method is left out.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.method_comparison import (
    DECIMALS,
    GAP,
    LEAST_RANKED,
    RANKS,
    NotTwoMeasures,
    one_tailed_tau,
)
from analysis.stats.resampling import check_confidence
from analysis.stats.verdicts import LEAST_UNITS


@dataclass(frozen=True, kw_only=True)
class MethodAgreement:
    """Mean tau-b over topics with the p of a positive association.

    units: things compared in these topics. low, high: a t interval over topics, NaN below
    LEAST_UNITS topics.
    """

    tau: float
    low: float
    high: float
    p: float
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
        raise NotTwoMeasures(RANKS, f"no topic has {LEAST_RANKED} things that differ by both")
    taus = np.array([scipy.stats.kendalltau(a, b).statistic for a, b in parts])
    low, high = _over_topics(taus, confidence)
    return MethodAgreement(
        tau=float(taus.mean()),
        low=low,
        high=high,
        p=one_tailed_tau(*parts[0]).p if len(parts) == 1 else _stratified_p(parts),
        units=sum(len(a) for a, _ in parts),
        topics=len(parts),
        confidence=confidence,
    )


def _over_topics(taus: Floats, confidence: float) -> tuple[float, float]:
    n = len(taus)
    if n < LEAST_UNITS or np.ptp(taus) == 0:
        return GAP, GAP
    half = scipy.stats.t.ppf((1 + confidence) / 2, n - 1) * taus.std(ddof=1) / n**0.5
    return max(float(taus.mean() - half), -1.0), min(float(taus.mean() + half), 1.0)


def _stratified_p(parts: Sequence[tuple[Floats, Floats]]) -> float:
    moments = np.array([_moments(a, b) for a, b in parts])
    total, variance = moments.sum(axis=0)
    return float(scipy.stats.norm.sf(total / variance**0.5))


def _moments(x: Floats, y: Floats) -> tuple[float, float]:
    """Return S (concordant minus discordant pairs) and its variance under independence."""
    n = len(x)
    i, j = np.triu_indices(n, 1)
    s = float((np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])).sum())
    t, u = (np.unique(values, return_counts=True)[1] for values in (x, y))
    variance = (n * (n - 1) * (2 * n + 5) - _v(t) - _v(u)) / 18
    variance += _pairs(t) * _pairs(u) / (2 * n * (n - 1))
    variance += _triples(t) * _triples(u) / (9 * n * (n - 1) * (n - 2))
    return s, float(variance)


def _v(ties: Ints) -> float:
    return float((ties * (ties - 1) * (2 * ties + 5)).sum())


def _pairs(ties: Ints) -> float:
    return float((ties * (ties - 1)).sum())


def _triples(ties: Ints) -> float:
    return float((ties * (ties - 1) * (ties - 2)).sum())
