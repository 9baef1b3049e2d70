"""Prediction-powered scores of systems, from few judgments of people and many of a machine.

Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference (2023), for a mean. Of
n units with both, Y are people's scores and F the judge's of the same; of N units only the judge
has scores, F'. The estimate is

    mean(Y - l F) + l mean(F'),   l = cov(Y, F) / (var(F) + n / N var(F')), clipped to [0, 1].

Whatever the judge's errors, it is right on average, where people judged a random part of the units:
l is only the use of the judge (0: people alone; 1: the judge's mean, corrected by people). The
error of the first mean is that over units and people at once (crossed_means.py); l costs it a
degree of freedom: its variance is taken times (n - 1) / (n - 2), with one degree less. That of the
second is over units. The degrees of freedom of t are those of Satterthwaite (1946).

Where people judged a random part of the items of the topics, an item is a unit, but items of one
topic are alike: then all three means are computed again without each topic (jackknife), and l is
that of these changes.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import CrossedError, crossed_error, error_over_units
from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS
from analysis.stats.effects.crossed_means import OVER_BOTH, OVER_TOPICS, crossed_means
from analysis.stats.errors import CannotCompute

COLUMNS = (
    "group", "value", "low", "high", "people", "people_low", "people_high", "judge", "tuning",
    "gain", "units", "more", "over",
)  # fmt: skip


def _too_few_topics(both: int, more: int, parts: int = 0) -> CannotCompute:
    return CannotCompute(
        "too_few_topics",
        f"A prediction-powered estimate needs {LEAST_UNITS} topics judged by people and the judge "
        f"(you have {both}) and {LEAST_UNITS} judged by the judge only (you have {more}), or "
        f"{LEAST_UNITS} topics with some items judged by people (you have {parts}).",
    )


@dataclass(frozen=True, kw_only=True)
class Powered:
    """Scores of groups, one row each in `frame`, columns as COLUMNS, the best first.

    people, with its interval: from the units that people judged, alone. judge: its own mean over
    all units, which is biased wherever the judge is. tuning: l. gain: the factor of units that
    people would have to judge for the same interval. units: n; more: N.
    """

    frame: pd.DataFrame
    confidence: float


def prediction_powered(
    both: pd.DataFrame,
    more: pd.DataFrame,
    changes: pd.DataFrame | None = None,
    *,
    confidence: float = 0.95,
) -> Powered:
    """Compute prediction-powered scores of groups.

    both: topic (the unit), group, people, judge; more: topic, group, judge. changes: worker, topic,
    group, change of `people` without each worker (worker_changes.py); units not in `both` do not
    count. None takes workers as given. cluster, in both frames: units of one cluster are drawn
    together (_clustered). Raises CannotCompute (too_few_topics).
    """
    rows = []
    estimate, unit = (_clustered, "cluster") if "cluster" in both else (_estimate, "topic")
    for group, mine in both.groupby("group", sort=True):
        other = more[more["group"] == group]
        if min(frame[unit].nunique() for frame in (mine, other)) < LEAST_UNITS:
            continue
        theirs = None
        if changes is not None:
            in_both = changes["topic"].isin(mine["topic"])
            theirs = changes[in_both & (changes["group"] == group)]
        rows.append({"group": group} | estimate(mine, other, theirs, confidence))
    if not rows:
        judged, alone = (set(frame[unit]) for frame in (both, more))
        if unit == "topic":
            raise _too_few_topics(len(judged), len(alone))
        raise _too_few_topics(len(judged), len(alone - judged), min(len(judged), len(alone)))
    estimates = pd.DataFrame(rows, columns=list(COLUMNS))
    estimates = estimates.sort_values("value", ascending=False, kind="stable", ignore_index=True)
    return Powered(frame=estimates, confidence=confidence)


def tuning(people: Floats, judge: Floats, more: Floats) -> float:
    """Return l, the use of the judge."""
    spread = judge.var(ddof=1) + len(judge) / len(more) * more.var(ddof=1)
    together = float(np.cov(people, judge)[0, 1])
    return float(np.clip(together / spread, 0.0, 1.0)) if spread > 0 else 0.0


def _estimate(
    mine: pd.DataFrame, other: pd.DataFrame, changes: pd.DataFrame | None, confidence: float
) -> dict[str, object]:
    people, judge = (mine[name].to_numpy(dtype=np.float64) for name in ("people", "judge"))
    more = other["judge"].to_numpy(dtype=np.float64)
    n, N = len(people), len(more)
    used = tuning(people, judge, more)
    alone = _crossed(mine.assign(value=people), changes, confidence)
    rest = _crossed(mine.assign(value=people - used * judge), changes, confidence)
    error = float(rest["error"])
    degrees = max(float(rest["degrees"]) - (1 if used else 0), 1.0)
    first = error**2 * ((n - 1) / (n - 2) if used else 1.0)
    second = used**2 * float(more.var(ddof=1)) / N
    value = float(rest["mean"]) + used * float(more.mean())
    spread = first**2 / degrees + second**2 / (N - 1)
    nu = (first + second) ** 2 / spread if spread > 0 else degrees
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, nu)) * (first + second) ** 0.5
    variance = float(alone["error"]) ** 2
    return {
        "value": value, "low": value - half, "high": value + half,
        "people": alone["mean"], "people_low": alone["low"], "people_high": alone["high"],
        "judge": float(np.concatenate([judge, more]).mean()), "tuning": used,
        "gain": variance / (first + second) if first + second > 0 else float("nan"),
        "units": n, "more": N, "over": rest["over"],
    }  # fmt: skip


def _clustered(
    mine: pd.DataFrame, other: pd.DataFrame, changes: pd.DataFrame | None, confidence: float
) -> dict[str, object]:
    """Return the estimate for units in clusters, of which people judged a part.

    Means are of units, with a cluster left out of all three at a time (jackknife). l is that of
    these changes, under which the variance is least.
    """
    clusters, index = np.unique(
        np.concatenate([mine["cluster"], other["cluster"]]), return_inverse=True
    )
    G, n, N = len(clusters), len(mine), len(other)
    own_cluster, other_cluster = index[:n], index[n:]
    people, judge, more = (
        column.to_numpy(dtype=np.float64)
        for column in (mine["people"], mine["judge"], other["judge"])
    )
    alone = _without(people, own_cluster, G)
    apart = _without(judge, own_cluster, G) - _without(more, other_cluster, G)
    spread = float(((apart - apart.mean()) ** 2).sum())
    together = float(((apart - apart.mean()) * (alone - alone.mean())).sum())
    used = float(np.clip(together / spread, 0.0, 1.0)) if spread > 0 else 0.0
    of_people = _error_of(alone, mine, changes, own_cluster)
    error = _error_of(alone - used * apart, mine, changes, own_cluster)
    variance = float(error.error) ** 2 * ((G - 1) / (G - 2) if used else 1.0)
    value = float(people.mean()) - used * float(judge.mean() - more.mean())
    degrees = max(float(error.degrees) - (1 if used else 0), 1.0)
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * variance**0.5
    low, high = of_people.interval(people.mean(), confidence)
    return {
        "value": value, "low": value - half, "high": value + half,
        "people": float(people.mean()), "people_low": float(low), "people_high": float(high),
        "judge": float(np.concatenate([judge, more]).mean()), "tuning": used,
        "gain": float(of_people.error) ** 2 / variance if variance > 0 else float("nan"),
        "units": n, "more": N, "over": OVER_BOTH if _with_workers(changes) else OVER_TOPICS,
    }  # fmt: skip


def _without(value: Floats, cluster: Ints, G: int) -> Floats:
    """Return the change of the mean of the values without each of G clusters."""
    sums, sizes = total(cluster, value, G), np.bincount(cluster, minlength=G)
    return np.asarray(value.mean() - (value.sum() - sums) / (len(value) - sizes))


def _error_of(
    moved: Floats, mine: pd.DataFrame, changes: pd.DataFrame | None, cluster: Ints
) -> CrossedError:
    """Return the error of a mean over clusters and people.

    moved (G,): its change without each cluster; cluster (n,): of each unit.
    """
    if changes is None or not _with_workers(changes):
        return error_over_units(moved)
    unit = pd.Index(mine["topic"]).get_indexer(pd.Index(changes["topic"]))
    change = changes["change"].to_numpy(dtype=np.float64) / len(mine)
    workers, worker = np.unique(changes["worker"], return_inverse=True)
    W = len(workers)
    cells, cell = np.unique(cluster[unit] * W + worker, return_inverse=True)
    return crossed_error(moved, total(worker, change, W), total(cell, change, len(cells)))


def _with_workers(changes: pd.DataFrame | None) -> bool:
    return changes is not None and changes["worker"].nunique() >= LEAST_WORKERS


def _crossed(
    values: pd.DataFrame, changes: pd.DataFrame | None, confidence: float
) -> "pd.Series[float]":
    """Return the row of the one group; over topics alone where people are too few for both."""
    row = crossed_means(values, changes, confidence=confidence).means.iloc[0]
    if changes is not None and np.isnan(row["error"]):
        row = crossed_means(values, None, confidence=confidence).means.iloc[0]
    return row
