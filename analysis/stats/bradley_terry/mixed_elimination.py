"""Sparse Cholesky factor and inverse of the mixed model's Hessian without workers.

Two of the N = F + R rows, fixed effects before responses, meet where they are a fixed effect and
any other, responses of one topic, or of topics that share a worker. Topics that meet few others are
eliminated first, in rounds of topics that do not meet (Liu 1985). The rest is a dense core. The
inverse is computed backwards from the core, only where the factor has entries (Takahashi, Fagan and
Chen 1973).

All entries are in a flat store, by places: first those of the core (c, c), of which the lower
triangle is read, then those of the rounds, once for both triangles, then three more: `zero` and
`one`, which fill up the blocks of small topics, and `waste` for what is not read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints

LEAST_ROWS = 300  # below it, one dense factor is faster
CORE_GAIN = 8  # a core of eight times a topic's neighbours costs as much as its block
ALIKE = 1.5  # neighbours of the topics of one round, at most, by the fewest


@dataclass(frozen=True, eq=False)
class Round:
    """T topics of p responses that meet q rows which remain.

    members (T, p), neighbours (T, q): rows, N in place of what a topic has not. own (T, p, p),
    beside (T, p, q), among (T, q, q): places; below: of the lower triangles of the last.
    """

    members: Ints
    neighbours: Ints
    own: Ints
    beside: Ints
    among: Ints
    below: Ints


@dataclass(frozen=True, eq=False)
class Elimination:
    """Order of elimination, and the places of all entries.

    core (c,): rows, fixed effects first. fixed (N, F): places of the fixed effects' columns.
    sums, entries (M,): places of the pairs of responses that it was made for: to sum at, where a
    pair is the other way round `waste`, and to read.
    """

    core: Ints
    rounds: list[Round]
    fixed: Ints
    sums: Ints
    entries: Ints
    size: int

    def whole(self, store: Floats) -> Floats:
        """Return the core of a store: (c, c), the whole matrix where there are no rounds."""
        c = len(self.core)
        return store[: c * c].reshape(c, c)

    @classmethod
    def of(cls, F: int, topic: Ints, row: Ints, column: Ints, *, sparse: bool) -> Self:
        """Return it for the topics (R,) of responses, and all pairs of responses that meet (M,)."""
        N = F + len(topic)
        rounds = []
        remaining = np.arange(N)
        if sparse and N >= LEAST_ROWS:
            groups = list(_rounds(F, topic, row, column))
            rounds = [(_filled(members, N), _filled(beside, N)) for members, beside in groups]
            gone = np.concatenate([remaining[:0], *(m for members, _ in groups for m in members)])
            remaining = np.setdiff1d(remaining, gone)
        place, size = _places(N, remaining, rounds)
        below = [np.tril_indices(neighbours.shape[1]) for _, neighbours in rounds]
        return cls(
            core=remaining,
            rounds=[
                Round(
                    members=members,
                    neighbours=neighbours,
                    own=_own(place, members, N, size),
                    beside=place[members[:, :, None], neighbours[:, None]],
                    among=place[neighbours[:, :, None], neighbours[:, None]],
                    below=place[neighbours[:, i], neighbours[:, j]].ravel(),
                )
                for (members, neighbours), (i, j) in zip(rounds, below, strict=True)
            ],
            fixed=place[:N, :F],
            sums=np.where(row >= column, place[F + row, F + column], size - 1),
            entries=place[F + row, F + column],
            size=size,
        )


def _rounds(
    F: int, topic: Ints, row: Ints, column: Ints
) -> Iterator[tuple[list[Ints], list[Ints]]]:
    """Yield the rows of the topics of each round, and the rows that each meets and that remain."""
    T = int(topic.max()) + 1
    order = np.argsort(topic, kind="stable")
    members = np.split(F + order, np.cumsum(np.bincount(topic, minlength=T))[:-1])
    first, second = topic[row], topic[column]
    pairs = np.unique(first[first != second] * T + second[first != second])
    met: dict[int, set[int]] = {t: set() for t in range(T)}
    for t, other in zip(*(side.tolist() for side in np.divmod(pairs, T)), strict=True):
        met[t].add(other)
        met[other].add(t)
    sizes = [len(rows) for rows in members]
    core = F + len(topic)
    while met:
        width = {t: F + sum(sizes[other] for other in others) for t, others in met.items()}
        most = min(ALIKE * min(width.values()), core / CORE_GAIN)
        chosen: list[int] = []
        closed: set[int] = set()
        for t in sorted(met, key=lambda t: (width[t], t)):
            if width[t] <= most and t not in closed:
                chosen.append(t)
                closed |= met[t]
        if not chosen:
            return
        around = [[members[other] for other in sorted(met[t])] for t in chosen]
        yield (
            [members[t] for t in chosen],
            [np.concatenate([np.arange(F), *others]) for others in around],
        )
        for t in chosen:
            neighbours = met.pop(t)
            for other in neighbours:
                met[other] |= neighbours
                met[other] -= {t, other}
        core -= sum(sizes[t] for t in chosen)


def _filled(rows: list[Ints], N: int) -> Ints:
    """Return lists of rows as one array, the short ones filled up with N."""
    filled = np.full((len(rows), max(map(len, rows))), N)
    for k, some in enumerate(rows):
        filled[k, : len(some)] = some
    return filled


def _places(N: int, core: Ints, rounds: list[tuple[Ints, Ints]]) -> tuple[Ints, int]:
    """Return the place of each two rows (N + 1, N + 1), and the size of the store."""
    c = len(core)
    at = np.arange(c)
    place = np.full((N + 1, N + 1), -1)
    place[np.ix_(core, core)] = np.maximum(at[:, None], at) * c + np.minimum(at[:, None], at)
    size = c * c
    for members, neighbours in rounds:
        for rows, met in zip(members, neighbours, strict=True):
            own, beside = rows[rows < N], met[met < N]
            p, q = len(own), len(beside)
            i, j = np.tril_indices(p)
            place[own[i], own[j]] = place[own[j], own[i]] = size + np.arange(len(i))
            block = size + len(i) + np.arange(p * q).reshape(p, q)
            place[np.ix_(own, beside)] = block
            place[np.ix_(beside, own)] = block.T
            size += len(i) + p * q
    place[N] = place[:, N] = size
    return place, size + 3


def _own(place: Ints, members: Ints, N: int, size: int) -> Ints:
    own = place[members[:, :, None], members[:, None]]
    topic, at = np.nonzero(members == N)
    own[topic, at, at] = size - 2
    return own


@dataclass(frozen=True, eq=False)
class EliminatedFactor:
    """Cholesky factor by rounds; rest (c, c), lower: of the core.

    roots: of each round, the inverse factors (T, p, p); beside (T, p, q): these times the matrix.
    """

    elimination: Elimination
    roots: list[Floats]
    beside: list[Floats]
    rest: Floats

    @classmethod
    def of(cls, elimination: Elimination, store: Floats) -> Self:
        """Factor the matrix in the store, which it overwrites.

        Raises numpy's LinAlgError where it is not positive definite.
        """
        roots, all_beside = [], []
        store[-2] = 1
        for each in elimination.rounds:
            root = np.linalg.inv(np.linalg.cholesky(store[each.own]))
            beside = root @ store[each.beside]
            i, j = np.tril_indices(beside.shape[2])
            product = beside.swapaxes(1, 2) @ beside
            np.subtract.at(store, each.below, product[:, i, j].ravel())
            roots.append(root)
            all_beside.append(beside)
        return cls(elimination, roots, all_beside, _root(elimination.whole(store)))

    @property
    def log_determinant(self) -> float:
        of_roots = [np.log(np.diagonal(root, axis1=1, axis2=2)).sum() for root in self.roots]
        return float(2 * (np.log(self.rest.diagonal()).sum() - sum(of_roots)))

    def solve(self, outer: Floats) -> Floats:
        """Return the solution for a right-hand side: (N,)."""
        x, halves, rounds = np.r_[outer, 0.0], [], self.elimination.rounds
        for each, root, beside in zip(rounds, self.roots, self.beside, strict=True):
            half = root @ x[each.members][:, :, None]
            below = (beside.swapaxes(1, 2) @ half)[:, :, 0]
            np.subtract.at(x, each.neighbours.ravel(), below.ravel())
            halves.append(half)
        core = self.elimination.core
        # its transpose has the order in memory that LAPACK expects
        x[core] = scipy.linalg.cho_solve((self.rest.T, False), x[core], check_finite=False)
        for k in reversed(range(len(rounds))):
            above = halves[k] - self.beside[k] @ x[rounds[k].neighbours][:, :, None]
            x[rounds[k].members] = (self.roots[k].swapaxes(1, 2) @ above)[:, :, 0]
        return np.asarray(x[:-1])

    def inverse(self) -> Floats:
        """Return the store of the inverse, where the factor has entries."""
        c = len(self.elimination.core)
        store = np.zeros(self.elimination.size)
        store[: c * c] = _inverse(self.rest).ravel()
        for k in reversed(range(len(self.roots))):
            each, back = self.elimination.rounds[k], self.roots[k].swapaxes(1, 2)
            gain = back @ self.beside[k]
            beside = -gain @ store[each.among]
            store[each.beside] = beside
            store[each.own] = back @ self.roots[k] - beside @ gain.swapaxes(1, 2)
        return store


def _root(H: Floats) -> Floats:
    """Return the lower Cholesky factor, in the place of H."""
    upper = scipy.linalg.cholesky(H.T, overwrite_a=True, check_finite=False)
    return np.asarray(upper.T, dtype=np.float64)


def _inverse(lower: Floats) -> Floats:
    """Return the inverse of the matrix whose lower Cholesky factor it is."""
    upper, info = scipy.linalg.lapack.dpotri(lower.T, lower=False)  # below it are zeros
    if info:
        raise np.linalg.LinAlgError("dpotri")
    inverse: Floats = np.add(upper, upper.T, order="C")
    np.fill_diagonal(inverse, upper.diagonal())
    return inverse
