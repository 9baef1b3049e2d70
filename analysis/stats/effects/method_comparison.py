"""Comparison of two measures of the same things: distance and rank correlation.

Bland and Altman (1986): the mean of the differences (bias) and the limits bias +- 1.96 s between
which 95 % of differences lie; the limits have an interval where the things are independent (Bland
and Altman 1999). Things in groups (the items of a topic) are not: then the bias has one by leaving
out a group at a time, and the limits have none, for it covers too seldom. Kendall's tau-b with a
one-tailed p: exact without ties, else the normal approximation that is corrected for ties (Kendall
1948). Spearman's rho: Pearson's of the mid-ranks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats, Ints
from analysis.stats.crossed_errors import jackknife_variance
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import check_confidence

DECIMALS = 9  # what two means differ by below that is how their sums were rounded
BETWEEN = 0.95  # of the differences lie between the limits
LEAST_GROUPS = 20  # for intervals of rank correlations: with ten they cover too seldom
LEAST_RANKED = 3  # of two things, a rank correlation says no more than their order
GAP = float("nan")
RANKS = "A rank correlation"


class NotTwoMeasures(CannotCompute):
    def __init__(self, measure: str, reason: str) -> None:
        super().__init__(
            "measures_not_comparable", f"{measure} cannot be computed because {reason}."
        )


@dataclass(frozen=True, kw_only=True)
class BlandAltmanResult:
    """First minus second over n things: bias, sd, and the limits of agreement.

    Each has its own interval (lower_low to lower_high); without one the ends are NaN.
    """

    bias: float
    bias_low: float
    bias_high: float
    sd: float
    lower_limit: float
    lower_low: float
    lower_high: float
    upper_limit: float
    upper_low: float
    upper_high: float
    n: int
    confidence: float


@dataclass(frozen=True, kw_only=True)
class TauResult:
    """Tau-b with the p-value of one as high or higher between unrelated measures.

    exact: whether p is exact (no ties) or by the normal approximation.
    """

    tau: float
    p: float
    exact: bool
    n: int


@dataclass(frozen=True, kw_only=True)
class RankResult:
    """Spearman's rho and Kendall's tau-b of n things; without an interval its ends are NaN."""

    rho: float
    rho_low: float
    rho_high: float
    tau: float
    tau_low: float
    tau_high: float
    n: int
    confidence: float


def bland_altman(
    first: ArrayLike,
    second: ArrayLike,
    *,
    groups: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> BlandAltmanResult:
    """Compute bias and limits of agreement.

    groups: the group of each thing; things of one group are no further draws. Raises NotTwoMeasures
    with fewer than two things, BadSetting.
    """
    check_confidence(confidence)
    x, y = _two(first, second, "The difference of two measures")
    d = (x - y).round(DECIMALS)  # means that are equal but for the rounding of their sums
    n = len(d)
    group, n_groups = _grouped(groups, n)
    if np.ptp(d) == 0:  # an interval of no width would claim certainty
        error = np.full(3, GAP)
    elif n_groups == n:
        share = 1 / n + _reach() ** 2 / (2 * (n - 1))  # Bland and Altman 1999, section 2
        error = np.sqrt(d.var(ddof=1) * np.array([1 / n, share, share]))
    else:
        error = np.array([_error_over(d, group, n_groups), GAP, GAP])
    half = scipy.stats.t.ppf((1 + confidence) / 2, n_groups - 1) * error
    value = _bias_and_limits(d)
    (bias, lower, upper), low, high = (
        ends.tolist() for ends in (value, value - half, value + half)
    )
    return BlandAltmanResult(
        bias=bias,
        bias_low=low[0],
        bias_high=high[0],
        sd=float(d.std(ddof=1)),
        lower_limit=lower,
        lower_low=low[1],
        lower_high=high[1],
        upper_limit=upper,
        upper_low=low[2],
        upper_high=high[2],
        n=n,
        confidence=confidence,
    )


def _reach() -> float:
    return float(scipy.stats.norm.ppf((1 + BETWEEN) / 2))


def _bias_and_limits(d: Floats) -> Floats:
    bias, reach = d.mean(), _reach() * d.std(ddof=1)
    return np.array([bias, bias - reach, bias + reach])


def _error_over(d: Floats, group: Ints, known: int) -> float:
    """Return the standard error of the mean over groups; none below LEAST_UNITS groups."""
    if known < LEAST_UNITS:
        return GAP
    sums, sizes = np.bincount(group, weights=d), np.bincount(group)
    without = (d.sum() - sums) / (len(d) - sizes)
    return float(np.sqrt(jackknife_variance(without)))


def rank_correlations(
    first: ArrayLike,
    second: ArrayLike,
    *,
    groups: Sequence[object] | None = None,
    confidence: float = 0.95,
) -> RankResult:
    """Compute rho and tau-b of values, rounded to nine decimals first (one_tailed_tau).

    groups: the group of each thing; from LEAST_GROUPS on there are intervals: a group is left out
    at a time, t on the scale of Fisher's z. Raises NotTwoMeasures, BadSetting.
    """
    check_confidence(confidence)
    x, y = (measure.round(DECIMALS) for measure in _two(first, second, RANKS))
    if len(x) < LEAST_RANKED:
        raise NotTwoMeasures(RANKS, f"it needs at least {LEAST_RANKED} values")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise NotTwoMeasures(RANKS, "all values of one measure are equal")
    correlations = _ranked(x, y)
    low, high = np.full(2, GAP), np.full(2, GAP)
    group, n_groups = _grouped(groups, len(x))
    if groups is not None and n_groups >= LEAST_GROUPS and (np.abs(correlations) < 1).all():
        without = np.array([_ranked(x[group != k], y[group != k]) for k in range(n_groups)])
        if (np.abs(without) < 1).all():  # and not NaN
            error = np.sqrt(jackknife_variance(np.arctanh(without)))
            half = scipy.stats.t.ppf((1 + confidence) / 2, n_groups - 1) * error
            low, high = (
                np.tanh(np.arctanh(correlations) - half),
                np.tanh(np.arctanh(correlations) + half),
            )
    rho, tau = zip(correlations.tolist(), low.tolist(), high.tolist(), strict=True)
    return RankResult(
        rho=rho[0],
        rho_low=rho[1],
        rho_high=rho[2],
        tau=tau[0],
        tau_low=tau[1],
        tau_high=tau[2],
        n=len(x),
        confidence=confidence,
    )


def _ranked(x: Floats, y: Floats) -> Floats:
    """Return rho and tau; NaN where one of the two is constant."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.full(2, GAP)
    rho, tau = scipy.stats.spearmanr(x, y).statistic, scipy.stats.kendalltau(x, y).statistic
    return np.array([rho, tau])


def _grouped(groups: Sequence[object] | None, n: int) -> tuple[Ints, int]:
    """Return the group number of each thing, and the number of groups."""
    names = range(n) if groups is None else [str(label) for label in groups]
    group = np.unique(np.asarray(names), return_inverse=True)[1]
    return group, int(group.max()) + 1


def one_tailed_tau(first: ArrayLike, second: ArrayLike) -> TauResult:
    """Compute tau-b with the p of a positive association, from values rounded to nine decimals.

    Without that, means that are equal but for the rounding of their sums would count as ranked
    (.400 in place of .445 in Popp et al.). Raises NotTwoMeasures.
    """
    x, y = (measure.round(DECIMALS) for measure in _two(first, second, "Kendall's tau-b"))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise NotTwoMeasures("Kendall's tau-b", "all values of one measure are equal")
    exact = len(set(x)) == len(x) and len(set(y)) == len(y)
    result = scipy.stats.kendalltau(
        x, y, alternative="greater", method="exact" if exact else "asymptotic"
    )
    return TauResult(tau=float(result.statistic), p=float(result.pvalue), exact=exact, n=len(x))


def _two(first: ArrayLike, second: ArrayLike, measure: str) -> tuple[Floats, Floats]:
    x, y = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if x.shape != y.shape or x.ndim != 1:
        raise NotTwoMeasures(measure, "they have different numbers of values")
    if len(x) < 2:
        raise NotTwoMeasures(measure, "it needs at least two values")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise NotTwoMeasures(measure, "some values are missing")
    return x, y
