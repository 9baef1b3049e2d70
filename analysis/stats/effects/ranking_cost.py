"""Cost of a reliable ranking with a method.

Reliability is the share of the variance between scores that isn't error of the raters:
1 - mean(SE^2) / var(scores). Its odds grow in proportion to the raters (Spearman 1910, Brown 1910),
so that cost / odds is the cost of a unit of certainty, whatever the scale of the method, and nine
units are a reliability of .9.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from analysis.stats.errors import CannotCompute

WANTED = 0.9
LEAST_SCORES = 3


@dataclass(frozen=True)
class RankingCost:
    """Reliability of n scores, and the cost of a reliability of WANTED."""

    reliability: float
    cost: float
    n: int


def ranking_cost(
    values: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    raters: Sequence[int],
    cost: float,
    confidence: float = 0.95,
) -> RankingCost:
    """Compute the cost from scores with t intervals over raters. Raises CannotCompute."""
    v, half = np.asarray(values, float), (np.asarray(high, float) - np.asarray(low, float)) / 2
    if len(v) < LEAST_SCORES or not np.isfinite(half).all():
        raise CannotCompute(
            "no_intervals",
            "Reliability can't be computed: the totals of systems have no intervals.",
        )
    t = scipy.stats.t.ppf((1 + confidence) / 2, np.asarray(raters) - 1)
    error, spread = float(((half / t) ** 2).mean()), float(v.var(ddof=1))
    if spread <= error:
        raise CannotCompute(
            "unreliable",
            "Reliability can't be computed: systems differ less than raters do.",
        )
    if error == 0:
        raise CannotCompute(
            "no_error", "Reliability can't be computed: all raters agree on all totals."
        )
    reliability = 1 - error / spread
    units = reliability / (1 - reliability)
    return RankingCost(reliability, cost / units * WANTED / (1 - WANTED), len(v))
