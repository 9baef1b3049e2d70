"""Biases of a judge: the left side, the longer text, one system (its own?), order, empty texts.

Shares over clusters (topics, or items where topics are few) with the interval of
clustered_share.py, without its cap; the difference of a judge and people on the same items with an
interval over clusters and people at once (crossed.error_of_leaps), as people lean, too. Where they
are few, they are taken as given.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.agreement.clustered_share import clustered_share, p_of_share
from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS, few_clusters
from analysis.stats.judges.agreement import ALIKE, SMALL


@dataclass(frozen=True, kw_only=True)
class Bias:
    """A share or difference over n labels; low, high are NaN where `why` gives the reason.

    p: two-sided, of a true share of one half; NaN of a difference.
    """

    value: float
    low: float
    high: float
    n: int
    clusters: int
    why: str
    p: float = float("nan")


@dataclass(frozen=True, kw_only=True)
class WithoutPeople:
    """Losses of the second side of a difference without a worker on an item (C,).

    hits, draws: those of the item and the worker.
    """

    item: Ints
    worker: Ints
    hits: Floats
    draws: Floats


def share(
    hits: Floats, draws: Floats, cluster: Ints, *, name: str, confidence: float = 0.95
) -> Bias:
    """Return hits among draws (n,), each of a cluster (n,); NaN without any draw."""
    nan = float("nan")
    hit, drawn = _sums(cluster, hits, draws)
    has_draws = drawn > 0
    hit, drawn = hit[has_draws], drawn[has_draws]
    value = float(hit.sum() / drawn.sum()) if len(drawn) else nan
    counted = {"n": round(float(drawn.sum())), "clusters": len(drawn)}
    if why := few_clusters(name, units=len(drawn), workers=None):
        return Bias(value=value, low=nan, high=nan, why=why, **counted)
    value, low, high = clustered_share(hit, drawn, capped=False, confidence=confidence)
    p = p_of_share(hit, drawn, true=0.5)
    return Bias(value=value, low=low, high=high, p=p, why="", **counted)


def difference(
    hits: tuple[Floats, Floats],
    draws: tuple[Floats, Floats],
    cluster: Ints,
    *,
    name: str,
    lost: WithoutPeople | None = None,
    confidence: float = 0.95,
) -> Bias:
    """Return the share of the first side minus that of the second, on the same n items.

    hits, draws: (n,) of each side.
    """
    nan = float("nan")
    sides = np.stack([hits[0], draws[0], hits[1], draws[1]])
    has_draws = (draws[0] + draws[1]) > 0
    whole, clusters = sides.sum(axis=1), len(np.unique(cluster[has_draws]))
    counted = {"n": int(has_draws.sum()), "clusters": clusters}
    if not (whole[1] and whole[3]):
        return Bias(value=nan, low=nan, high=nan, why="", **counted)
    value = float(_apart(whole))
    why = few_clusters(name, units=clusters, workers=None)
    changes = [_without(whole, sides[:, has_draws], cluster[has_draws])]
    if lost is not None and len(np.unique(lost.worker)) >= LEAST_WORKERS:
        theirs = np.stack([0 * lost.hits, 0 * lost.hits, lost.hits, lost.draws])
        cell = cluster[lost.item] * np.int64(lost.worker.max() + 1) + lost.worker
        changes += [_without(whole, theirs, lost_cluster) for lost_cluster in (lost.worker, cell)]
    if why or not all(np.isfinite(change).all() for change in changes):
        return Bias(value=value, low=nan, high=nan, why=why, **counted)
    error, degrees = error_of_leaps(*changes)
    if error < SMALL:
        return Bias(value=value, low=nan, high=nan, why=ALIKE.format(name), **counted)
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * error
    return Bias(
        value=value, low=max(value - half, -1.0), high=min(value + half, 1.0), why="", **counted
    )


def _without(whole: Floats, parts: Floats, of: Ints) -> Floats:
    """Return the change of the difference without each of the clusters of parts (4, n)."""
    rest = whole[:, None] - np.stack(_sums(of, *parts))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _apart(whole) - _apart(rest)


def clusters_of(topics: Ints, units: Ints) -> Ints:
    """Return topics, or units where these are too few."""
    return topics if len(np.unique(topics)) >= LEAST_UNITS else units


def _apart(sums: Floats) -> Floats:
    return np.asarray(sums[0] / sums[1] - sums[2] / sums[3])


def _sums(cluster: Ints, *values: Floats) -> list[Floats]:
    index = np.unique(cluster, return_inverse=True)[1]
    G = int(index.max(initial=-1)) + 1
    return [total(index, column, G) for column in values]
