"""Share of draws that come in clusters: the votes on an item, the labels of a topic.

The modified Wilson interval of Dean and Pagano (Survey Methodology 41, 2015), which is Wilson's at
the effective number of draws of Korn and Graubard (1998) under a design of clusters.
"""

import numpy as np
import scipy

from analysis.stats.arrays import Floats


def clustered_share(
    hits: Floats, draws: Floats, *, capped: bool = True, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Return the share and its interval, from hits among draws in each of K > 1 clusters (K,).

    capped: limit the effective number of draws to the number of draws. Where the draws of a cluster
    are as good as independent that makes the interval too wide (benchmarks/judges).
    """
    K = len(hits)
    p, effective = _effective(hits, draws)
    if capped:
        effective = min(effective, draws.sum())
    tail = (1 + confidence) / 2
    z = scipy.stats.norm.ppf(tail)
    effective *= (z / scipy.stats.t.ppf(tail, K - 1)) ** 2
    middle = (p + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z * np.sqrt(p * (1 - p) / effective + z**2 / (4 * effective**2))
    half /= 1 + z**2 / effective
    return float(p), float(max(middle - half, 0)), float(min(middle + half, 1))


def p_of_share(hits: Floats, draws: Floats, *, true: float) -> float:
    """Return the two-sided p of this true share; at most .05 where clustered_share leaves it out.

    Of the uncapped interval; from hits among draws in each of K > 1 clusters (K,).
    """
    p, effective = _effective(hits, draws)
    t = abs(p - true) * (effective / (true * (1 - true))) ** 0.5
    return float(2 * scipy.stats.t.sf(t, len(hits) - 1))


def _effective(hits: Floats, draws: Floats) -> tuple[float, float]:
    """Return the share and its effective number of draws."""
    K, n = len(hits), draws.sum()
    p = hits.sum() / n
    # Linearised variance of a ratio of sums over K clusters.
    variance = K / (K - 1) * ((hits - p * draws) ** 2).sum() / n**2
    return p, float(p * (1 - p) / variance if variance > 0 else K)
