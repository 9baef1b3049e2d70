"""Number of votes of a person that one label of a judge is worth, from reliability.

With s^2 the variance of people's mean answer over items, rho = s^2 / (variance of one vote) is the
reliability of one vote, and k of them correlate with that mean with
r_k^2 = k rho / (1 + (k - 1) rho) (Spearman 1910, Brown 1910). A judge correlates with it with
R^2 = cov(judge, vote)^2 / (s^2 var(judge)): the attenuation by single votes is taken out. One label
is worth as many votes as correlate alike: k = R^2 (1 - rho) / (rho (1 - R^2)).

It assumes that people err independently of each other and of the judge, and that the mean answer of
people is the target. s^2 is the mean product of two votes of different people on one item.

The interval is one of R, which is stable for good and bad judges alike, and may come out above 1:
of k with the odds (1 - rho) / rho of the whole as a unit,

    u = sqrt(k / (k + (1 - rho) / rho)), negative where the judge contradicts people,

is R itself, and moves with the reliability, too, when a topic or person is left out. The error is
over topics and people at once (crossed.error_of_leaps). Where the interval of u reaches 1 it has no
upper end: the judge may be worth any number of votes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.design_checks import LEAST_WORKERS, few_clusters
from analysis.stats.resampling import check_confidence

UNKNOWN = (
    "No interval for the worth of a label: the judge's labels are closer to people's mean "
    "answer than the reliability of these votes allows."
)
UNBOUNDED = (
    "The interval for the worth of a label has no upper end: these data don't rule out a "
    "judge that always gives people's mean answer."
)


@dataclass(frozen=True, kw_only=True)
class VoteWorth:
    """Value of a label in votes, with its interval over clusters and people.

    votes is infinite where the judge knows no less than all people together could, NaN where people
    have nothing in common. reliability: of one vote; r2: of the judge. low, high: NaN where no
    interval is offered, high infinite where it has no upper end (why).
    """

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
) -> VoteWorth:
    """Return the value of one label of a judge in votes.

    Parameters
    ----------
    judge, cluster : (n,), the judge's number and the cluster of each unit.
    unit, worker, number : (m,), the votes of people on these units.
    symmetric : a pair, where 1 and -1 are the two texts and neither comes first: the mean is 0.
    """
    check_confidence(confidence)
    n = len(judge)
    votes = np.stack([total(unit, power, n) for power in (np.ones(len(unit)), number, number**2)])
    parts = _parts(judge, votes)
    whole = parts.sum(axis=1)
    rho, r = (float(power[0]) for power in _correlated(whole[:, None], symmetric))
    has_pairs = votes[0] > 1
    index = np.unique(cluster[has_pairs], return_inverse=True)[1]
    G = int(index.max(initial=-1)) + 1
    fields: dict[str, Any] = {
        "votes": _votes(rho, r), "reliability": rho, "r2": r * max(r, 0.0),
        "units": int(has_pairs.sum()), "clusters": G,
    }  # fmt: skip
    nan = float("nan")
    why = few_clusters("what a label is worth", units=G, workers=None)
    if why or np.isnan(r) or not 0 < rho < 1:
        return VoteWorth(low=nan, high=nan, why=why, **fields)

    def moved(lost: Floats, cluster_index: Ints) -> Floats:
        """Return the change of u without each of these."""
        sums = np.stack(
            [total(cluster_index, power, int(cluster_index.max()) + 1) for power in lost]
        )
        return r - _scaled(*_correlated(whole[:, None] - sums, symmetric), unit=(1 - rho) / rho)

    changes = [moved(parts[:, has_pairs], index)]
    who = np.unique(worker, return_inverse=True)[1]
    if len(np.unique(who)) >= LEAST_WORKERS:
        vote_powers = np.stack([np.ones(len(unit)), number, number**2])
        lost = parts[:, unit] - _parts(judge[unit], votes[:, unit] - vote_powers)
        cell = cluster[unit] * np.int64(who.max() + 1) + who
        changes += [
            moved(lost, cluster_index)
            for cluster_index in (who, np.unique(cell, return_inverse=True)[1])
        ]
    if not all(np.isfinite(power).all() for power in changes):
        return VoteWorth(low=nan, high=nan, why=UNKNOWN, **fields)
    error, degrees = error_of_leaps(*changes)
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * error
    low, high = _votes(rho, r - half), _votes(rho, r + half)
    if np.isinf(low):
        return VoteWorth(low=nan, high=nan, why=UNKNOWN, **fields)
    return VoteWorth(low=low, high=high, why=UNBOUNDED if np.isinf(high) else "", **fields)


def _votes(rho: float, r: float) -> float:
    """Return k of a judge with this correlation; 0 for one that contradicts people."""
    if np.isnan(r) or not rho > 0:
        return float("nan")
    return r**2 * (1 - rho) / (rho * (1 - r**2)) if 0 < r < 1 else 0.0 if r <= 0 else float("inf")


def _scaled(rho: Floats, r: Floats, *, unit: float) -> Floats:
    """Return u from reliability and R; NaN where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        votes = r**2 * (1 - rho) / rho
        return np.asarray(np.sign(r) * np.sqrt(votes / (votes + unit * (1 - r**2))))


def _parts(judge: Floats, votes: Floats) -> Floats:
    """Return the summands (7, n), from the number, sum and squares of votes (3, n)."""
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


def _correlated(sums: Floats, symmetric: bool) -> tuple[Floats, Floats]:
    """Return rho and R of each column of sums (7, D); NaN where a side has no variation."""
    n, x, xx, y, yy, xy, pairs = sums
    nan = np.full_like(n, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = (np.zeros_like(n), np.zeros_like(n)) if symmetric else (x / n, y / n)
        var_x, var_y, cov, s2 = xx / n - x**2, yy / n - y**2, xy / n - x * y, pairs / n - y**2
        rho = np.where(var_y > 0, s2 / var_y, nan)
        defined = (s2 > 1e-12) & (var_x > 1e-12)
        return rho, np.where(defined, cov / np.sqrt(np.abs(s2 * var_x)), nan)
