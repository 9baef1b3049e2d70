"""Pairs of workers who vote alike more often than independent workers do on the same items.

Honest workers agree on clear items, so the items set the measure, as in indices of answer copying
for tests (omega, Wollack 1997; the generalized binomial test, van der Linden and Sotaridona 2006).
The model of independent votes gives the probability q_v that both vote v on an item, from the votes
of all others on it. The statistic is the sum of the weights

    log(1 + (c / (1 - c)) m_v / q_v)

of equal votes, m_v the mean probability that one of both votes v: the log-likelihood ratio of a
pair with one answer to a share c = COPIED of the items, so equal rare votes count more. Its
distribution is exact, a convolution over items. Honest pairs share tastes. They are allowed a share
c_0 = median + 2 SD of all pairs of the study, with an SD of at least LEAST_LIKENESS:
q_v becomes (1 - c_0) q_v + c_0 m_v.

Copies make each other look sharp and their items look clear. Workers in suspect pairs therefore say
nothing about items to the others, and the model is fitted again.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes
from analysis.stats.manipulation.independent_votes import (
    IndependentVotes,
    PairVotes,
    independent_votes,
)


def sum_tails(pair: Ints, steps: Ints, chance: Floats, size: int) -> Floats:
    """Return P(sum >= value) of each pair for values 0 to size - 1.

    An item adds steps (m, 3) with the probabilities chance (m, 3), and 0 otherwise. pair (m,) is
    sorted. The transform of a sum of independent items is the product of theirs.
    """
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    portion = starts // max(1, CELLS_AT_ONCE // size)
    first = starts[np.flatnonzero(np.diff(portion, prepend=-1))]  # item of each portion of pairs
    return np.concatenate(
        [
            _tails(pair[start:end], steps[start:end], chance[start:end], size)
            for start, end in pairwise([*first.tolist(), len(pair)])
        ]
    )


def _tails(pair: Ints, steps: Ints, chance: Floats, size: int) -> Floats:
    frequency = np.arange(size // 2 + 1)
    turn = np.exp(-2j * np.pi * np.arange(size) / size)
    transform = np.ones((len(pair), len(frequency))) * (1 - chance.sum(axis=1) + 0j)[:, None]
    for v in range(chance.shape[1]):
        transform += chance[:, v, None] * turn[(steps[:, v, None] * frequency) % size]
    product = np.multiply.reduceat(transform, np.flatnonzero(np.diff(pair, prepend=-1)), axis=0)
    density = np.maximum(np.fft.irfft(product, n=size, axis=1), 0)
    return np.asarray(density[:, ::-1].cumsum(axis=1)[:, ::-1])


COPIED = 0.7
LEAST_ITEMS = 15
LEAST_LIKENESS, SPREADS = 0.06, 2.0
SUSPECT, MOST_SUSPECTS, FITS = 0.02, 0.4, 3
GRID = 128  # values of the statistic, and one more for each item
LEAST_UNIT = 0.05
LEAST_P = 1e-12
CELLS_AT_ONCE = 1_000_000  # of items and values of the statistic: arrays of 8 MB
USUAL_ERROR = 0.01  # added to the variance of likeness, so that no pair has all weight


@dataclass(frozen=True, eq=False, kw_only=True)
class SimilarPairs:
    """Pairs with LEAST_ITEMS common items or more, the least p first.

    frame: worker, other_worker, items, same (equal votes), expected (by independent workers),
    likeness (the share of items with one answer for both, beyond that), p, q (p times the number
    of pairs). honest: the likeness c_0 that p allows.
    """

    frame: pd.DataFrame
    honest: float

    @property
    def pairs(self) -> int:
        return len(self.frame)


def similar_pairs(votes: ComparedVotes) -> SimilarPairs:
    """Compare every two workers with enough common items. Raises CannotCompute."""
    W = len(votes.workers)
    data = PairVotes.of(votes)
    common = _Common.of(data, np.ones((W, W), dtype=bool))
    if not common.pairs:
        raise CannotCompute(
            "too_few_items",
            f"Pairs of participants are not compared because no two share {LEAST_ITEMS} items.",
        )
    return _compared(data, common, votes.workers, np.zeros(W, dtype=bool))


def like_judge(votes: ComparedVotes, judge: Hashable) -> SimilarPairs:
    """Compare every worker with a judge, whose labels are the votes of the worker `judge`.

    Its labels say nothing about items. q is p times the number of workers. Raises CannotCompute.
    """
    W = len(votes.workers)
    data, place = PairVotes.of(votes), list(votes.workers).index(judge)
    is_judge = np.arange(W) == place
    common = _Common.of(data, is_judge[:, None] | is_judge)
    if not common.pairs:
        raise CannotCompute(
            "too_few_items",
            f"Participants are not compared with this judge because none judged {LEAST_ITEMS} "
            "items in common with it.",
        )
    return _compared(data, common, votes.workers, is_judge)


@dataclass(frozen=True, eq=False)
class _Common:
    """m common items of pairs: votes i and j, and the pair (m,); the workers of each pair."""

    i: Ints
    j: Ints
    pair: Ints
    first: Ints
    second: Ints

    @property
    def pairs(self) -> int:
        return len(self.first)

    @classmethod
    def of(cls, votes: PairVotes, asked: Flags) -> "_Common":
        """Find the common items of pairs, asked (W, W), with enough of them."""
        i, j = _same_item(votes.item)
        low = np.minimum(votes.worker[i], votes.worker[j])
        high = np.maximum(votes.worker[i], votes.worker[j])
        name = low * votes.workers + high
        _, pair, size = np.unique(name, return_inverse=True, return_counts=True)
        kept = (size[pair.ravel()] >= LEAST_ITEMS) & asked[low, high]
        order = np.flatnonzero(kept)[np.argsort(name[kept], kind="stable")]
        names, pair = np.unique(name[order], return_inverse=True)
        return cls(i[order], j[order], pair.ravel(), *np.divmod(names, votes.workers))

    def of_pairs(self, pairs: Flags) -> "_Common":
        """Return the items of some pairs (pairs,)."""
        kept = pairs[self.pair]
        number = np.cumsum(pairs) - 1
        return _Common(
            self.i[kept],
            self.j[kept],
            number[self.pair[kept]],
            self.first[pairs],
            self.second[pairs],
        )

    def total(self, values: Floats) -> Floats:
        return total(self.pair, values, self.pairs)


def _same_item(item: Ints) -> tuple[Ints, Ints]:
    """Return all pairs of votes on the same item; item (n,)."""
    order = np.argsort(item, kind="stable")
    ordered = item[order]
    firsts, seconds = [order[:0]], [order[:0]]
    for distance in range(1, int(np.bincount(item).max(initial=0))):
        k = np.flatnonzero(ordered[distance:] == ordered[:-distance])
        firsts.append(order[k])
        seconds.append(order[k + distance])
    return np.concatenate(firsts), np.concatenate(seconds)


def _compared(
    data: PairVotes, common: _Common, names: Sequence[Hashable], passive: Flags
) -> SimilarPairs:
    always = passive
    for _ in range(FITS):
        evidence = _Evidence.of(independent_votes(data, passive), common)
        c_0 = evidence.honest_likeness()
        p = evidence.p(c_0)
        suspects = always.copy()
        suspects[common.first[p < SUSPECT]] = True
        suspects[common.second[p < SUSPECT]] = True
        if (suspects == passive).all() or suspects.mean() > MOST_SUSPECTS:
            break
        passive = suspects
    frame = pd.DataFrame(
        {
            "worker": [names[w] for w in common.first],
            "other_worker": [names[w] for w in common.second],
            "items": np.bincount(common.pair, minlength=common.pairs),
            "same": common.total(evidence.equal).astype(np.int64),
            "expected": common.total(evidence.both.sum(axis=1)),
            "likeness": evidence.likeness,
            "p": p,
            "q": np.minimum(p * common.pairs, 1.0),
        }
    )
    return SimilarPairs(frame=frame.sort_values("p", kind="stable", ignore_index=True), honest=c_0)


@dataclass(frozen=True, eq=False)
class _Evidence:
    """Common items with the probabilities of equal votes: both (m, 3), one (m, 3), equal (m,)."""

    common: _Common
    vote: Ints
    equal: Floats
    both: Floats
    one: Floats

    @classmethod
    def of(cls, model: IndependentVotes, common: _Common) -> "_Evidence":
        joint, vote = model.joint(common.i, common.j), model.votes.vote
        return cls(
            common,
            vote[common.i],
            (vote[common.i] == vote[common.j]).astype(np.float64),
            np.einsum("mvv->mv", joint),
            (joint.sum(axis=1) + joint.sum(axis=2)) / 2,
        )

    @property
    def _room(self) -> Floats:
        return np.maximum(self.common.total(1 - self.both.sum(axis=1)), 1e-9)

    @property
    def likeness(self) -> Floats:
        """The part of the room above the expected equal votes that a pair fills: (pairs,)."""
        return self.common.total(self.equal - self.both.sum(axis=1)) / self._room

    def honest_likeness(self) -> float:
        """Return the median plus SPREADS SD; the SD is that below it, where no copies are."""
        expected = self.both.sum(axis=1)
        variance = self.common.total(expected * (1 - expected)) / self._room**2
        weight, likeness = 1 / (variance + USUAL_ERROR), self.likeness
        order = np.argsort(likeness, kind="stable")
        behind = weight[order].cumsum()
        centre = likeness[order][np.searchsorted(behind, behind[-1] / 2)]
        below = likeness <= centre
        excess = (likeness - centre) ** 2 - variance
        spread = max(np.average(excess[below], weights=weight[below]), LEAST_LIKENESS**2) ** 0.5
        return float(np.clip(max(centre, 0.0) + SPREADS * spread, 0.0, COPIED))

    def p(self, c_0: float) -> Floats:
        """Return the probability of as much evidence by honest workers: (pairs,).

        It is 1 for pairs that are no more alike than honest ones may be.
        """
        p = np.ones(self.common.pairs)
        tested = self.likeness > c_0
        if tested.any():
            p[tested] = self._of(tested)._exact_p(c_0)
        return p

    def _of(self, pairs: Flags) -> "_Evidence":
        kept = pairs[self.common.pair]
        return _Evidence(
            self.common.of_pairs(pairs),
            self.vote[kept],
            self.equal[kept],
            self.both[kept],
            self.one[kept],
        )

    def _exact_p(self, c_0: float) -> Floats:
        common, m = self.common, len(self.vote)
        weight = np.log1p(COPIED / (1 - COPIED) * self.one / np.maximum(self.both, 1e-9))
        # whole numbers, so that the sum has few values
        items = np.bincount(common.pair, minlength=common.pairs)
        size = GRID + int(items.max())
        unit = np.maximum(common.total(weight.max(axis=1)) / (size - 1 - items), LEAST_UNIT)
        steps = np.maximum(np.rint(weight / unit[common.pair][:, None]), 1).astype(np.int64)
        value = common.total(steps[np.arange(m), self.vote] * self.equal).astype(np.int64)
        chance = (1 - c_0) * self.both + c_0 * self.one
        tails = sum_tails(common.pair, steps, chance, size)
        p = tails[np.arange(common.pairs), value]
        return np.asarray(np.clip(p, LEAST_P, 1.0))
