"""Bootstrap intervals of merits and grades, over comparisons or over workers."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.merits import SAME_MERIT, MeritsResult
from analysis.stats.bradley_terry.merits_blocks import CELLS_AT_ONCE, ProblemBlock, blocks
from analysis.stats.bradley_terry.merits_newton import maximise
from analysis.stats.bradley_terry.merits_reduced import solve_reduced
from analysis.stats.bradley_terry.tie_models import TIE_MODELS
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import Bootstrap

# An interval is read to three digits; Newton's error is about the square of its last step.
DRAW_TOLERANCE = 1e-5

Drawing = Callable[[ProblemBlock, slice], Floats]


@dataclass(frozen=True, eq=False, kw_only=True)
class MeritIntervals:
    """Percentile intervals for R entries, and the probability that one is ahead of another.

    merit_low, merit_high, grade_low, grade_high (R,); equal merits share the mean of their grades.
    first, second (Q,): every pair of entries within a problem, first < second; ahead (Q,): the
    share of draws in which first has the higher merit, equal merits counting half.
    clusters: the number of clusters drawn from; None if comparisons were drawn singly.
    """

    result: MeritsResult
    merit_low: Floats
    merit_high: Floats
    grade_low: Floats
    grade_high: Floats
    first: Ints
    second: Ints
    ahead: Floats
    clusters: int | None
    draws: int
    confidence: float
    seed: int


def bootstrap_merits(
    result: MeritsResult,
    *,
    clusters: Sequence[Hashable] | None = None,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> MeritIntervals:
    """Resample the comparisons of each problem and fit the merits again, draws times.

    clusters (M,) draws whole clusters instead, for instance the workers of the votes, in the order
    of the frame: the votes of a worker are correlated, and drawn singly they make the intervals too
    narrow. The same clusters are drawn in all problems. The tie parameter stays that of the result.

    Takes 16 bytes for every draw and entry. Raises BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, least=1)
    rng = bootstrap.generator()
    drawing, count = _drawing(result, clusters, draws, rng)
    R = len(result.merits)
    merits, grades = np.empty((draws, R)), np.empty((draws, R))
    split = blocks(result.comparisons, TIE_MODELS[result.ties].tie_score)
    pairs = [_draw(result, block, drawing, merits, grades) for block in split]
    first, second, ahead = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    order = np.lexsort((second, first))
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    merit_low, merit_high = np.quantile(merits, tails, axis=0)
    # a grade is a rank: no value between two grades that were drawn
    grade_low, grade_high = np.quantile(grades, tails, axis=0, method="nearest")
    return MeritIntervals(
        result=result,
        merit_low=merit_low,
        merit_high=merit_high,
        grade_low=grade_low,
        grade_high=grade_high,
        first=first[order],
        second=second[order],
        ahead=ahead[order],
        clusters=count,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def _draw(
    result: MeritsResult, block: ProblemBlock, drawing: Drawing, merits: Floats, grades: Floats
) -> tuple[Ints, Ints, Floats]:
    """Fill the columns of a block in merits and grades (draws, R); return first, second, ahead.

    The draws of the same block are fitted together, as if they were further problems.
    """
    n, P = block.entries.shape
    real = block.entries >= 0
    weight = result.comparisons.weight[block.rows]
    start = np.where(real, result.merits[block.entries], 1.0)
    t = result.tie_parameter[block.problems]
    ahead = np.zeros((n, n, P))
    for part in _portions(len(merits), n * n * P):
        D = part.stop - part.start
        counts = drawing(block, part) * weight
        A, _ = block.count(counts)
        model, ties, starts = TIE_MODELS[result.ties], np.tile(t, D), np.tile(start, D)
        if result.reduced:
            pairs = block.count_pairs(counts)
            fitted = solve_reduced(model, A, pairs, ties, starts, DRAW_TOLERANCE)
        else:
            fitted = maximise(model, A, ties, result.ridge, starts, DRAW_TOLERANCE)
        m = fitted.merits.reshape(n, D, P)
        gap = m[:, None] - m
        # 1 ahead, 1/2 level, 0 behind; padding is nobody to be ahead of
        wins = (gap > SAME_MERIT) + 0.5 * (np.abs(gap) <= SAME_MERIT)
        ahead += wins.sum(axis=2)
        # level with itself: one half, and another half makes the worst of all a 1
        g = (wins * real[None, :, None]).sum(axis=1) + 0.5
        merits[part, block.entries[real]] = m.transpose(1, 0, 2)[:, real]
        grades[part, block.entries[real]] = g.transpose(1, 0, 2)[:, real]
    i, j = np.triu_indices(n, 1)
    both = real[i] & real[j]
    return block.entries[i][both], block.entries[j][both], (ahead[i, j] / len(merits))[both]


def _drawing(
    result: MeritsResult,
    clusters: Sequence[Hashable] | None,
    draws: int,
    rng: np.random.Generator,
) -> tuple[Drawing, int | None]:
    """Return a function that draws counts (D, M) for a block, and the number of clusters."""
    if clusters is None:
        return lambda block, part: _singly(block, part.stop - part.start, rng), None
    if len(clusters) != len(result.comparisons):
        raise BadSetting("clusters", f"{len(clusters)} values", "one value for each comparison")
    cluster, table = pd.factorize(pd.Series(list(clusters)))
    if (cluster < 0).any():
        raise BadSetting("clusters", None, "without empty values")
    C = len(table)
    # two bytes: draws times clusters are many, and nobody is drawn 30,000 times
    times = rng.multinomial(C, np.full(C, 1 / C), size=draws).astype(np.int16)
    return lambda block, part: times[part][:, cluster[block.rows]].astype(np.float64), C


def _singly(block: ProblemBlock, D: int, rng: np.random.Generator) -> Floats:
    """Return counts (D, M) of comparisons drawn singly, each problem drawing as many as it has."""
    M = len(block.rows)
    counts = np.bincount(block.column)[block.column]
    first = np.searchsorted(block.column, block.column)
    drawn = first + (rng.random((D, M)) * counts).astype(np.int64)
    drawn += (np.arange(D) * M)[:, None]
    return np.bincount(drawn.ravel(), minlength=D * M).reshape(D, M).astype(np.float64)


def _portions(draws: int, cells: int) -> Iterator[slice]:
    size = max(1, CELLS_AT_ONCE // cells)
    for start in range(0, draws, size):
        yield slice(start, min(start + size, draws))
