"""Stability of the ranking: from m votes an item against the ranking from all of them."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.bradley_terry.comparisons import (
    A_WINS,
    B_WINS,
    TIE,
    Comparisons,
)
from analysis.stats.bradley_terry.merits import SAME_MERIT, MeritsResult, fit_merits
from analysis.stats.bradley_terry.merits_blocks import ProblemBlock, blocks
from analysis.stats.bradley_terry.merits_newton import DUMMY, maximise
from analysis.stats.bradley_terry.tie_models import TIE_MODELS, TieModelName
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import Bootstrap

RankedBy = Literal["labels", "votes"]

DRAW_TOLERANCE = 1e-6  # Newton's error is about the square of its last step


@dataclass(frozen=True, eq=False, kw_only=True)
class StabilityResult:
    """Kendall's tau-b between the rankings from m votes an item and from all votes.

    votes_per_item (S,): m = 1 .. the most votes on an item; an item with fewer gives all it has.
    tau (S,): the mean over problems, then over draws; low, high (S,): percentiles over the draws.
    Problems whose full ranking is flat are left out; a draw that ranks all alike counts as 0.
    """

    votes_per_item: Ints
    tau: Floats
    low: Floats
    high: Floats
    problems: int
    flat_problems: int
    items: int
    votes: int
    draws: int
    by: RankedBy
    ties: TieModelName
    tie_parameter: float
    ridge: float
    confidence: float
    seed: int


def ranking_stability(
    comparisons: Comparisons,
    *,
    by: RankedBy = "labels",
    draws: int = 100,
    ties: TieModelName = "rao-kupper",
    tie_parameter: float | Literal["estimated"] = 0.05,
    ridge: float = 0.2,
    confidence: float = 0.95,
    seed: int = 0,
) -> StabilityResult:
    """Draw m of the votes on each item without replacement, m = 1, 2, ...; fit, compare.

    comparisons: one a vote; the votes on an item are those on the same two responses in the same
    order. By "votes" each is a comparison; by "labels" an item is one, and its label the outcome
    with most votes, a tie where two have equally many. Within a draw the m votes are among the
    m + 1, so rankings converge as votes come in. An estimated tie parameter is that of all.

    The interval is that of drawing among these votes: it closes at the full number, and does not
    cover other votes. Raises CannotCompute (all_merits_equal), BadSetting, and the errors of
    fit_merits.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, least=1)
    if (comparisons.weight != 1).any():
        raise CannotCompute(
            "unusable_weight",
            "Stability cannot be computed because weighted votes cannot be resampled one by one.",
        )
    if by not in get_args(RankedBy):
        raise BadSetting("by", by, "labels or votes")
    item, first = _items(comparisons)
    most = int(np.bincount(item).max())
    ranking = comparisons if by == "votes" else _labelled(comparisons, item, first)
    full = fit_merits(ranking, ties=ties, tie_parameter=tie_parameter, ridge=ridge)
    problems = [_Problems.of(block, full) for block in blocks(ranking, TIE_MODELS[ties].tie_score)]
    ranked = sum(int(part.ranked.sum()) for part in problems)
    if not ranked:
        raise CannotCompute(
            "all_merits_equal",
            "Stability cannot be computed because all responses of each problem are equally "
            "strong.",
        )
    rng = bootstrap.generator()
    tau, fewer = np.ones((draws, most)), most - 1  # all votes rank as they do
    for draw in range(draws if fewer else 0):
        place = _drawn_places(item, rng)
        if by == "votes":
            sums = sum(part.tau_of_votes(place, fewer) for part in problems)
        else:
            labels = _drawn_labels(comparisons.outcome, item, place, most)[:fewer]
            sums = sum(part.tau_of_labels(labels) for part in problems)
        tau[draw, :fewer] = sums / ranked
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(tau, tails, axis=0)
    return StabilityResult(
        votes_per_item=np.arange(1, most + 1),
        tau=tau.mean(axis=0),
        low=low,
        high=high,
        problems=ranked,
        flat_problems=len(comparisons.problems) - ranked,
        items=len(first),
        votes=len(comparisons),
        draws=draws,
        by=by,
        ties=ties,
        tie_parameter=float(full.tie_parameter[0]),
        ridge=ridge,
        confidence=confidence,
        seed=seed,
    )


@dataclass(frozen=True, eq=False)
class _Problems:
    """A block of P problems, the order of its pairs in the full ranking, and its fit.

    upper: the pairs (Q of them), as two arrays of places. standing (Q, P): 1, 0 or -1.
    """

    block: ProblemBlock
    result: MeritsResult
    upper: tuple[Ints, Ints]
    real: Flags
    standing: Floats

    @classmethod
    def of(cls, block: ProblemBlock, full: MeritsResult) -> "_Problems":
        i, j = np.triu_indices(len(block.entries), 1)
        real = (block.entries[i] >= 0) & (block.entries[j] >= 0)
        merits = full.merits[block.entries]
        return cls(block, full, (i, j), real, _standing(merits[i] - merits[j]) * real)

    @property
    def ranked(self) -> Flags:
        return np.asarray(self.standing.any(axis=0))

    def tau_of_votes(self, place: Ints, S: int) -> Floats:
        """Return tau-b of the first 1, 2, .. S votes on an item, summed over the problems: (S,).

        place (M,): of each of all votes among those on its item.
        """
        return self._tau(self.block.count_first(place[self.block.rows], S), S)

    def tau_of_labels(self, labels: Ints) -> Floats:
        """Return tau-b of S labellings (S, I) of all items, summed over the problems: (S,)."""
        outcome = labels[:, self.block.rows]
        scores = np.array([0.0, TIE_MODELS[self.result.ties].tie_score, 1.0])
        drawn = replace(
            self.block,
            a_scores=scores[outcome + 1],
            b_scores=scores[1 - outcome],
            tied=(outcome == TIE).astype(np.float64),
        )
        A, _ = drawn.count(np.ones(outcome.shape))
        return self._tau(A, len(labels))

    def _tau(self, A: Floats, S: int) -> Floats:
        P, model = len(self.block.problems), TIE_MODELS[self.result.ties]
        tie = np.tile(self.result.tie_parameter[self.block.problems], S)
        near = self.result.merits[self.block.entries]
        start = np.tile(np.where(self.block.entries >= 0, near, DUMMY), S)
        merits = maximise(model, A, tie, self.result.ridge, start, DRAW_TOLERANCE).merits
        i, j = self.upper
        standing = _standing(merits[i] - merits[j]).reshape(-1, S, P) * self.real[:, None]
        together = (standing * self.standing[:, None]).sum(axis=0)
        untied = (standing**2).sum(axis=0) * (self.standing**2).sum(axis=0)
        tau = np.divide(together, np.sqrt(untied), out=np.zeros((S, P)), where=untied > 0)
        return np.asarray(tau.sum(axis=1))


def _standing(gap: Floats) -> Floats:
    return np.sign(gap) * (np.abs(gap) > SAME_MERIT)


def _items(comparisons: Comparisons) -> tuple[Ints, Ints]:
    """Return the item of each vote (M,), and one of the votes of each item."""
    pair = comparisons.a * np.int64(len(comparisons.responses)) + comparisons.b
    _, first, item = np.unique(pair, return_index=True, return_inverse=True)
    return item, first


def _labelled(comparisons: Comparisons, item: Ints, first: Ints) -> Comparisons:
    """Return one comparison an item, by the label of all its votes."""
    counts = np.bincount(item * 3 + comparisons.outcome + 1, minlength=3 * len(first))
    return replace(
        comparisons,
        a=comparisons.a[first],
        b=comparisons.b[first],
        outcome=_label(counts.reshape(-1, 3)),
        weight=np.ones(len(first)),
    )


def _drawn_places(item: Ints, rng: np.random.Generator) -> Ints:
    """Return the place of each vote (M,) among those on its item, in a random order, from 0."""
    order = np.argsort(item + rng.random(len(item)))  # faster than by item, then by the number
    counts = np.bincount(item)
    place = np.empty(len(item), dtype=np.int64)
    place[order] = np.arange(len(item)) - np.repeat(np.cumsum(counts) - counts, counts)
    return place


def _drawn_labels(outcome: Ints, item: Ints, place: Ints, most: int) -> Ints:
    """Return the labels from the first 1, 2, ... votes of an item: (most, I)."""
    items = int(item.max()) + 1
    # how often each outcome came up among the first m votes: sums along m
    cell = (place * items + item) * 3 + outcome + 1
    arrived = np.bincount(cell, minlength=most * items * 3).reshape(most, items, 3)
    return _label(np.cumsum(arrived, axis=0))


def _label(counts: Ints) -> Ints:
    """Return the outcome (...,) with the most counts (..., 3), a tie where two have as many."""
    for_b, tied, for_a = (counts[..., k] for k in range(3))
    a = for_a > np.maximum(for_b, tied)
    b = for_b > np.maximum(for_a, tied)
    return np.select([a, b], [A_WINS, B_WINS], TIE)
