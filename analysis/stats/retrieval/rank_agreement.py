"""Agreement of a leaderboard with an official order of systems.

Spearman's rho (Pearson's of mid-ranks) and Kendall's tau-b weigh all places alike. Tau-AP (Yilmaz,
Aslam and Robertson, SIGIR 2008) weighs the top: for each place of our board but the first, the
share of the systems above it that are officially above it. Where our scores are equal it is the
mean over their orders (Urbano and Marrero 2017, tau-AP,a); a pair that is officially equal counts
half. Overlap at k is the share of the official top k in our top k, ties broken at random.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute

DECIMALS = 9  # means that differ below that differ by how their sums were rounded
LEAST_RANKED = 3


@dataclass(frozen=True, kw_only=True)
class OrderAgreement:
    """Correlations of n systems with an official order; top: overlap by k. NaN for all equal."""

    rho: float
    tau: float
    tau_ap: float
    top: Mapping[int, float]
    n: int


def order_agreement(
    official: Floats, scores: Floats, *, depths: tuple[int, ...] = (1, 3, 5, 10)
) -> OrderAgreement:
    """Compare scores of systems (more is better) with their official ones (more is better).

    Depths beyond half of the systems are left out, because any order would overlap there. Raises
    CannotCompute (too_few_systems).
    """
    x, y = (np.asarray(values, dtype=np.float64).round(DECIMALS) for values in (official, scores))
    n = len(x)
    if n < LEAST_RANKED:
        raise CannotCompute(
            "too_few_systems",
            f"Agreement with the official order needs at least {LEAST_RANKED} systems in both "
            f"(you have {n}).",
        )
    rho = tau = ap = float("nan")
    if np.ptp(x) > 0 and np.ptp(y) > 0:
        rho = float(scipy.stats.spearmanr(x, y).statistic)
        tau = float(scipy.stats.kendalltau(x, y).statistic)
        ap = tau_ap(x, y)
    top = {k: overlap(x, y, k) for k in depths if 2 * k <= n}
    return OrderAgreement(rho=rho, tau=tau, tau_ap=ap, top=top, n=n)


def tau_ap(official: Floats, scores: Floats) -> float:
    """Return tau-AP of scores with the official ones: 1 is the same order, -1 the reverse."""
    x, y = np.asarray(official, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    higher = (x[None, :] > x[:, None]) + 0.5 * (x[None, :] == x[:, None])  # (system, other)
    total = 0.0
    for system in range(len(x)):
        above, tied = y > y[system], y == y[system]
        tied[system] = False
        right, p, t = higher[system, above].sum(), int(above.sum()), int(tied.sum())
        share = higher[system, tied].mean() if t else 0.0
        places = np.arange(p, p + t + 1)  # of systems above it, over all orders of the tied ones
        places = places[places > 0]
        total += float(((right + (places - p) * share) / places).sum()) / (t + 1)
    return 2 * total / (len(x) - 1) - 1


def overlap(official: Floats, scores: Floats, k: int) -> float:
    """Return the expected share of the official top k in our top k, ties broken at random."""
    return float((_in_top(official, k) * _in_top(scores, k)).sum() / k)


def _in_top(scores: Floats, k: int) -> Floats:
    """Return the probability of each system to be among the first k, ties broken at random."""
    last = np.sort(scores)[::-1][k - 1]
    above, tied = scores > last, scores == last
    return np.asarray(above + tied * (k - above.sum()) / tied.sum())
