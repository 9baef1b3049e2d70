"""Agreement of two methods on the ranking of the same texts or systems.

Kendall's tau-b within each topic, then the mean over topics. A topic whose values are all equal by
a method is left out.
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

    units: things compared in these topics. low, high: a t interval over topics; NaN without one,
    and then `why` is the reason.
    """

    tau: float
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
        raise NotTwoMeasures(RANKS, f"no topic has {LEAST_RANKED} things that differ by both")
    taus = np.array([scipy.stats.kendalltau(a, b).statistic for a, b in parts])
    why = _why_no_interval(taus, sum(len(a) >= LEAST_TEXTS for a, _ in parts))
    low, high = (GAP, GAP) if why else _over_topics(taus, confidence)
    return MethodAgreement(
        tau=float(taus.mean()),
        low=low,
        high=high,
        why=why,
        units=sum(len(a) for a, _ in parts),
        topics=len(parts),
        confidence=confidence,
    )


def _why_no_interval(taus: Floats, large: int) -> str:
    """Return the reason against an interval, or an empty string.

    large: the topics with LEAST_TEXTS texts.
    """
    if large < LEAST_GROUPS:
        return (
            f"Not enough data for a confidence interval because it needs {LEAST_GROUPS} topics "
            f"with {LEAST_TEXTS} texts (you have {large})."
        )
    if np.ptp(taus.round(DECIMALS)) == 0:
        return "No confidence interval because tau-b is the same in all topics."
    return ""


def _over_topics(taus: Floats, confidence: float) -> tuple[float, float]:
    n = len(taus)
    half = scipy.stats.t.ppf((1 + confidence) / 2, n - 1) * taus.std(ddof=1) / n**0.5
    return max(float(taus.mean() - half), -1.0), min(float(taus.mean() + half), 1.0)
