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
    K, n = len(hits), draws.sum()
    p = hits.sum() / n
    # Linearised variance of a ratio of sums over K clusters.
    variance = K / (K - 1) * ((hits - p * draws) ** 2).sum() / n**2
    effective = p * (1 - p) / variance if variance > 0 else float(K)
    if capped:
        effective = min(effective, n)
    tail = (1 + confidence) / 2
    z = scipy.stats.norm.ppf(tail)
    effective *= (z / scipy.stats.t.ppf(tail, K - 1)) ** 2
    middle = (p + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z * np.sqrt(p * (1 - p) / effective + z**2 / (4 * effective**2))
    half /= 1 + z**2 / effective
    return float(p), float(max(middle - half, 0)), float(min(middle + half, 1))
