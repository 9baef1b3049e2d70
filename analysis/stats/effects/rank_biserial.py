"""Matched-pairs rank-biserial correlation of differences, with an interval over topics.

r = (W+ - W-) / (W+ + W-) over the n differences that are not 0 (Kerby 2014). W+ counts the pairs of
differences (a difference with itself among them) whose sum is positive, so that r estimates
2 P(D1 + D2 > 0) - 1, and P is estimated by a U statistic of order two (Hoeffding 1948). Its
variance follows from P alone if differences are normal with a mean of delta standard deviations:

    P = Phi(sqrt(2) delta), Q = P(D1 + D2 > 0, D1 + D3 > 0) = E Phi(X + 2 delta)^2 with X ~ N(0, 1)
    var r = 4 (4 (n - 2) (Q - P^2) + 2 P (1 - P)) / (n (n - 1))

The interval contains every r that the observed one does not contradict: (observed - r)^2 at most
t^2 var r, by t with n - 1 degrees of freedom. A percentile bootstrap covered 53 to 91 % at ten
topics: where all differences have one sign, so has every draw.
"""

from collections.abc import Callable

import numpy as np
import scipy
from numpy.polynomial.hermite_e import hermegauss

from analysis.stats.arrays import Floats

FARTHEST = 4.0  # standard deviations: there r is 1 less 2e-8, and still has a variance
ABSCISSAE, WEIGHTS = hermegauss(64)


def rank_biserial(d: Floats) -> float:
    """Return r of differences (n,), at least one of which is not 0."""
    d = d[d != 0]
    rank = scipy.stats.rankdata(np.abs(d))
    return float((np.sign(d) * rank).sum() / rank.sum())


def rank_biserial_interval(r: float, n: int, *, confidence: float) -> tuple[float, float]:
    """Return the ends for the observed r of n >= 3 differences that are not 0."""
    reach = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1))

    def excess(delta: float) -> float:
        P = float(scipy.special.ndtr(np.sqrt(2) * delta))
        return (r - (2 * P - 1)) ** 2 - reach**2 * _variance(P, delta, n)

    observed = float(scipy.special.ndtri((1 + r) / 2)) / np.sqrt(2)
    return _end(excess, observed, -FARTHEST), _end(excess, observed, FARTHEST)


def _end(excess: Callable[[float], float], observed: float, farthest: float) -> float:
    """Return the r that is contradicted, between the observed one and -1 or 1."""
    observed = min(max(observed, -FARTHEST), FARTHEST)
    if excess(farthest) <= 0:
        return float(np.sign(farthest))
    delta = float(scipy.optimize.brentq(excess, observed, farthest))
    return 2 * float(scipy.special.ndtr(np.sqrt(2) * delta)) - 1


def _variance(P: float, delta: float, n: int) -> float:
    """Return the variance of r for normal differences of this mean and standard deviation 1."""
    Q = float(WEIGHTS @ scipy.special.ndtr(ABSCISSAE + 2 * delta) ** 2 / WEIGHTS.sum())
    shared = max(Q - P**2, 0.0)  # rounding, where P is 0 or 1
    return 4 * (4 * (n - 2) * shared + 2 * P * (1 - P)) / (n * (n - 1))
