"""Comparators of people's label: the judge, a person, half of the people, the other direction.

Each gives a table for the counts of people on a unit (tables.py). The ceiling of people has three
readings, none of which is an upper bound: a judge may know better than one person what most say.
"""

from collections.abc import Iterator
from itertools import product
from math import comb, prod

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.judges.tables import Tabling, majority_shares

MOST_SPLITS = 2000  # of the votes of a unit; where there are more, so many are drawn
DRAWN_SPLITS = 200


def judge(shares: Floats) -> Tabling:
    """Return the tabling of a judge with label shares (U, V), 0 where it gave none."""

    def make(counts: Floats, rows: Ints) -> Floats:
        return shares[rows][:, :, None] * majority_shares(counts[:, 0])[:, None, :]

    return make


def leave_one_out(counts: Floats, rows: Ints) -> Floats:
    """Return tables of each vote against the majority of the others; a unit counts once."""
    votes, V = counts[:, 0], counts.shape[2]
    m = votes.sum(axis=1)
    T = np.zeros((len(votes), V, V))
    for v in range(V):
        has_others = (votes[:, v] > 0) & (m > 1)
        rest = majority_shares(votes[has_others] - np.eye(V)[v])
        T[has_others, v] += (votes[has_others, v] / m[has_others])[:, None] * rest
    return T


def beside_one_person(shares: Floats) -> Tabling:
    """Return the tabling of a judge, label shares (U, V), and of each vote left out: (n, V, 2 V).

    Either is compared with the same majority of the others, the judge's first. Only units that the
    judge has a label on.
    """

    def make(counts: Floats, rows: Ints) -> Floats:
        votes, V = counts[:, 0], counts.shape[2]
        m, own = votes.sum(axis=1), shares[rows]
        T = np.zeros((len(votes), V, 2 * V))
        for v in range(V):
            used = (votes[:, v] > 0) & (m > 1) & (own.sum(axis=1) > 0)
            rest = (votes[used, v] / m[used])[:, None] * majority_shares(votes[used] - np.eye(V)[v])
            T[used, :, :V] += own[used][:, :, None] * rest[:, None, :]
            T[used, v, V:] += rest
        return T

    return make


def two_directions(counts: Floats, rows: Ints) -> Floats:
    """Return tables of the majority of those asked x|y against those asked y|x."""
    first, second = (majority_shares(counts[:, k]) for k in (0, 1))
    return _evenly(first[:, :, None] * second[:, None, :])


def split_halves(seed: int = 0) -> Tabling:
    """Return a tabling of the majority of half of the votes on a unit against the other half.

    It is the mean over all splits, or over DRAWN_SPLITS of them where there are very many.
    """
    table_by_votes: dict[tuple[int, ...], Floats] = {}

    def make(counts: Floats, rows: Ints) -> Floats:
        kinds, kind = np.unique(counts[:, 0].astype(np.int64), axis=0, return_inverse=True)
        for vote_row in kinds:
            if (votes := tuple(vote_row.tolist())) not in table_by_votes:
                table_by_votes[votes] = _halved(votes, seed)
        V = counts.shape[2]
        tables = [table_by_votes[tuple(vote_row.tolist())] for vote_row in kinds]
        return np.array(tables).reshape(-1, V, V)[kind.ravel()]

    return make


def _halved(votes: tuple[int, ...], seed: int) -> Floats:
    n, V = np.array(votes), len(votes)
    T = np.zeros((V, V))
    if n.sum() < 2:
        return T
    for half, weight in _halves(n, seed):
        first_majority, other = majority_shares(half), majority_shares(n - half)
        T += weight * first_majority[:, None] * other[None, :]
    return np.asarray(_evenly(T[None] / T.sum())[0])


def _halves(n: Ints, seed: int) -> Iterator[tuple[Floats, float]]:
    """Yield possible votes of one half (V,), and their unnormalised probability."""
    size = int(n.sum()) // 2
    if prod((n + 1).tolist()) <= MOST_SPLITS:
        for half in product(*(range(k + 1) for k in n.tolist())):
            if sum(half) == size:
                weight = prod(comb(k, h) for k, h in zip(n.tolist(), half, strict=True))
                yield np.array(half, dtype=np.float64), float(weight)
        return
    rng = np.random.default_rng(seed)
    for _ in range(DRAWN_SPLITS):
        yield rng.multivariate_hypergeometric(n, size).astype(np.float64), 1.0


def _evenly(T: Floats) -> Floats:
    """Return the table averaged over both orders of the sides."""
    return np.asarray((T + T.transpose(0, 2, 1)) / 2)
