"""Merits and grades of responses from pairwise comparisons: Bradley-Terry with ties.

Rao and Kupper, Ties in Paired-Comparison Experiments (1967): with merits m and tie parameter t,
    P(i beats j) = e^m_i / (e^m_i + e^(m_j + t))
    P(tie)       = e^(m_i + m_j) (e^2t - 1) / ((e^m_i + e^(m_j + t)) (e^(m_i + t) + e^m_j)).
Where a response has won or lost everything the likelihood has no maximum, so a ridge is added as
Gienapp et al. (SIGIR 2025) do: ridge times a win and ridge times a loss of every response against a
dummy of merit 1. They fix t = .05 and ridge = .2, and rank the merits of a topic to grades 1..n.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.comparisons import Comparisons
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.merits_blocks import Block, blocks
from analysis.stats.merits_newton import (
    MAX_ITERATIONS,
    STEP_TOLERANCE,
    Solution,
    log_likelihood,
    maximise,
    tie_slope,
)

Shared = Literal["mean", "lowest", "highest"]

# Merits nearer than this are equal: Newton's error is far below, any difference in votes far above.
SAME_MERIT = 1e-9


class NothingDecided(CannotCompute):
    """Every comparison is a tie, so the likelihood grows with the tie parameter for ever."""

    def __init__(self, group: object) -> None:
        super().__init__(
            "The tie parameter cannot be estimated because every comparison "
            f"in the group {group!r} is a tie."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class MeritsResult:
    """Merits of R entries (responses within P problems), in the order of comparisons.responses.

    merits (R,): in logits, the dummy at 1; differences mean something, the level does not.
    grades (R,): 1..n within a problem, n the best. Merits nearer than 1e-9 share a grade: the mean,
        lowest or highest of the grades that they would fill (shared says which).
    compared (R,): the comparisons that an entry took part in; decided by their number, not weight.
    tie_parameter (P,), and whether it was estimated. log_likelihood (P,), without the ridge.
    converged (P,); iterations: the most Newton steps that any problem took, at the last t.
    """

    comparisons: Comparisons
    merits: Floats
    grades: Floats
    compared: Ints
    tie_parameter: Floats
    estimated: bool
    log_likelihood: Floats
    ridge: float
    shared: Shared
    converged: Flags
    iterations: int

    def frame(self) -> pd.DataFrame:
        """One row an entry: problem, response, merit, grade, compared."""
        problems = pd.Series(list(self.comparisons.problems), dtype=object)
        return pd.DataFrame(
            {
                "problem": problems.take(self.comparisons.entry_problem).to_numpy(),
                "response": list(self.comparisons.responses),
                "merit": self.merits,
                "grade": self.grades,
                "compared": self.compared,
            }
        )


def fit_merits(
    comparisons: Comparisons,
    *,
    tie_parameter: float | Literal["estimated"] = 0.05,
    tie_groups: Sequence[Hashable] | None = None,
    ridge: float = 0.2,
    shared: Shared = "mean",
) -> MeritsResult:
    """Fit all problems at once.

    With tie_parameter="estimated" it is the t of the highest penalised likelihood, one for all
    problems, or one for each different value of tie_groups (P,), the question for instance: a
    single topic has too few comparisons. A group without ties has t = 0.

    Raises BadSetting, NothingDecided.
    """
    _check(tie_parameter, ridge, shared)
    games = [_Games.of(block, comparisons) for block in blocks(comparisons)]
    P, R = len(comparisons.problems), len(comparisons.responses)
    estimated = tie_parameter == "estimated"
    if estimated:
        groups, names = _groups(tie_groups, P)
        _check_decided(comparisons, groups, names)
        t = _estimate_tie(games, groups, ridge)[groups]
    else:
        t = np.full(P, tie_parameter, dtype=np.float64)
    merits, likelihood, converged, iterations = np.empty(R), np.empty(P), np.empty(P, bool), 0
    for game in games:
        of, entries = game.block.problems, game.block.entries
        solution = game.solve(t[of], ridge)
        merits[entries[entries >= 0]] = solution.merits[entries >= 0]
        likelihood[of] = log_likelihood(game.A, game.ties, solution.merits, t[of])
        converged[of] = solution.converged
        iterations = max(iterations, solution.iterations)
    sides = np.concatenate([comparisons.a, comparisons.b])
    return MeritsResult(
        comparisons=comparisons,
        merits=merits,
        grades=grade(merits, comparisons.entry_problem, shared=shared),
        compared=np.bincount(sides, minlength=R),
        tie_parameter=t,
        estimated=estimated,
        log_likelihood=likelihood,
        ridge=ridge,
        shared=shared,
        converged=converged,
        iterations=iterations,
    )


def grade(merits: Floats, problem: Ints, *, shared: Shared = "mean") -> Floats:
    """Rank the merits (R,) within each problem (R,): 1 the lowest, n the highest, ties shared.

    The mean of tied grades is the default since it leaves the mean grade of a topic as it is.
    """
    order = np.lexsort((merits, problem))
    ordered, of = merits[order], problem[order]
    new_problem = np.r_[True, of[1:] != of[:-1]]
    new_grade = new_problem | np.r_[True, np.diff(ordered) > SAME_MERIT]
    place = np.arange(len(order))
    rank = place - np.maximum.accumulate(np.where(new_problem, place, 0)) + 1.0
    tied = np.cumsum(new_grade) - 1
    size = np.bincount(tied)
    lowest = rank[new_grade]
    offset = {"lowest": 0.0 * size, "mean": (size - 1) / 2, "highest": size - 1.0}[shared]
    grades = np.empty(len(order))
    grades[order] = (lowest + offset)[tied]
    return grades


@dataclass(eq=False)
class _Games:
    """A block with its counts, and its merits at the last t, from which the next t starts."""

    block: Block
    A: Floats
    ties: Floats
    merits: Floats | None = None

    @classmethod
    def of(cls, block: Block, comparisons: Comparisons) -> "_Games":
        return cls(block, *block.count(comparisons.weight[block.rows][None]))

    def solve(self, t: Floats, ridge: float) -> Solution:
        solution = maximise(self.A, t, ridge, self.merits)
        self.merits = solution.merits
        return solution


def _estimate_tie(games: list[_Games], groups: Ints, ridge: float) -> Floats:
    """The t (G,) of the highest penalised likelihood in each group of problems (P,).

    Along the best merits for each t the likelihood is concave in t, so its slope has one root:
    Newton's method on the slope, kept between the ends of a shrinking bracket.
    """
    G = int(groups.max()) + 1
    ties = np.zeros(G)
    for game in games:
        ties += total(groups[game.block.problems], game.ties, G)
    low, high = np.zeros(G), np.full(G, np.inf)
    t = np.where(ties > 0, 0.5, 0.0)
    for _ in range(MAX_ITERATIONS):
        slope, curvature = _slopes(games, groups, t, ties, ridge)
        low, high = np.where(slope > 0, t, low), np.where(slope > 0, high, t)
        ahead = t - slope / curvature
        middle = np.where(np.isfinite(high), (low + high) / 2, 2 * t)
        ahead = np.where((low < ahead) & (ahead < high), ahead, middle)
        moved = np.where(ties > 0, ahead - t, 0.0)
        t = t + moved
        if (np.abs(moved) < STEP_TOLERANCE).all():
            break
    return t


def _slopes(
    games: list[_Games], groups: Ints, t: Floats, ties: Floats, ridge: float
) -> tuple[Floats, Floats]:
    """Slope and curvature (G,) of the penalised likelihood in t, the merits following."""
    growth = -np.expm1(-2 * np.where(ties > 0, t, 1.0))  # 1 - exp(-2t)
    slope = 2 * ties / growth
    curvature = -4 * ties * (1 - growth) / growth**2
    for game in games:
        of = groups[game.block.problems]
        merits = game.solve(t[of], ridge).merits
        each_slope, each_curvature = tie_slope(game.A, merits, t[of], ridge)
        slope += total(of, each_slope, len(t))
        curvature += total(of, each_curvature, len(t))
    return slope, curvature


def _groups(tie_groups: Sequence[Hashable] | None, P: int) -> tuple[Ints, Sequence[Hashable]]:
    if tie_groups is None:
        return np.zeros(P, dtype=np.int64), ("all",)
    if len(tie_groups) != P:
        raise BadSetting("tie_groups", tie_groups, "one value for each problem")
    codes, names = pd.factorize(pd.Series(list(tie_groups)))
    return codes, tuple(names)


def _check_decided(comparisons: Comparisons, groups: Ints, names: Sequence[Hashable]) -> None:
    decided = comparisons.weight * (comparisons.outcome != 0)
    weight = total(groups[comparisons.problem], decided, len(names))
    if (weight == 0).any():
        raise NothingDecided(names[int(np.argmin(weight))])


def _check(tie_parameter: float | str, ridge: float, shared: str) -> None:
    if isinstance(tie_parameter, str):
        if tie_parameter != "estimated":
            raise BadSetting("tie_parameter", tie_parameter, 'a number or "estimated"')
    elif not 0 < tie_parameter < np.inf:
        raise BadSetting("tie_parameter", tie_parameter, "a number above 0")
    if not 0 < ridge < np.inf:
        raise BadSetting("ridge", ridge, "above 0, or some merits would be infinite")
    if shared not in get_args(Shared):
        raise BadSetting("shared", shared, "mean, lowest or highest")
