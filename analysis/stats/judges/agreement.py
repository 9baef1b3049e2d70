"""Measures of a sum of tables (tables.py) with intervals for other topics and other people at once.

A number is computed again without each topic, each person, and each person in a topic
(crossed.error_of_leaps: the majority label of a unit moves by leaps when one vote goes). Where
topics are few, units (items) take their place; where people are few, they are taken as given. An
accuracy has the interval of Wilson (1927) at its effective number of units, so that a judge without
errors has no certain accuracy.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS, few_clusters
from analysis.stats.judges.tables import Statistic, Tables, accuracy_of
from analysis.stats.resampling import check_confidence

ALIKE = "No interval for {}: all values are equal."

SMALL = 1e-9
LEAST_PEOPLE = 40  # where people are compared with people


@dataclass(frozen=True, kw_only=True)
class JudgeMeasure:
    """A measure with its interval; low, high are NaN where `why` gives the reason for none.

    p: two-sided, of a true value of 0; NaN of an accuracy. over: the units of the interval.
    units: the number of tables; clusters: topics, or units where topics are few; workers: the
    people.
    """

    value: float
    low: float
    high: float
    p: float
    over: str
    units: int
    clusters: int
    workers: int
    why: str


def judge_measure(
    tables: Tables,
    statistic: Statistic,
    *,
    name: str,
    of_people: bool = False,
    confidence: float = 0.95,
) -> JudgeMeasure:
    """Return the statistic of all tables together; NaN without a table.

    of_people: whether both sides are people: then no interval is offered that takes them as given
    (benchmarks/judges measures the number it takes).
    """
    check_confidence(confidence)
    nan, n = float("nan"), len(tables.T)
    value = float(statistic(tables.T.sum(axis=0)[None])[0]) if n else nan
    cluster_name, cluster = _clusters(tables)
    G, W = len(np.unique(cluster)), len(np.unique(tables.cell_worker))
    over = f"{cluster_name} and people" if W >= LEAST_WORKERS else cluster_name
    measure = partial(JudgeMeasure, value=value, over=over, units=n, clusters=G, workers=W)
    why = few_clusters(name, units=G, workers=None, called=cluster_name)
    if not why and of_people and W < LEAST_PEOPLE:
        why = f"An interval for {name} needs at least {LEAST_PEOPLE} people (you have {W})."
    if why or np.isnan(value):
        return measure(low=nan, high=nan, p=nan, why=why)
    error, degrees = _error(tables, statistic, value, cluster, with_workers=W >= LEAST_WORKERS)
    if statistic is accuracy_of:
        low, high = _wilson(value, error, degrees, confidence)
        return measure(low=low, high=high, p=nan, why="")
    if not np.isfinite(error) or error < SMALL:
        return measure(low=nan, high=nan, p=nan, why=ALIKE.format(name))
    p = float(2 * scipy.stats.t.sf(abs(value) / error, degrees))
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, degrees)) * error
    return measure(low=max(value - half, -1.0), high=min(value + half, 1.0), p=p, why="")


def _clusters(tables: Tables) -> tuple[str, Ints]:
    """Return topics, or units where these are too few."""
    topics = np.unique(tables.topic, return_inverse=True)[1]
    if len(tables.T) and topics.max() + 1 >= LEAST_UNITS:
        return "topics", topics
    return "items", np.arange(len(tables.T))


def _error(
    tables: Tables, statistic: Statistic, value: float, cluster: Ints, *, with_workers: bool
) -> tuple[float, float]:
    """Return the standard error and its degrees of freedom."""
    whole = tables.T.sum(axis=0)

    def changes(lost: Floats, of: Ints) -> Floats:
        sums = np.zeros((int(of.max()) + 1, *whole.shape))
        np.add.at(sums, of, lost)
        return value - statistic(whole - sums)

    units = changes(tables.T, cluster)
    if not with_workers:
        return error_of_leaps(units)
    worker = np.unique(tables.cell_worker, return_inverse=True)[1]
    cell = cluster[tables.cell_unit] * np.int64(worker.max() + 1) + worker
    cell = np.unique(cell, return_inverse=True)[1]
    people, cells = changes(tables.lost, worker), changes(tables.lost, cell)
    return error_of_leaps(units, people, cells)


def _wilson(p: float, error: float, degrees: float, confidence: float) -> tuple[float, float]:
    spread = p * (1 - p)
    effective = spread / error**2 if min(error, spread) > SMALL else degrees + 1.0
    tail = (1 + confidence) / 2
    z = float(scipy.stats.norm.ppf(tail))
    effective *= (z / float(scipy.stats.t.ppf(tail, degrees))) ** 2
    middle = (p + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z * np.sqrt(spread / effective + z**2 / (4 * effective**2)) / (1 + z**2 / effective)
    return float(max(middle - half, 0.0)), float(min(middle + half, 1.0))
