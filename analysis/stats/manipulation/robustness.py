"""The fewest workers, topics or votes whose removal changes the winner.

Systems are ranked by least squares of the votes, each topic counted once. The influence of a vote
on the lead is its part of the estimate (Broderick, Giordano and Meager, 2020); units are removed by
the largest influence first, with a new fit after each, so that the number is an upper bound: fewer
may do. One unit is tried for each, which makes the number 1 exact.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints, distinct_rows
from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes, Consensus

MOST_EXACT = 40  # units that are left out one by one
MOST_SHARE = 0.5  # of the units: beyond, the study is another one


@dataclass(frozen=True, kw_only=True)
class FewestRemoved:
    """The fewest units of a kind whose removal lets another system lead.

    removed: None where half of the units do not change it. names: the removed workers or topics;
    empty for votes. exact: whether no smaller number does.
    """

    unit: str
    units: int
    removed: int | None
    winner: Hashable
    then: Hashable | None
    names: Sequence[Hashable] = ()
    exact: bool = False


def winner_robustness(votes: ComparedVotes) -> Sequence[FewestRemoved]:
    """Return the fewest workers, topics and votes. Raises CannotCompute."""
    if len(votes.systems) < 2:
        raise CannotCompute(
            "one_system_only", "A winner cannot be named because all texts are by one system."
        )
    return [
        _fewest(votes, "workers", votes.worker, votes.workers),
        _fewest(votes, "topics", votes.topic, votes.topics),
        _fewest(votes, "votes", np.arange(len(votes)), ()),
    ]


def system_means(votes: ComparedVotes) -> Floats:
    """Return the worth of the systems (S,), each topic with votes counted once."""
    consensus = Consensus(votes)
    return _weights(votes) @ consensus.coefficients(votes.outcome)


def _weights(votes: ComparedVotes) -> Floats:
    """Return (S, S + R): the system, and its mean text over topics."""
    S = len(votes.systems)
    text = np.concatenate([votes.a, votes.b])
    owner = np.concatenate([votes.system_a, votes.system_b])
    topic = np.tile(votes.topic, 2)
    cells, _, _ = distinct_rows(np.column_stack([owner, topic, text]))
    weights = np.zeros((S, S + votes.texts))
    weights[np.arange(S), np.arange(S)] = 1
    _, pair, size = distinct_rows(cells[:, :2])
    topics = np.array([len(np.unique(cells[cells[:, 0] == s, 1])) for s in range(S)])
    weights[cells[:, 0], S + cells[:, 2]] += 1 / size[pair] / topics[cells[:, 0]]
    return weights


def _influence(votes: ComparedVotes, first: int) -> tuple[Floats, Floats]:
    """Return the lead of a system over each other (S,), and how much each vote adds (S, n)."""
    consensus, weights = Consensus(votes), _weights(votes)
    coefficients = consensus.coefficients(votes.outcome)
    contrast = weights[first] - weights
    rest = votes.outcome - consensus.design @ coefficients
    return contrast @ coefficients, (consensus.design @ consensus.solve(contrast.T)).T * rest


def _leader(votes: ComparedVotes) -> int:
    return int(np.argmax(system_means(votes)))


def _fewest(
    votes: ComparedVotes, unit: str, index: Ints, names: Sequence[Hashable]
) -> FewestRemoved:
    winner, units = _leader(votes), int(index.max(initial=-1)) + 1
    best: tuple[int, int, Sequence[int]] | None = None
    lead, adds = _influence(votes, winner)
    for rival in range(len(votes.systems)):
        if rival == winner:
            continue
        by_unit = np.bincount(index, weights=adds[rival], minlength=units)
        order = np.argsort(-by_unit)
        sums = np.cumsum(np.maximum(by_unit[order], 0))
        guess = int(np.searchsorted(sums, lead[rival])) + 1
        tried = _confirmed(votes, index, order, guess, winner, int(units * MOST_SHARE))
        if tried and (best is None or tried[0] < best[0]):
            best = tried
    exact = False
    if best and best[0] > 1 and units <= MOST_EXACT:
        for left_out in range(units):
            then = _leader(votes.only(index != left_out))
            if then != winner:
                best = (1, then, [left_out])
                break
    exact = bool(best and best[0] == 1) or bool(best and best[0] == 2 and units <= MOST_EXACT)
    return FewestRemoved(
        unit=unit,
        units=units,
        removed=best[0] if best else None,
        winner=votes.systems[winner],
        then=votes.systems[best[1]] if best else None,
        names=[names[k] for k in best[2]] if best and names else (),
        exact=exact,
    )


def _confirmed(
    votes: ComparedVotes, index: Ints, order: Ints, guess: int, winner: int, most: int
) -> tuple[int, int, Sequence[int]] | None:
    """Return the least number near a guess that changes the winner by a new fit."""
    step = max(1, guess // 20)
    number, changed = max(1, guess - 2 * step), None
    while number <= most:
        out = order[:number]
        then = _leader(votes.only(~np.isin(index, out)))
        if then != winner:
            changed = (number, then, [int(k) for k in out])
            break
        number += step
    return changed
