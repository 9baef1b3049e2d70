"""Merits without ties and without a ridge: plain Bradley-Terry, and Plackett-Luce for rankings.

Plackett (1975), Luce (1959): a ranking i_1 > ... > i_n has the probability
prod_k exp(m_ik) / sum_{l >= k} exp(m_il); Bradley-Terry is the case of n = 2. The maximum of the
likelihood exists if and only if, however the responses are split in two, some response of either
part is ranked above one of the other (Ford 1957; Hunter 2004, MM Algorithms for Generalized
Bradley-Terry Models): every response can be reached from every other by steps from better to worse.
The merits are those of choix (Maystre and Grossglauser 2015, iterative Luce spectral ranking).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import choix
import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.bradley_terry.comparisons import (
    A_WINS,
    B_WINS,
    TIE,
    Comparisons,
    IncompleteComparison,
    NoComparisons,
    UnusableWeight,
)
from analysis.stats.bradley_terry.merits import grade
from analysis.stats.errors import BadSetting, CannotCompute

MAX_ITERATIONS = 10_000

Method = Literal["bradley-terry", "plackett-luce"]
Ranking = tuple[int, ...]


class TiesPresent(CannotCompute):
    """The model knows no ties, and there are some."""

    def __init__(self, problem: object, count: int) -> None:
        super().__init__(
            f"Merits without ties cannot be computed because the problem {problem!r} has {count} "
            "ties; a model of ties is needed."
        )


class NoMaximum(CannotCompute):
    """Some responses never lost to the others, or were never compared with them."""

    def __init__(self, problem: object, groups: int, compared: bool) -> None:
        reason = (
            f"fall into {groups} groups of which one always beats another, "
            "so their distance is infinite"
            if compared
            else f"fall into {groups} groups that are never compared with each other"
        )
        super().__init__(
            "Merits without a ridge cannot be computed because the responses of the problem "
            f"{problem!r} {reason}."
        )


class NotConverged(CannotCompute):
    """The spectral iteration ran out of steps."""

    def __init__(self, problem: object) -> None:
        super().__init__(
            f"Merits without a ridge cannot be computed because those of the problem {problem!r} "
            f"still moved after {MAX_ITERATIONS} iterations."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PlainMeritsResult:
    """Merits of R entries (responses within P problems), each with its Wald interval.

    merits, low, high (R,): in logits, with mean 0 within a problem. grades (R,): 1..n, n the best.
    compared (R,): the rankings (of two: comparisons) that an entry took part in.
    entry_problem (R,): index into problems. log_likelihood (P,).
    """

    method: Method
    problems: Sequence[Hashable]
    responses: Sequence[Hashable]
    entry_problem: Ints
    merits: Floats
    low: Floats
    high: Floats
    grades: Floats
    compared: Ints
    log_likelihood: Floats
    confidence: float


def plain_bradley_terry(comparisons: Comparisons, *, confidence: float = 0.95) -> PlainMeritsResult:
    """Bradley-Terry by choix, problem by problem; every comparison counts once.

    Raises TiesPresent, NoMaximum, NotConverged, UnusableWeight, BadSetting.
    """
    tied = comparisons.problem[comparisons.outcome == TIE]
    if len(tied):
        problem, count = np.unique(tied, return_counts=True)
        raise TiesPresent(comparisons.problems[problem[0]], int(count[0]))
    if (comparisons.weight != 1).any():
        raise UnusableWeight("plain Bradley-Terry takes no weights")
    won = comparisons.outcome == A_WINS
    best = np.where(won, comparisons.a, comparisons.b)
    worst = np.where(won, comparisons.b, comparisons.a)
    place = comparisons.entry_place
    rankings: list[list[Ranking]] = [[] for _ in comparisons.problems]
    for problem, i, j in zip(comparisons.problem, place[best], place[worst], strict=True):
        rankings[problem].append((int(i), int(j)))
    return _fit(
        "bradley-terry", comparisons.problems, comparisons.responses, comparisons.sizes, rankings,
        confidence,
    )  # fmt: skip


def plackett_luce(frame: pd.DataFrame, *, confidence: float = 0.95) -> PlainMeritsResult:
    """Plackett-Luce by choix, from a long frame: problem, ranking, response, rank (1 the best).

    A ranking may leave responses of its problem out. Raises NoComparisons, IncompleteComparison,
    TiesPresent, NoMaximum, NotConverged, BadSetting.
    """
    if not len(frame):
        raise NoComparisons
    for column in ("problem", "ranking", "response", "rank"):
        missing = int(frame[column].isna().sum()) if column in frame.columns else len(frame)
        if missing:
            raise IncompleteComparison(column, missing)
    level = frame.duplicated(["problem", "ranking", "rank"])
    if level.any():
        problem = frame["problem"][level].iloc[0]
        raise TiesPresent(problem, int((frame["problem"][level] == problem).sum()))
    twice = frame.duplicated(["problem", "ranking", "response"])
    if twice.any():
        raise BadSetting("frame", frame["response"][twice].iloc[0], "once in each ranking")
    problems, responses, sizes, rankings = [], [], [], []
    for problem, part in frame.groupby("problem", sort=True):
        place, names = pd.factorize(part["response"], sort=True)
        ordered = part.assign(place=place).sort_values("rank", kind="stable")
        problems.append(problem)
        responses.extend(names.tolist())
        sizes.append(len(names))
        groups = ordered.groupby("ranking", sort=True)["place"]
        rankings.append([tuple(map(int, places)) for _, places in groups])
    return _fit("plackett-luce", problems, responses, np.array(sizes), rankings, confidence)


def without_maximum(comparisons: Comparisons) -> Flags:
    """The problems (P,) whose merits are not finite without a ridge, a tie being won by both."""
    best = np.r_[
        comparisons.a[comparisons.outcome != B_WINS], comparisons.b[comparisons.outcome != A_WINS]
    ]
    worst = np.r_[
        comparisons.b[comparisons.outcome != B_WINS], comparisons.a[comparisons.outcome != A_WINS]
    ]
    count, group = _components(best, worst, len(comparisons.entry_problem), "strong")
    problem_of = np.zeros(count, dtype=np.int64)
    problem_of[group] = comparisons.entry_problem
    return np.bincount(problem_of, minlength=len(comparisons.problems)) > 1


def _fit(
    method: Method,
    problems: Sequence[Hashable],
    responses: Sequence[Hashable],
    sizes: Ints,
    rankings: Sequence[Sequence[Ranking]],
    confidence: float,
) -> PlainMeritsResult:
    if not 0 < confidence < 1:
        raise BadSetting("confidence", confidence, "between 0 and 1")
    merits, errors, likelihood, compared = [], [], [], []
    fit: Any  # choix types the pairs of the one more narrowly than the rankings of the other
    fit = choix.ilsr_pairwise if method == "bradley-terry" else choix.ilsr_rankings
    for problem, n, ranked in zip(problems, sizes.tolist(), rankings, strict=True):
        _check_maximum(problem, n, ranked)
        try:
            m = fit(n, ranked, alpha=0.0, max_iter=MAX_ITERATIONS)
        except RuntimeError:
            raise NotConverged(problem) from None
        value, H = _curvature(m, ranked)
        merits.append(m)
        errors.append(np.sqrt(np.diag(np.linalg.pinv(H))))
        likelihood.append(value)
        compared.append(np.bincount(np.concatenate(ranked), minlength=n))
    m, half = (
        np.concatenate(merits),
        scipy.stats.norm.ppf((1 + confidence) / 2) * np.concatenate(errors),
    )
    entry_problem = np.repeat(np.arange(len(sizes)), sizes)
    return PlainMeritsResult(
        method=method,
        problems=tuple(problems),
        responses=tuple(responses),
        entry_problem=entry_problem,
        merits=m,
        low=m - half,
        high=m + half,
        grades=grade(m, entry_problem),
        compared=np.concatenate(compared),
        log_likelihood=np.array(likelihood),
        confidence=confidence,
    )


def _check_maximum(problem: object, n: int, ranked: Sequence[Ranking]) -> None:
    # neighbours are enough: whoever is further down is reached by more steps
    best = np.array([i for ranking in ranked for i in ranking[:-1]], dtype=np.int64)
    worst = np.array([j for ranking in ranked for j in ranking[1:]], dtype=np.int64)
    apart, _ = _components(best, worst, n, "weak")
    if apart > 1:
        raise NoMaximum(problem, apart, compared=False)
    groups, _ = _components(best, worst, n, "strong")
    if groups > 1:
        raise NoMaximum(problem, groups, compared=True)


def _components(
    best: Ints, worst: Ints, n: int, connection: Literal["weak", "strong"]
) -> tuple[int, Ints]:
    graph = scipy.sparse.coo_array((np.ones(len(best)), (best, worst)), shape=(n, n)).tocsr()
    count, group = scipy.sparse.csgraph.connected_components(graph, connection=connection)
    return int(count), group


def _curvature(m: Floats, ranked: Sequence[Ranking]) -> tuple[float, Floats]:
    """The log-likelihood, and its negative Hessian (n, n), at m (n,)."""
    value, H = 0.0, np.zeros((len(m), len(m)))
    for ranking in ranked:
        for k in range(len(ranking) - 1):
            left = list(ranking[k:])
            p = np.exp(m[left] - m[left].max())
            p /= p.sum()
            value += float(np.log(p[0]))
            H[np.ix_(left, left)] += np.diag(p) - np.outer(p, p)
    return value, H
