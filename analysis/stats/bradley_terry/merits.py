"""Merits and grades of responses from pairwise comparisons: Bradley-Terry with ties.

Rao and Kupper, Ties in Paired-Comparison Experiments (1967): with merits m and tie parameter t,
    P(i beats j) = e^m_i / (e^m_i + e^(m_j + t))
    P(tie)       = e^(m_i + m_j) (e^2t - 1) / ((e^m_i + e^(m_j + t)) (e^(m_i + t) + e^m_j)).
Davidson, On Extending the Bradley-Terry Model to Accommodate Ties (1970): with tie parameter nu,
    P(i beats j) = e^m_i / S,  P(tie) = nu e^((m_i + m_j) / 2) / S,
    S = e^m_i + e^m_j + nu e^((m_i + m_j) / 2).
Where a response has won or lost everything the likelihood has no maximum, so a ridge is added as
Gienapp et al. (SIGIR 2025) do: ridge times a win and ridge times a loss of every response against a
dummy of merit 1. They fix t = .05 and ridge = .2, and rank the merits of a topic to grades 1..n.
Such merits are too far apart where comparisons are few; merits_reduced.py has those that are not.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits_newton import DUMMY, Solution, log_likelihood
from analysis.stats.bradley_terry.merits_reduced import LEVEL_RIDGE
from analysis.stats.bradley_terry.merits_ties import BlockFit, estimate_tie
from analysis.stats.bradley_terry.tie_models import TIE_MODELS, TieModelName
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import check_confidence

Shared = Literal["mean", "lowest", "highest"]
FIRTH: Literal["firth"] = "firth"

# Merits nearer than this are equal: Newton's error is far below, any difference in votes far above.
SAME_MERIT = 1e-9

CHOIX_TOLERANCE = 1e-10
CHOIX_ROUNDS = 10_000  # choix raises RuntimeError where they are not enough


@dataclass(frozen=True, eq=False, kw_only=True)
class MeritsResult:
    """Merits of R entries (responses within P problems), in the order of comparisons.responses.

    merits (R,): in logits, the dummy at 1; differences mean something, the level does not.
    grades (R,): 1..n within a problem, n the best. Merits nearer than 1e-9 share a grade: the mean,
        lowest or highest of the grades that they would fill (shared).
    compared (R,): the comparisons of an entry, by number, not weight.
    ties: the model of ties. tie_parameter (P,): its t or nu, and whether it was estimated; then
    tie_low, tie_high (P,) are its Wald interval, and NaN otherwise and without ties.
    log_likelihood (P,), without the ridge. reduced: whether merits are free of first-order bias,
    and tilt (M,) what that adds to the slope of each comparison along m_a - m_b.
    converged (P,); iterations: the most Newton steps that any problem took, at the last t.
    """

    comparisons: Comparisons
    merits: Floats
    grades: Floats
    compared: Ints
    ties: TieModelName
    tie_parameter: Floats
    tie_low: Floats
    tie_high: Floats
    estimated: bool
    log_likelihood: Floats
    ridge: float
    reduced: bool
    tilt: Floats
    shared: Shared
    confidence: float
    converged: Flags
    iterations: int

    def frame(self) -> pd.DataFrame:
        """Return one row an entry: problem, response, merit, grade, compared."""
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
    ties: TieModelName = "rao-kupper",
    tie_parameter: float | Literal["estimated"] = 0.05,
    tie_groups: Sequence[Hashable] | None = None,
    ridge: float | Literal["firth"] = 0.2,
    shared: Shared = "mean",
    confidence: float = 0.95,
) -> MeritsResult:
    """Fit the merits of all problems at once.

    Parameters
    ----------
    ties : "none" leaves ties out; merits are then those of choix.
    tie_parameter : t or nu; "estimated" takes the one of the highest penalised likelihood, one for
        all problems, or one for each different value of tie_groups. A group without ties has 0.
    tie_groups : (P,), the question of each problem for instance: a single topic has too few
        comparisons.
    ridge : weight of a win and a loss of every response against the dummy; "firth" removes the
        first-order bias instead (merits_reduced.py).
    shared : grade of equal merits: the mean, lowest or highest of those that they fill.

    Raises
    ------
    CannotCompute (only_ties), BadSetting
    """
    _check(ties, tie_parameter, ridge, shared)
    check_confidence(confidence)
    reduced = ridge == FIRTH
    weight = LEVEL_RIDGE if reduced else float(ridge)
    games = BlockFit.of(comparisons, TIE_MODELS[ties], reduced=reduced)
    P, R = len(comparisons.problems), len(comparisons.responses)
    t, low, high = _ties(games, comparisons, ties, tie_parameter, tie_groups, weight, confidence)
    merits, likelihood, converged, iterations = np.empty(R), np.empty(P), np.empty(P, bool), 0
    tilt = np.zeros(len(comparisons))
    for game in games:
        problems, entries = game.block.problems, game.block.entries
        real, tie = entries >= 0, t[problems]
        by_package = ties == "none" and not reduced
        solution = by_choix(game.A, weight) if by_package else game.solve(tie, weight)
        merits[entries[real]] = solution.merits[real]
        if reduced:
            tilt[game.block.rows] = game.tilt(tie) * comparisons.weight[game.block.rows]
        likelihood[problems] = log_likelihood(game.model, game.A, game.ties, solution.merits, tie)
        converged[problems] = solution.converged
        iterations = max(iterations, solution.iterations)
    sides = np.concatenate([comparisons.a, comparisons.b])
    return MeritsResult(
        comparisons=comparisons,
        merits=merits,
        grades=grade(merits, comparisons.entry_problem, shared=shared),
        compared=np.bincount(sides, minlength=R),
        ties=ties,
        tie_parameter=t,
        tie_low=low,
        tie_high=high,
        estimated=tie_parameter == "estimated" and ties != "none",
        log_likelihood=likelihood,
        ridge=weight,
        reduced=reduced,
        tilt=tilt,
        shared=shared,
        confidence=confidence,
        converged=converged,
        iterations=iterations,
    )


def grade(merits: Floats, problem: Ints, *, shared: Shared = "mean") -> Floats:
    """Rank the merits (R,) within each problem (R,): 1 the lowest, n the highest, ties shared.

    The mean of tied grades is the default since it leaves the mean grade of a topic as it is.
    """
    order = np.lexsort((merits, problem))
    ordered, ordered_problem = merits[order], problem[order]
    new_problem = np.r_[True, ordered_problem[1:] != ordered_problem[:-1]]
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


def _ties(
    games: Sequence[BlockFit],
    comparisons: Comparisons,
    ties: TieModelName,
    tie_parameter: float | Literal["estimated"],
    tie_groups: Sequence[Hashable] | None,
    ridge: float,
    confidence: float,
) -> tuple[Floats, Floats, Floats]:
    """Return the tie parameter of each problem (P,) and the ends of its interval, if it has one."""
    P = len(comparisons.problems)
    unknown = np.full(P, np.nan)
    if ties == "none":
        return np.zeros(P), unknown, unknown
    if tie_parameter != "estimated":
        return np.full(P, tie_parameter, dtype=np.float64), unknown, unknown
    groups, names = _groups(tie_groups, P)
    _check_decided(comparisons, groups, names)
    t, low, high = (x[groups] for x in estimate_tie(games, groups, ridge, confidence))
    return t, low, high


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
        group = names[int(np.argmin(weight))]
        raise CannotCompute(
            "only_ties",
            "The tie parameter cannot be estimated because every comparison in the group "
            f"{group!r} is a tie.",
        )


def _check(ties: str, tie_parameter: float | str, ridge: float | str, shared: str) -> None:
    if ties not in TIE_MODELS:
        raise BadSetting("ties", ties, " or ".join(TIE_MODELS))
    if isinstance(tie_parameter, str):
        if tie_parameter != "estimated":
            raise BadSetting("tie_parameter", tie_parameter, 'a number or "estimated"')
    elif not 0 < tie_parameter < np.inf:
        raise BadSetting("tie_parameter", tie_parameter, "a number above 0")
    if isinstance(ridge, str):
        if ridge != FIRTH:
            raise BadSetting("ridge", ridge, f'a number or "{FIRTH}"')
    elif not 0 < ridge < np.inf:
        raise BadSetting("ridge", ridge, "above 0, or some merits would be infinite")
    if shared not in get_args(Shared):
        raise BadSetting("shared", shared, "mean, lowest or highest")


def by_choix(A: Floats, ridge: float) -> Solution:
    """Return the merits (n, P) of wins A (n, n, P) without ties, one problem at a time.

    Maystre and Grossglauser, Fast and Accurate Inference of Plackett-Luce Models (2015). The dummy
    of the ridge is a further response, which every other one has beaten, and has lost to, ridge
    times. The maximum is that of merits_newton.py; choix does not report its iterations.
    """
    import choix  # when it is needed: it loads scipy.stats, a second of the start of any process

    n, _, P = A.shape
    merits, converged = np.full((n, P), DUMMY), np.ones(P, dtype=bool)
    wins = np.full((n + 1, n + 1), ridge)
    for problem in range(P):
        wins[:n, :n] = A[:, :, problem]
        try:
            strengths = choix.ilsr_pairwise_dense(wins, max_iter=CHOIX_ROUNDS, tol=CHOIX_TOLERANCE)
        except RuntimeError:
            converged[problem] = False
            continue
        merits[:, problem] = strengths[:n] - strengths[n] + DUMMY
    return Solution(merits, converged, 0)
