"""Intervals of units that raters choose from, by leaving each rater out.

The units are given, and the raters are drawn: intervals are for other raters of them. Degrees of
freedom are those of as many equally busy raters, less one: (sum of answers)^2 / sum of squares.
"""

from typing import NamedTuple

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.choices.choices import Choices
from analysis.stats.verdicts import LEAST_RATERS_ALONE

LEAST_RATERS = LEAST_RATERS_ALONE  # of a unit


class RaterLoads(NamedTuple):
    """raters, degrees (U,): of the answers that had the unit; weights (G, A) without each rater."""

    raters: Ints
    degrees: Floats
    without: Floats


def rater_loads(choices: Choices) -> RaterLoads:
    """Return the loads of G raters."""
    without = (choices.rater != np.arange(choices.rater.max() + 1)[:, None]).astype(np.float64)
    loads = (1 - without) @ choices.shown.astype(np.float64)
    equal = loads.sum(axis=0) ** 2 / (loads**2).sum(axis=0)
    return RaterLoads((loads > 0).sum(axis=0), np.maximum(equal - 1, 1.0), without)


def half_width(variance: Floats, loads: RaterLoads, confidence: float) -> Floats:
    """Return half the width of the t intervals (U,); NaN with too few raters."""
    half = scipy.stats.t.ppf((1 + confidence) / 2, loads.degrees) * np.sqrt(variance)
    return np.where(loads.raters >= LEAST_RATERS, half, np.nan)
