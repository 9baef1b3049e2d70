"""How many votes of a person one label of a judge is worth, from reliability.

With s^2 the variance of what people would say of an item on average, rho = s^2 / (variance of one
vote) is the reliability of one vote, and k of them correlate with that average with
r_k^2 = k rho / (1 + (k - 1) rho) (Spearman 1910, Brown 1910). A judge correlates with it with
R^2 = cov(judge, vote)^2 / (s^2 var(judge)): the attenuation by single votes is taken out. One label
is worth as many votes as correlate alike: k = R^2 (1 - rho) / (rho (1 - R^2)).

It assumes that people err independently of each other and of the judge, and that what is wanted is
what people say on average. s^2 is the mean product of two votes of different people on one item.
"""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.designs import few_clusters
from analysis.stats.resampling import Bootstrap, percentile_interval


@dataclass(frozen=True, kw_only=True)
class Worth:
    """votes is infinite where the judge says no less than all people together could, NaN where
    people have nothing in common. reliability: of one vote; r2: of the judge. low, high: over
    clusters; high may be infinite."""

    votes: float
    low: float
    high: float
    reliability: float
    r2: float
    units: int
    clusters: int
    why: str


def votes_worth(
    *,
    judge: Floats,
    totals: Floats,
    squares: Floats,
    counts: Floats,
    cluster: Ints,
    symmetric: bool,
    bootstrap: Bootstrap,
) -> Worth:
    """judge (n,): what the judge said of each unit, as a number; totals, squares, counts (n,): sum
    of what people said, of its squares, and how many; cluster (n,).

    symmetric: a pair, where 1 and -1 are the two texts and neither comes first: the mean is 0.
    """
    pairs = counts * (counts - 1)
    kept = counts > 1
    parts = np.stack(
        [
            np.ones_like(judge), judge, judge**2, totals / np.maximum(counts, 1),
            squares / np.maximum(counts, 1), judge * totals / np.maximum(counts, 1),
            (totals**2 - squares) / np.maximum(pairs, 1),
        ]
    )[:, kept]  # fmt: skip
    index = np.unique(cluster[kept], return_inverse=True)[1]
    G = int(index.max(initial=-1)) + 1
    sums: Floats = np.stack([total(index, each, G) for each in parts])
    rho, r2, votes = (float(each[0]) for each in _worth(sums.sum(axis=1)[:, None], symmetric))
    why = few_clusters("what a label is worth", units=G, workers=None)
    low = high = float("nan")
    if not why and bootstrap.draws and not np.isnan(votes):
        rng = bootstrap.generator()
        weights = rng.multinomial(G, np.full(G, 1 / G), size=bootstrap.draws)
        drawn = _worth(sums @ weights.T.astype(np.float64), symmetric)[2]
        low, high, _ = percentile_interval(np.minimum(drawn, _MOST), bootstrap.confidence)
        high = float("inf") if high >= _MOST else high
    return Worth(
        votes=votes, low=low, high=high, reliability=rho, r2=r2, units=int(kept.sum()),
        clusters=G, why=why,
    )  # fmt: skip


_MOST = 1e6  # stands for infinite where draws are sorted


def _worth(sums: Floats, symmetric: bool) -> tuple[Floats, Floats, Floats]:
    """rho, R^2 and the votes of each column of sums (7, D)."""
    n, x, xx, y, yy, xy, pairs = sums
    nan = np.full_like(n, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (np.zeros_like(n), np.zeros_like(n)) if symmetric else (x / n, y / n)
        var_x, var_y, cov, s2 = xx / n - x**2, yy / n - y**2, xy / n - x * y, pairs / n - y**2
        rho = np.where(var_y > 0, s2 / var_y, nan)
        known = (s2 > 1e-12) & (var_x > 1e-12)
        r2 = np.where(known, np.where(cov > 0, cov, 0) ** 2 / (s2 * var_x), nan)
        votes = np.where(r2 >= 1, np.inf, r2 * (1 - rho) / (rho * (1 - r2)))
    return rho, r2, np.where(np.isnan(r2), nan, votes)
