"""How many votes of a person one label of a judge is worth, from reliability.

With s^2 the variance of what people would say of an item on average, rho = s^2 / (variance of one
vote) is the reliability of one vote, and k of them correlate with that average with
r_k^2 = k rho / (1 + (k - 1) rho) (Spearman 1910, Brown 1910). A judge correlates with it with
R^2 = cov(judge, vote)^2 / (s^2 var(judge)): the attenuation by single votes is taken out. One label
is worth as many votes as correlate alike: k = R^2 (1 - rho) / (rho (1 - R^2)).

It assumes that people err independently of each other and of the judge, and that what is wanted is
what people say on average. s^2 is the mean product of two votes of different people on one item.

The interval is one of z = arsinh(sqrt(k)), negative where the judge contradicts people: of k, which
is an odds, that is what Fisher's z is of a correlation, whose errors are as large everywhere. The
error is over topics and people at once (crossed.error_of_leaps). A percentile bootstrap over topics
held the truth in 85 to 92 % of simulated studies (benchmarks/judges.py). Where the interval of R^2
reaches 1 there is none: the judge may be worth any number of votes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed import error_of_leaps
from analysis.stats.designs import LEAST_WORKERS, few_clusters
from analysis.stats.resampling import check_confidence

UNBOUNDED = (
    "No interval of what a label is worth is offered because, as far as these topics and people "
    "tell, the judge may say what people say on average no worse than all of them together could."
)


@dataclass(frozen=True, kw_only=True)
class Worth:
    """votes is infinite where the judge says no less than all people together could, NaN where
    people have nothing in common. reliability: of one vote; r2: of the judge. low, high: over
    clusters and people; NaN where no interval is offered (why)."""

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
    cluster: Ints,
    unit: Ints,
    worker: Ints,
    number: Floats,
    symmetric: bool,
    confidence: float = 0.95,
) -> Worth:
    """judge (n,): what the judge said of each unit, as a number; cluster (n,). unit, worker, number
    (m,): the votes of people on these units.

    symmetric: a pair, where 1 and -1 are the two texts and neither comes first: the mean is 0.
    """
    check_confidence(confidence)
    n = len(judge)
    votes = np.stack([total(unit, each, n) for each in (np.ones(len(unit)), number, number**2)])
    parts = _parts(judge, votes)
    whole = parts.sum(axis=1)
    rho, r2, k = (float(each[0]) for each in _worth(whole[:, None], symmetric))
    kept = votes[0] > 1
    index = np.unique(cluster[kept], return_inverse=True)[1]
    G = int(index.max(initial=-1)) + 1
    found: dict[str, Any] = {"votes": max(k, 0.0) if k == k else k, "reliability": rho, "r2": r2}
    counted: dict[str, Any] = {"units": int(kept.sum()), "clusters": G}
    nan = float("nan")
    why = few_clusters("what a label is worth", units=G, workers=None)
    if why or not np.isfinite(k):
        return Worth(low=nan, high=nan, why=why, **found, **counted)

    def moved(lost: Floats, of: Ints) -> Floats:
        """How far z and R^2 move without each of these (2, ...)."""
        sums = np.stack([total(of, each, int(of.max()) + 1) for each in lost])
        _, r2_left, k_left = _worth(whole[:, None] - sums, symmetric)
        return np.stack([_z(k) - _z(k_left), r2 - r2_left])

    changes = [moved(parts[:, kept], index)]
    who = np.unique(worker, return_inverse=True)[1]
    if len(np.unique(who)) >= LEAST_WORKERS:
        one = np.stack([np.ones(len(unit)), number, number**2])
        lost = parts[:, unit] - _parts(judge[unit], votes[:, unit] - one)
        cell = cluster[unit] * np.int64(who.max() + 1) + who
        changes += [moved(lost, of) for of in (who, np.unique(cell, return_inverse=True)[1])]
    if not all(np.isfinite(each).all() for each in changes):
        return Worth(low=nan, high=nan, why=UNBOUNDED, **found, **counted)
    half, half_of_r2 = (
        float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * error
        for error, degrees in (error_of_leaps(*each) for each in zip(*changes, strict=True))
    )
    # R^2 may be 1: any number of votes. Without this, one of five judges that copy what people said
    # had an interval, of numbers of votes that it is worth far more than (benchmarks/judges.py).
    if r2 + half_of_r2 >= 1:
        return Worth(low=nan, high=nan, why=UNBOUNDED, **found, **counted)
    low, high = (
        max(float(np.sinh(z) * np.abs(np.sinh(z))), 0.0) for z in (_z(k) - half, _z(k) + half)
    )
    return Worth(low=low, high=high, why="", **found, **counted)


def _z(k: Floats | float) -> Floats:
    return np.asarray(np.sign(k) * np.arcsinh(np.sqrt(np.abs(k))))


def _parts(judge: Floats, votes: Floats) -> Floats:
    """What the sums are made of (7, n), from the number, sum and squares of votes (3, n)."""
    counts, totals, squares = votes
    pairs = counts * (counts - 1)
    return np.asarray(
        np.stack(
            [
                np.ones_like(judge), judge, judge**2, totals / np.maximum(counts, 1),
                squares / np.maximum(counts, 1), judge * totals / np.maximum(counts, 1),
                (totals**2 - squares) / np.maximum(pairs, 1),
            ]
        ) * (counts > 1)
    )  # fmt: skip


def _worth(sums: Floats, symmetric: bool) -> tuple[Floats, Floats, Floats]:
    """rho, R^2 and the votes of each column of sums (7, D); votes are below 0 where the judge
    contradicts people."""
    n, x, xx, y, yy, xy, pairs = sums
    nan = np.full_like(n, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (np.zeros_like(n), np.zeros_like(n)) if symmetric else (x / n, y / n)
        var_x, var_y, cov, s2 = xx / n - x**2, yy / n - y**2, xy / n - x * y, pairs / n - y**2
        rho = np.where(var_y > 0, s2 / var_y, nan)
        known = (s2 > 1e-12) & (var_x > 1e-12)
        r2 = np.where(known, cov**2 / (s2 * var_x), nan)
        votes = np.where(r2 >= 1, np.inf, r2 * (1 - rho) / (rho * (1 - r2)))
        r2 = np.where(cov > 0, r2, np.where(known, 0.0, nan))
    return rho, r2, np.where(np.isnan(votes), nan, np.where(cov < 0, -votes, votes))
