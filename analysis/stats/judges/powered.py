"""Scores of systems from few judgments of people and many of a machine: prediction-powered.

Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference (2023), for a mean. Of
n units with both, Y is what people say and F what the judge says of the same; of N units only the
judge has said something, F'. The estimate is

    mean(Y - l F) + l mean(F'),   l = cov(Y, F) / (var(F) + n / N var(F')), held within [0, 1].

Whatever the judge's errors, it is right on average, where people judged a random part of the units:
l only says how much the judge is used (0: people alone; 1: the judge's mean, corrected by people).
The error of the first mean is that over units and people at once (crossed_means.py); l costs it a
degree of freedom, so that its variance is taken times (n - 1) / (n - 2). That of the second is over
units. The degrees of freedom of t are those of Satterthwaite (1946).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.designs import LEAST_UNITS
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.errors import CannotCompute

COLUMNS = (
    "group", "value", "low", "high", "people", "people_low", "people_high", "judge", "tuning",
    "gain", "units", "more", "over",
)  # fmt: skip


class NothingMore(CannotCompute):
    def __init__(self, what: str, both: int, more: int) -> None:
        super().__init__(
            f"A prediction-powered estimate takes {LEAST_UNITS} {what} that people and the judge "
            f"have judged, and {LEAST_UNITS} more that the judge alone has; there are {both} and "
            f"{more}."
        )


@dataclass(frozen=True, kw_only=True)
class Powered:
    """frame: one row a group, columns as COLUMNS, the best first.

    people, with its interval: from the units that people judged, alone. judge: its own mean over
    all units, which is biased wherever the judge is. tuning: l. gain: how many times as many units
    people would have to judge for the same interval. units: n; more: N.
    """

    frame: pd.DataFrame
    confidence: float


def prediction_powered(
    both: pd.DataFrame,
    more: pd.DataFrame,
    changes: pd.DataFrame | None = None,
    *,
    what: str = "topics",
    confidence: float = 0.95,
) -> Powered:
    """both: topic (the unit), group, people, judge; more: topic, group, judge.

    changes: worker, topic, group, change, how far `people` moves without each worker
    (worker_changes.py); None takes those who judged as given. Raises NothingMore.
    """
    rows = []
    for group, mine in both.groupby("group", sort=True):
        other = more[more["group"] == group]["judge"].to_numpy(dtype=np.float64)
        if min(len(mine), len(other)) < LEAST_UNITS:
            continue
        theirs = None if changes is None else changes[changes["group"] == group]
        rows.append({"group": group} | _estimate(mine, other, theirs, confidence))
    if not rows:
        counted = both["topic"].nunique(), more["topic"].nunique()
        raise NothingMore(what, *counted)
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    found["over"] = found["over"].str.replace("topics", what)  # the units are what they are
    found = found.sort_values("value", ascending=False, kind="stable", ignore_index=True)
    return Powered(frame=found, confidence=confidence)


def tuning(people: Floats, judge: Floats, more: Floats) -> float:
    """l: how much the judge is used."""
    spread = judge.var(ddof=1) + len(judge) / len(more) * more.var(ddof=1)
    together = float(np.cov(people, judge)[0, 1])
    return float(np.clip(together / spread, 0.0, 1.0)) if spread > 0 else 0.0


def _estimate(
    mine: pd.DataFrame, more: Floats, changes: pd.DataFrame | None, confidence: float
) -> dict[str, object]:
    people, judge = (mine[name].to_numpy(dtype=np.float64) for name in ("people", "judge"))
    n, N = len(people), len(more)
    used = tuning(people, judge, more)
    alone = _crossed(mine.assign(value=people), changes, confidence)
    rest = _crossed(mine.assign(value=people - used * judge), changes, confidence)
    error, degrees = float(rest["error"]), float(rest["degrees"])
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


def _crossed(
    values: pd.DataFrame, changes: pd.DataFrame | None, confidence: float
) -> "pd.Series[float]":
    """The row of the one group; over topics alone where people are too few for both."""
    found = crossed_means(values, changes, confidence=confidence).means.iloc[0]
    if changes is not None and np.isnan(found["error"]):
        found = crossed_means(values, None, confidence=confidence).means.iloc[0]
    return found
