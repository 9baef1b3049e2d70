"""Effect of the position on screen: a position term in Bradley-Terry with ties.

Davidson and Beaver (1977), On Extending the Bradley-Terry Model to Incorporate Within-Pair Order
Effects: the side shown first is compared as if its merit were higher by s, whatever the response,
so d = m_first - m_second + s. One s for each group of problems, fitted together with all their
merits; the likelihood is concave in both. The tie parameter is that of the fit without s: where
both responses of a pair come first equally often the two are uncorrelated near s = 0. An s of .5 is
then about 1 % too near to 0, one of 1.5 some 8 %; its interval takes the tie parameter as known.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import A_WINS, B_WINS, TIE, Comparisons
from analysis.stats.bradley_terry.merits import MeritsResult, fit_merits
from analysis.stats.bradley_terry.merits_blocks import ProblemBlock, blocks
from analysis.stats.bradley_terry.merits_newton import (
    DUMMY,
    MAX_ITERATIONS,
    STEP_TOLERANCE,
    maximise,
    slope_along,
)
from analysis.stats.bradley_terry.tie_models import TIE_MODELS, Bends, TieModel, TieModelName
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import check_confidence

LONGEST_STEP = 2.0
SMALLEST_ERROR = 1e-6  # below it is what the last Newton step left of nought


@dataclass(frozen=True, eq=False, kw_only=True)
class PositionResult:
    """Effect of the first position in G groups of problems, in the unit of merits (logits).

    effect, low, high (G,): above 0 the first side is favoured. The interval is Wald's; with
    clusters (their number, else None) it allows the comparisons of a cluster to be correlated.
    likelihood_ratio, p (G,): twice the gain over no effect, and its p-value (chi-squared, 1 degree
    of freedom), all comparisons taken as independent. wald_p (G,): of the interval's error.
    first, ties, second (G,): comparisons won by either side, by number and not by weight.
    """

    groups: Sequence[Hashable]
    effect: Floats
    low: Floats
    high: Floats
    likelihood_ratio: Floats
    p: Floats
    wald_p: Floats
    first: Ints
    ties: Ints
    second: Ints
    merits: Floats
    tie_parameter: Floats
    model: TieModelName
    ridge: float
    clusters: int | None
    confidence: float


class Sided:
    """A model of ties in which a share of each cell of A was won in first position.

    first (n, n, P): that share; side (P,): the effect of the first position. x is the side.
    """

    def __init__(self, model: TieModel, first: Floats, side: Floats) -> None:
        self.model, self.first, self.side = model, first, side

    def log_win(self, d: Floats, tie: Floats) -> Floats:
        ahead = self.model.log_win(d + self.side, tie)
        behind = self.model.log_win(d - self.side, tie)
        return self.first * ahead + (1 - self.first) * behind

    def pull(self, d: Floats, tie: Floats) -> tuple[Floats, Floats]:
        ahead, h_ahead = self.model.pull(d + self.side, tie)
        behind, h_behind = self.model.pull(d - self.side, tie)
        rest = 1 - self.first
        return self.first * ahead + rest * behind, self.first * h_ahead + rest * h_behind

    def bends(self, d: Floats, tie: Floats) -> Bends:
        ahead, h_ahead = self.model.pull(d + self.side, tie)
        behind, h_behind = self.model.pull(d - self.side, tie)
        rest = 1 - self.first
        slope = self.first * ahead - rest * behind
        curvature = -self.first * h_ahead - rest * h_behind
        return Bends(slope, curvature, rest * h_behind - self.first * h_ahead)

    def of(self, problems: slice | Flags) -> "Sided":
        return Sided(self.model, self.first[:, :, problems], self.side[problems])


def position_effect(
    comparisons: Comparisons,
    *,
    groups: Sequence[Hashable] | None = None,
    clusters: Sequence[Hashable] | None = None,
    ties: TieModelName = "rao-kupper",
    tie_parameter: float | Literal["estimated"] = "estimated",
    ridge: float = 0.2,
    confidence: float = 0.95,
) -> PositionResult:
    """Fit the effect of being shown first, a of the comparisons being the response shown first.

    groups (P,): problems with an effect and a tie parameter of their own, the question for
    instance; one for all by default. clusters (M,): the workers behind the comparisons. Where every
    pair is compared in one order only, effect and merits stay separable as long as responses occur
    on both sides.

    Raises CannotCompute (one_side_only, no_worker_variation), BadSetting, and the errors of
    fit_merits.
    """
    check_confidence(confidence)
    group, names = _codes("groups", groups, len(comparisons.problems))
    counts = _counts(comparisons, group, names)
    start = fit_merits(
        comparisons, ties=ties, tie_parameter=tie_parameter, tie_groups=groups, ridge=ridge
    )
    fits = [_Fit.of(block, start) for block in blocks(comparisons, TIE_MODELS[ties].tie_score)]
    none = sum(fit.penalised(group, len(names)) for fit in fits)
    side, curvature = _climb(fits, group, len(names))
    gain = np.maximum(2 * (sum(fit.penalised(group, len(names)) for fit in fits) - none), 0.0)
    merits, response = np.empty_like(start.merits), np.empty_like(start.merits)
    for fit in fits:
        real = fit.block.entries >= 0
        merits[fit.block.entries[real]] = fit.merits[real]
        response[fit.block.entries[real]] = fit.response[real]
    error, C = np.sqrt(-1 / curvature), None
    if clusters is not None:
        cluster, table = _codes("clusters", clusters, len(comparisons))
        scores = _scores(comparisons, start, merits, response, side[group])
        error, C = _clustered(scores, cluster, group[comparisons.problem], curvature), len(table)
        pairs = np.unique(np.column_stack([group[comparisons.problem], cluster]), axis=0)
        alone = np.bincount(pairs[:, 0], minlength=len(names)) < 2
        if (alone | (error < SMALLEST_ERROR)).any():
            name = names[int(np.argmax(alone | (error < SMALLEST_ERROR)))]
            raise CannotCompute(
                "no_worker_variation",
                "The position effect has no interval because the participants in group "
                f"{name!r} do not differ, or there is only one.",
            )
    half = scipy.stats.norm.ppf((1 + confidence) / 2) * error
    return PositionResult(
        groups=names,
        effect=side,
        low=side - half,
        high=side + half,
        likelihood_ratio=gain,
        p=scipy.stats.chi2.sf(gain, 1),
        wald_p=2 * scipy.stats.norm.sf(np.abs(side) / error),
        first=counts[0],
        ties=counts[1],
        second=counts[2],
        merits=merits,
        tie_parameter=start.tie_parameter,
        model=ties,
        ridge=ridge,
        clusters=C,
        confidence=confidence,
    )


@dataclass(eq=False)
class _Fit:
    """A block, and its merits at the last side; response (n, P): their derivative by the side."""

    model: TieModel
    block: ProblemBlock
    A: Floats
    tied: Floats
    first: Floats
    tie: Floats
    ridge: float
    merits: Floats
    side: Floats
    response: Floats

    @classmethod
    def of(cls, block: ProblemBlock, start: MeritsResult) -> "_Fit":
        model, weight = TIE_MODELS[start.ties], start.comparisons.weight[block.rows]
        A, tied = block.count(weight[None])
        cell = block.a_over_b * A.shape[2] + block.column
        standing_first = total(cell, weight * block.a_scores, A.size).reshape(A.shape)
        first = np.divide(standing_first, A, out=np.zeros_like(A), where=A > 0)
        merits = np.where(block.entries >= 0, start.merits[block.entries], DUMMY)
        tie = start.tie_parameter[block.problems]
        nought = np.zeros(A.shape[2])
        return cls(
            model, block, A, tied, first, tie, start.ridge, merits, nought, np.zeros_like(merits)
        )

    def move(self, side: Floats) -> tuple[Floats, Floats]:
        """Refit at the side (P,); return slope and curvature (P,) along it."""
        sided = Sided(self.model, self.first, side)
        self.side = side
        self.merits = maximise(sided, self.A, self.tie, self.ridge, self.merits).merits
        slope, curvature, self.response = slope_along(
            sided, self.A, self.merits, self.tie, self.ridge
        )
        return slope, curvature

    def penalised(self, group: Ints, G: int) -> Floats:
        """Return the penalised likelihood of each group (G,), without constants in the side."""
        sided = Sided(self.model, self.first, self.side)
        wins = (self.A * sided.log_win(self.merits[:, None] - self.merits, self.tie)).sum((0, 1))
        ridge = scipy.special.log_expit(self.merits - DUMMY) + scipy.special.log_expit(
            DUMMY - self.merits
        )
        return total(group[self.block.problems], wins + self.ridge * ridge.sum(axis=0), G)


def _climb(fits: Sequence[_Fit], group: Ints, G: int) -> tuple[Floats, Floats]:
    """Return the most likely side (G,), and the curvature there, the merits following."""
    side = np.zeros(G)
    for _ in range(MAX_ITERATIONS):
        slope, curvature = np.zeros(G), np.zeros(G)
        for fit in fits:
            block_group = group[fit.block.problems]
            each_slope, each_curvature = fit.move(side[block_group])
            slope += total(block_group, each_slope, G)
            curvature += total(block_group, each_curvature, G)
        step = np.clip(-slope / curvature, -LONGEST_STEP, LONGEST_STEP)
        if (np.abs(step) < STEP_TOLERANCE).all():
            break
        side = side + step
    return side, curvature


def _scores(
    comparisons: Comparisons, start: MeritsResult, merits: Floats, response: Floats, side: Floats
) -> Floats:
    """Return the slope along the side of each comparison (M,), the merits following."""
    a, b, problem = comparisons.a, comparisons.b, comparisons.problem
    model, tie = TIE_MODELS[start.ties], start.tie_parameter[problem]
    x = merits[a] - merits[b] + side[problem]
    for_a = np.array([0.0, model.tie_score, 1.0])[comparisons.outcome + 1]
    for_b = np.array([1.0, model.tie_score, 0.0])[comparisons.outcome + 1]
    score = for_a * model.pull(x, tie)[0] - for_b * model.pull(-x, tie)[0]
    return np.asarray(comparisons.weight * score * (1 + response[a] - response[b]))


def _clustered(scores: Floats, cluster: Ints, group: Ints, curvature: Floats) -> Floats:
    """Return the sandwich error (G,): Huber (1967), White (1982), summed within clusters."""
    G = len(curvature)
    sums = total(cluster * G + group, scores, (int(cluster.max()) + 1) * G).reshape(-1, G)
    return np.asarray(np.sqrt((sums**2).sum(axis=0)) / -curvature)


def _counts(comparisons: Comparisons, group: Ints, names: Sequence[Hashable]) -> list[Ints]:
    """Return comparisons won by the first, tied, won by the second (G,); check that s is finite."""
    comparison_group, G = group[comparisons.problem], len(names)
    weighty = comparisons.weight > 0
    for side, against in (("first", B_WINS), ("second", A_WINS)):
        speaks = np.bincount(
            comparison_group[weighty & (comparisons.outcome != against)], minlength=G
        )
        if (speaks == 0).any():
            name = names[int(np.argmin(speaks))]
            raise CannotCompute(
                "one_side_only",
                "The position effect cannot be computed because no comparison in group "
                f"{name!r} prefers the side shown {side}.",
            )
    return [
        np.bincount(comparison_group[comparisons.outcome == outcome], minlength=G)
        for outcome in (A_WINS, TIE, B_WINS)
    ]


def _codes(
    name: str, values: Sequence[Hashable] | None, length: int
) -> tuple[Ints, Sequence[Hashable]]:
    if values is None:
        return np.zeros(length, dtype=np.int64), ("all",)
    if len(values) != length:
        raise BadSetting(name, f"{len(values)} values", f"{length} values")
    codes, table = pd.factorize(pd.Series(list(values)))
    if (codes < 0).any():
        raise BadSetting(name, None, "without empty values")
    return codes, tuple(table)
