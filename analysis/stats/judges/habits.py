"""Habits of a judge: the left side, the longer text, one system (its own?), order, nothing to read.

Shares over clusters (topics, or items where topics are few) with the interval of
clustered_share.py, without its cap; the difference of a judge and people on the same items with a
jackknife over clusters and the t distribution.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.agreement.clustered_share import clustered_share
from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed import jackknife_variance
from analysis.stats.designs import LEAST_UNITS, few_clusters


@dataclass(frozen=True, kw_only=True)
class Habit:
    """low, high are NaN where no interval is offered, and why says why. n: labels behind it."""

    value: float
    low: float
    high: float
    n: int
    clusters: int
    why: str


def share(
    hits: Floats, draws: Floats, cluster: Ints, *, name: str, confidence: float = 0.95
) -> Habit:
    """hits among draws (n,), each of a cluster (n,); NaN where there is no draw."""
    nan = float("nan")
    hit, drawn = _sums(cluster, hits, draws)
    kept = drawn > 0
    hit, drawn = hit[kept], drawn[kept]
    value = float(hit.sum() / drawn.sum()) if len(drawn) else nan
    counted = {"n": round(float(drawn.sum())), "clusters": len(drawn)}
    if why := few_clusters(name, units=len(drawn), workers=None):
        return Habit(value=value, low=nan, high=nan, why=why, **counted)
    value, low, high = clustered_share(hit, drawn, capped=False, confidence=confidence)
    return Habit(value=value, low=low, high=high, why="", **counted)


def difference(
    hits: tuple[Floats, Floats],
    draws: tuple[Floats, Floats],
    cluster: Ints,
    *,
    name: str,
    confidence: float = 0.95,
) -> Habit:
    """The share of the first side minus that of the second: hits, draws (n,) each, on the same n
    items. n: items."""
    nan = float("nan")
    h1, d1, h2, d2 = _sums(cluster, hits[0], draws[0], hits[1], draws[1])
    kept = (d1 + d2) > 0
    sums = np.stack([h1, d1, h2, d2])[:, kept]
    whole = sums.sum(axis=1)
    counted = {"n": int(((draws[0] + draws[1]) > 0).sum()), "clusters": int(kept.sum())}
    if not (whole[1] and whole[3]):
        return Habit(value=nan, low=nan, high=nan, why="", **counted)
    value = float(_apart(whole))
    rest = whole[:, None] - sums
    why = few_clusters(name, units=int(kept.sum()), workers=None)
    if why or (rest[1] == 0).any() or (rest[3] == 0).any():
        return Habit(value=value, low=nan, high=nan, why=why, **counted)
    error = float(np.sqrt(jackknife_variance(value - _apart(rest))))
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, kept.sum() - 1)) * error
    return Habit(
        value=value, low=max(value - half, -1.0), high=min(value + half, 1.0), why="", **counted
    )


def clusters_of(topics: Ints, units: Ints) -> Ints:
    """Topics, or units where these are too few."""
    return topics if len(np.unique(topics)) >= LEAST_UNITS else units


def _apart(sums: Floats) -> Floats:
    return np.asarray(sums[0] / sums[1] - sums[2] / sums[3])


def _sums(cluster: Ints, *values: Floats) -> list[Floats]:
    index = np.unique(cluster, return_inverse=True)[1]
    G = int(index.max(initial=-1)) + 1
    return [total(index, each, G) for each in values]
