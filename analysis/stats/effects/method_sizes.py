"""Sample sizes and smallest detectable differences for the test of each method.

Grades: a t-test of two systems, or a one-way ANOVA over several (Cohen's d, f). Numbers of yes: two
proportions around one half, or chi-square over several (w). Wins: the sign test of one half. Best
and worst of m texts: a z-test of scores of which 2 / m are 1 or -1. All are two-sided; answers
count as independent.
"""

from collections.abc import Callable
from math import ceil, sqrt

import scipy

from analysis.stats.errors import BadSetting

ALPHA, POWER = 0.05, 0.8
REACH = float(scipy.stats.norm.isf(ALPHA / 2) + scipy.stats.norm.ppf(POWER))


def anova_size(*, groups: int, f: float) -> float:
    """Return n per group without rounding. Raises BadSetting."""
    _check(f)

    def reached(n: float) -> float:
        within = groups * (n - 1)
        limit = scipy.stats.f.isf(ALPHA, groups - 1, within)
        return float(scipy.stats.ncf.sf(limit, groups - 1, within, f**2 * groups * n)) - POWER

    return _root(reached, 1.5, 10 / f**2 + 10)


def chi2_size(*, df: int, w: float) -> float:
    """Return n of a chi-square test without rounding. Raises BadSetting."""
    _check(w)
    limit = scipy.stats.chi2.isf(ALPHA, df)
    noncentral = _root(lambda x: float(scipy.stats.ncx2.sf(limit, df, x)) - POWER, 1e-6, 1e4)
    return noncentral / w**2


def t_difference(n: float) -> float:
    """Return the smallest detectable d between two systems with n answers each; NaN if n < 2."""
    if n < 2:
        return float("nan")
    df = 2 * n - 2
    limit = scipy.stats.t.isf(ALPHA / 2, df)
    return _root(lambda d: float(scipy.stats.nct.sf(limit, df, d * sqrt(n / 2))) - POWER, 1e-6, 40)


def yes_difference(n: float) -> float:
    """Return the smallest difference of two shares around .5 with n answers each; at most 1."""
    # (p1 - p2) = REACH sqrt(2 p q / n) with p q = (1 - (p1 - p2)^2) / 4
    return REACH / sqrt(2 * n + REACH**2)


def win_difference(n: float) -> float:
    """Return the smallest detectable win rate minus .5 with n votes without ties; at most .5."""
    return REACH / (2 * sqrt(n + REACH**2))


def best_worst_difference(n: float, *, shown: int) -> float:
    """Return the smallest difference of two scores (-1 to 1) with n showings each; at most 2."""
    return min(REACH * sqrt(2 * 2 / shown / n), 2.0)


def whole(n: float) -> int:
    """Return the number of answers, rounded up to reach the power."""
    return ceil(n - 1e-9)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(scipy.optimize.brentq(function, low, high, xtol=1e-6))


def _check(effect: float) -> None:
    if not 0.001 <= effect <= 10:
        raise BadSetting("an effect size", effect, "from .001 to 10")
