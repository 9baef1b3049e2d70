"""Effect of position with an interval that covers with few workers.

The sandwich error of position_effect.py is that of many workers: it takes the votes of a worker for
a small part of all, and the normal distribution. Here the effect is computed without each worker
(worker_jackknife.py), merits following, and the interval is that of t (the jackknife, which is the
correction CR3 of Bell and McCaffrey 2002, Bias Reduction in Standard Errors for Linear Regression
with Multi-Stage Samples). With fewer workers than that takes, it is computed without each topic,
and the interval is about these workers on other topics.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.position_effect import PositionResult
from analysis.stats.bradley_terry.tie_models import TIE_MODELS
from analysis.stats.bradley_terry.worker_jackknife import Curvatures, cells_without
from analysis.stats.crossed_errors import jackknife_variance
from analysis.stats.design_checks import (
    LEAST_UNITS,
    LEAST_WORKERS_OF_POSITION,
    About,
    few_workers,
)
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import check_confidence
from analysis.stats.sequential import anytime_p, look_confidence


@dataclass(frozen=True, eq=False, kw_only=True)
class PositionErrors:
    """Errors of G effects, NaN where no interval is offered.

    low, high, error, p, workers (G,). about: the workers that the interval is about. why: the
    reason for no interval, empty where there is one.
    """

    groups: Sequence[Hashable]
    effect: Floats
    low: Floats
    high: Floats
    error: Floats
    p: Floats
    workers: Ints
    about: Sequence[About]
    why: Sequence[str]
    confidence: float


def position_errors(
    comparisons: Comparisons,
    result: PositionResult,
    *,
    workers: Sequence[Hashable],
    groups: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    sequential: bool = False,
) -> PositionErrors:
    """Return errors over workers (M,) of the effects of position_effect with the same groups (P,).

    With fewer than LEAST_WORKERS_OF_POSITION workers they are over problems, which are topics.
    sequential: intervals and p hold at every look at a study that still grows. Raises BadSetting.
    """
    check_confidence(confidence)
    level = look_confidence(confidence) if sequential else confidence
    worker, _ = worker_codes(comparisons, workers)
    group = np.zeros(len(comparisons.problems), dtype=np.int64)
    if groups is not None:
        group = np.asarray(pd.Index(list(result.groups)).get_indexer(pd.Index(list(groups))))
    without, without_topic = _effects_without(comparisons, result, worker, group)
    G = len(result.groups)
    error, count, topics = np.full(G, np.nan), np.zeros(G, int), np.bincount(group, minlength=G)
    about, degrees = [About.LIKE_THESE] * G, np.ones(G)
    for g in range(G):
        changes = without[np.unique(worker[group[comparisons.problem] == g]), g]
        count[g] = len(changes)
        if count[g] < LEAST_WORKERS_OF_POSITION and topics[g] >= LEAST_UNITS:
            about[g], changes = About.THESE, without_topic[group == g]
        if about[g] is About.THESE or count[g] >= LEAST_WORKERS_OF_POSITION:
            error[g], degrees[g] = np.sqrt(jackknife_variance(changes)), len(changes) - 1
    half = scipy.stats.t.ppf((1 + level) / 2, degrees) * error
    p = np.asarray(2 * scipy.stats.t.sf(np.abs(result.effect) / error, degrees))
    return PositionErrors(
        groups=result.groups,
        effect=result.effect,
        low=result.effect - half,
        high=result.effect + half,
        error=error,
        p=anytime_p(p) if sequential else p,
        workers=count,
        about=tuple(about),
        why=tuple(
            "" if whom is About.THESE else few_workers("the effect of position", W)
            for whom, W in zip(about, count.tolist(), strict=True)
        ),
        confidence=confidence,
    )


def worker_codes(
    comparisons: Comparisons, workers: Sequence[Hashable]
) -> tuple[Ints, Sequence[Hashable]]:
    """Return codes (M,) of the workers behind comparisons, and the workers. Raises BadSetting."""
    if len(workers) != len(comparisons):
        raise BadSetting("workers", f"{len(workers)} values", "one value for each comparison")
    codes, table = pd.factorize(pd.Series(list(workers)))
    if (codes < 0).any():
        raise BadSetting("workers", None, "without empty values")
    return np.asarray(codes), tuple(table)


def _effects_without(
    comparisons: Comparisons, result: PositionResult, worker: Ints, group: Ints
) -> tuple[Floats, Floats]:
    """Return the changes of effects without each worker (W, G), and of their own without a topic.

    The latter is (P,): each problem has one effect.
    """
    a, b, problem = comparisons.a, comparisons.b, comparisons.problem
    G, W = len(result.groups), int(worker.max()) + 1
    x = result.merits[a] - result.merits[b] + result.effect[group[problem]]
    curvatures = Curvatures.of(comparisons, TIE_MODELS[result.model], x, result.tie_parameter)
    everybody = cells_without(comparisons, result.merits, curvatures, result.ridge)
    cells = cells_without(comparisons, result.merits, curvatures, result.ridge, worker)
    at = cells.worker * G + group[cells.problem]
    sums, topics = [], []
    # without a worker a problem adds what is left in it instead of the whole
    for whole, rest in zip(everybody.along_position(), cells.along_position(), strict=True):
        lost = total(at, rest - whole[cells.problem], W * G).reshape(W, G)
        sums.append(total(group, whole, G) + lost)
        topics.append(total(group, whole, G)[group] - whole)
    slope, curvature = topics
    without_topic = np.divide(-slope, curvature, out=np.zeros_like(slope), where=curvature != 0)
    return np.asarray(-sums[0] / sums[1]), without_topic
