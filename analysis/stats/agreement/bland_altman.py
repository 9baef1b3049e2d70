"""The differences of two raters' numbers: bias, limits of agreement, and the test of no bias.

Bland and Altman (1999), Measuring Agreement in Method Comparison Studies: the bias is the mean of
other - one, the limits of agreement are bias +- 1.96 s.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats
from analysis.stats.errors import BadSetting, CannotCompute

LIMIT = 1.96  # Bland and Altman's: 95 % of the differences, were they normal


class NotMatched(CannotCompute):
    """The two raters have too little in common."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The agreement of two raters cannot be computed because {reason}.")


@dataclass(frozen=True, kw_only=True)
class BlandAltman:
    """bias: the mean of other - one over n items; s: the standard deviation of the differences.

    lower, upper: bias -+ 1.96 s. Each with a t interval, the limits' after Bland and Altman (1999):
    their standard error is s sqrt(1 / n + 1.96^2 / (2 (n - 1))).
    t, t_p: paired t-test of no bias, two-sided; NaN if all differences are the same.
    """

    n: int
    bias: float
    bias_low: float
    bias_high: float
    s: float
    lower: float
    lower_low: float
    lower_high: float
    upper: float
    upper_low: float
    upper_high: float
    t: float
    t_p: float
    confidence: float


def bland_altman(one: ArrayLike, other: ArrayLike, *, confidence: float = 0.95) -> BlandAltman:
    """Bias and limits of agreement of two raters' numbers (n,). Raises NotMatched, BadSetting."""
    if not 0 < confidence < 1:
        raise BadSetting("confidence", confidence, "between 0 and 1")
    x, y = matched_numbers(one, other)
    if np.isnan(x).any() or np.isnan(y).any():
        raise NotMatched("a value is not a finite number")
    if len(x) < 2:
        raise NotMatched(f"they have {len(x)} items in common, and it takes two")
    d = y - x
    n, bias, s = len(d), float(d.mean()), float(d.std(ddof=1))
    reach = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1)) * s
    half = reach / np.sqrt(n)
    limit = reach * np.sqrt(1 / n + LIMIT**2 / (2 * (n - 1)))
    # all alike but for rounding: no error to measure the bias by
    t = bias / (s / np.sqrt(n)) if s > 1e-12 * max(np.abs(d).max(), 1e-300) else float("nan")
    return BlandAltman(
        n=n,
        bias=bias,
        bias_low=bias - half,
        bias_high=bias + half,
        s=s,
        lower=bias - LIMIT * s,
        lower_low=bias - LIMIT * s - limit,
        lower_high=bias - LIMIT * s + limit,
        upper=bias + LIMIT * s,
        upper_low=bias + LIMIT * s - limit,
        upper_high=bias + LIMIT * s + limit,
        t=t,
        t_p=2 * float(scipy.stats.t.sf(abs(t), n - 1)),
        confidence=confidence,
    )


def matched_numbers(one: ArrayLike, other: ArrayLike) -> tuple[Floats, Floats]:
    """The values of both as floats (n,), NaN for a missing one. Raises NotMatched."""
    x, y = (np.asarray(values, dtype=np.float64) for values in (one, other))
    if x.shape != y.shape or x.ndim != 1:
        raise NotMatched(f"there are {x.size} and {y.size} values")
    if np.isinf(x).any() or np.isinf(y).any():
        raise NotMatched("a value is infinite")
    return x, y
