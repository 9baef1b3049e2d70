"""Intervals of merits over workers: a jackknife over workers with Student's t.

The bootstrap of merit_intervals.py draws as if votes were many; within one topic they are not.
Merits are relative to the mean of their problem, since their level has no meaning.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.merits import MeritsResult
from analysis.stats.bradley_terry.position_errors import worker_codes
from analysis.stats.bradley_terry.tie_models import TIE_MODELS
from analysis.stats.bradley_terry.worker_jackknife import Curvatures, cells_without
from analysis.stats.design_checks import check_comparisons, few_workers
from analysis.stats.resampling import check_confidence
from analysis.stats.sequential import look_confidence


@dataclass(frozen=True, eq=False, kw_only=True)
class MeritErrors:
    """Merits with intervals over workers.

    merit, low, high, error (R,): relative to the mean of the problem; NaN where not offered.
    workers (P,): of each problem; why (P,): the reason for no interval, empty where there is one.
    changed_worker, changed_entry, change (C): the change of the merit of an entry without a worker
    who voted in its problem, for statistics made of merits.
    """

    merit: Floats
    low: Floats
    high: Floats
    error: Floats
    workers: Ints
    why: Sequence[str]
    changed_worker: Sequence[Hashable]
    changed_entry: Ints
    change: Floats
    confidence: float


def merit_errors(
    result: MeritsResult,
    *,
    workers: Sequence[Hashable],
    confidence: float = 0.95,
    sequential: bool = False,
) -> MeritErrors:
    """Return errors over the workers (M,) behind the comparisons. Raises BadSetting.

    sequential: the intervals hold at every look at a study that still grows.
    """
    check_confidence(confidence)
    level = look_confidence(confidence) if sequential else confidence
    comparisons = result.comparisons
    problem, sizes = comparisons.entry_problem, comparisons.sizes
    worker, names = worker_codes(comparisons, workers)
    x = result.merits[comparisons.a] - result.merits[comparisons.b]
    curvatures = Curvatures.of(comparisons, TIE_MODELS[result.ties], x, result.tie_parameter)
    cells = cells_without(
        comparisons, result.merits, curvatures, result.ridge, worker, tilt=result.tilt
    )
    P, R = len(sizes), len(problem)
    n = int(sizes.max())
    first = np.cumsum(sizes) - sizes
    real = np.arange(n)[:, None] < sizes[cells.problem]
    change = np.where(real, cells.change(), 0.0)
    change = np.where(real, change - change.sum(axis=0) / sizes[cells.problem], 0.0)
    entry = (first[cells.problem] + np.arange(n)[:, None])[real]
    W = np.bincount(cells.problem, minlength=P)
    sums = total(entry, change[real], R), total(entry, change[real] ** 2, R)
    many = W[problem]
    variance = (many - 1) / many * (sums[1] - sums[0] ** 2 / many)
    unfit = check_comparisons(comparisons)["why"].tolist()
    why = tuple(
        sentence or few_workers("merits", number)
        for sentence, number in zip(unfit, W.tolist(), strict=True)
    )
    offered = np.array([not sentence for sentence in why])[problem]
    error = np.where(offered, np.sqrt(np.maximum(variance, 0)), np.nan)
    merit = result.merits - (total(problem, result.merits, P) / sizes)[problem]
    half = scipy.stats.t.ppf((1 + level) / 2, np.maximum(many - 1, 1)) * error
    return MeritErrors(
        merit=merit,
        low=merit - half,
        high=merit + half,
        error=error,
        workers=W,
        why=why,
        changed_worker=tuple(names[k] for k in np.broadcast_to(cells.worker, real.shape)[real]),
        changed_entry=entry,
        change=change[real],
        confidence=confidence,
    )


def grade_ranges(errors: MeritErrors, problem: Ints) -> tuple[Floats, Floats]:
    """Return the lowest and the highest grade (R,) that the intervals of the merits allow.

    A response is surely above those of its problem (R,) whose whole interval is below its own
    (Klein, Wright and Wieczorek, A joint confidence region for an overall ranking of populations,
    2020). Two 95% intervals are disjoint by chance once in 180 pairs of equal responses, so a grade
    is within its range at least as often, up to about 18 responses. NaN without intervals.
    """
    lowest, highest = np.full(len(problem), np.nan), np.full(len(problem), np.nan)
    for entries in np.split(np.arange(len(problem)), np.flatnonzero(np.diff(problem)) + 1):
        low, high = errors.low[entries], errors.high[entries]
        if np.isnan(low).any():
            continue
        below = np.searchsorted(np.sort(high), low, side="left")
        above = len(entries) - np.searchsorted(np.sort(low), high, side="right")
        lowest[entries], highest[entries] = 1 + below, len(entries) - above
    return lowest, highest
