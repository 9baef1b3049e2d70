"""Two measures of the same things: how far apart they are, and whether they rank them alike.

Bland and Altman (1986): the mean of the differences (bias) and the limits bias +- 1.96 s between
which 95 % of differences lie. Kendall's tau-b with a one-tailed p: exact without ties, else the
normal approximation that is corrected for ties (Kendall 1948).
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import check_confidence

DECIMALS = 9  # what two means differ by below that is how their sums were rounded
BETWEEN = 0.95  # of the differences lie between the limits


class NotTwoMeasures(CannotCompute):
    def __init__(self, measure: str, reason: str) -> None:
        super().__init__(f"{measure} cannot be computed because {reason}.")


@dataclass(frozen=True, kw_only=True)
class BlandAltmanResult:
    """first - second over n things: bias with its t interval, sd, and the limits of agreement."""

    bias: float
    bias_low: float
    bias_high: float
    sd: float
    lower_limit: float
    upper_limit: float
    n: int
    confidence: float


@dataclass(frozen=True, kw_only=True)
class TauResult:
    """tau-b, and the chance of one as high or higher if the two had nothing to do with each other.

    exact: whether p is exact (no ties) or by the normal approximation.
    """

    tau: float
    p: float
    exact: bool
    n: int


def bland_altman(
    first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95
) -> BlandAltmanResult:
    """Raises NotTwoMeasures with fewer than two things, BadSetting."""
    check_confidence(confidence)
    x, y = _two(first, second, "The difference of two measures")
    d = x - y
    sd = float(d.std(ddof=1))
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, len(d) - 1)) * sd / len(d) ** 0.5
    reach = float(scipy.stats.norm.ppf((1 + BETWEEN) / 2)) * sd
    bias = float(d.mean())
    return BlandAltmanResult(
        bias=bias,
        bias_low=bias - half,
        bias_high=bias + half,
        sd=sd,
        lower_limit=bias - reach,
        upper_limit=bias + reach,
        n=len(d),
        confidence=confidence,
    )


def one_tailed_tau(first: ArrayLike, second: ArrayLike) -> TauResult:
    """tau-b with the p of a positive association. Values are rounded to nine decimals first.

    Without that, means that are equal but for the rounding of their sums would count as ranked
    (.400 in place of .445 in Popp et al.). Raises NotTwoMeasures.
    """
    x, y = (each.round(DECIMALS) for each in _two(first, second, "Kendall's tau-b"))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise NotTwoMeasures("Kendall's tau-b", "all values of one measure are equal")
    exact = len(set(x)) == len(x) and len(set(y)) == len(y)
    found = scipy.stats.kendalltau(
        x, y, alternative="greater", method="exact" if exact else "asymptotic"
    )
    return TauResult(tau=float(found.statistic), p=float(found.pvalue), exact=exact, n=len(x))


def _two(first: ArrayLike, second: ArrayLike, measure: str) -> tuple[Floats, Floats]:
    x, y = (np.asarray(each, dtype=np.float64) for each in (first, second))
    if x.shape != y.shape or x.ndim != 1:
        raise NotTwoMeasures(measure, "the two have not equally many values")
    if len(x) < 2:
        raise NotTwoMeasures(measure, "there are fewer than two things to compare")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise NotTwoMeasures(measure, "some values are missing")
    return x, y
