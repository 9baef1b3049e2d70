"""Intervals and p-values that hold at every look at a study that still grows.

Who looks again and again, and stops at the first p below .05, errs far more often than in 5 %.
With z standing for a p-value of one look, the standardised error of an estimate whose information
grows from m to r m follows |B(t)| / sqrt(t), B being Brownian motion and t going from 1 to r. It
exceeds b somewhere on the way with a probability near

    φ(b) ((b - 1 / b) log r + 4 / b)

(Miller and Siegmund 1982, Maximally Selected Chi Square Statistics, Biometrics 38; the constant
boundary is that of Pocock 1977). So an interval of one look, at the level that belongs to b, holds
at all looks together. The t distribution of each look is that of the fixed sample. Where a part of
the error does not shrink (topics that all have votes from the beginning), looks differ less and
the interval is wider than needed.
"""

from functools import cache

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.resampling import check_confidence

GROWTH = 100  # r: from ten workers, the fewest with an interval, to a thousand
FLAT = 1.25  # z below which the approximation does not decrease: p is 1 there
FARTHEST = 38.0  # z of the least positive number


@cache
def look_confidence(confidence: float) -> float:
    """Return the confidence of a fixed-sample interval that holds at all looks with `confidence`.

    95 % becomes 99.79 %, or 3.07 standard errors instead of 1.96 where degrees are many.
    """
    check_confidence(confidence)
    alpha = 1 - confidence
    if alpha >= _crossing(np.asarray(FLAT)):
        return float(1 - 2 * scipy.stats.norm.sf(FLAT))
    b = scipy.optimize.brentq(lambda z: float(_crossing(np.asarray(z))) - alpha, FLAT, FARTHEST)
    return float(1 - 2 * scipy.stats.norm.sf(b))


def anytime_p(p: Floats) -> Floats:
    """Return p-values that hold at all looks from those of one look; NaN stays.

    Such a p is below 1 - confidence where the interval at `look_confidence` leaves out the null.
    """
    z = np.minimum(scipy.stats.norm.isf(np.asarray(p, dtype=np.float64) / 2), FARTHEST)
    return np.where(z < FLAT, 1.0, _crossing(np.maximum(z, FLAT)))


def ahead_of_p(value: Floats, p: Floats) -> Floats:
    """Return how surely a value is above 0, given its two-sided p."""
    return np.where(np.asarray(value) > 0, 1 - np.asarray(p) / 2, np.asarray(p) / 2)


def _crossing(z: Floats) -> Floats:
    """Return how likely the standardised error exceeds z at some look."""
    return np.asarray(scipy.stats.norm.pdf(z) * ((z - 1 / z) * np.log(GROWTH) + 4 / z))
