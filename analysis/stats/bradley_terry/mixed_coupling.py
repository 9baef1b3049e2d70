"""Coupling of workers and responses in the Hessian of the mixed model (mixed_newton.py).

A worker votes on a few of the R responses, so that most of the coupling C is zero. It is kept where
a worker and a response met, in E places. Workers who met the same responses, such as those of one
questionnaire, are grouped: they share one small dense block of C' C.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.mixed_votes import MixedVotes

DENSE_GAIN = 100  # a number of one large dense product costs so many times less than of a block


@dataclass(frozen=True, eq=False)
class MetPairs:
    """Pairs of worker and response that met.

    worker, response (E,); a, b (n,): the places of each vote's responses. groups: of workers who
    met the same responses: first place, last place, number of responses; row, column (B,): the
    responses of their blocks. No groups: one dense product is faster.
    """

    worker: Ints
    response: Ints
    a: Ints
    b: Ints
    groups: list[tuple[int, int, int]]
    row: Ints
    column: Ints
    workers: int
    responses: int

    @classmethod
    def of(cls, votes: MixedVotes, effects: int, *, grouped: bool = True) -> "MetPairs":
        """Return the pairs; effects, k of a worker, decides whether the dense product is faster."""
        R, W = len(votes.responses), len(votes.workers)
        sides = np.concatenate([votes.worker * R + votes.a, votes.worker * R + votes.b])
        place, where = np.unique(sides, return_inverse=True)
        worker, response = np.divmod(place, R)
        if not grouped:
            a, b = where.reshape(2, -1)
            nothing = np.empty(0, dtype=np.int64)
            return cls(worker, response, a, b, [], nothing, nothing, W, R)
        of_worker = np.split(response, np.cumsum(np.bincount(worker, minlength=W))[:-1])
        group_by_responses: dict[bytes, int] = {}
        group = np.array(
            [
                group_by_responses.setdefault(responses_met.tobytes(), len(group_by_responses))
                for responses_met in of_worker
            ]
        )
        order = np.argsort(group[worker], kind="stable")
        a, b = np.argsort(order)[where].reshape(2, -1)
        stops = np.cumsum(np.bincount(group[worker])).tolist()
        sets = [
            np.frombuffer(responses_met, dtype=response.dtype)
            for responses_met in group_by_responses
        ]
        groups = list(zip([0, *stops], stops, map(len, sets), strict=False))
        if sum(len(responses_met) ** 2 for responses_met in sets) * DENSE_GAIN > W * effects * R**2:
            groups, sets = [], []
        nothing = np.empty(0, dtype=np.int64)
        row = np.concatenate(
            [nothing, *(np.repeat(responses_met, len(responses_met)) for responses_met in sets)]
        )
        column = np.concatenate(
            [nothing, *(np.tile(responses_met, len(responses_met)) for responses_met in sets)]
        )
        return cls(worker[order], response[order], a, b, groups, row, column, W, R)

    @cached_property
    def by_worker(self) -> tuple[Ints, Ints]:
        """The places in the order of workers, and where each worker's begin: (E,), (W + 1,)."""
        ends = np.cumsum(np.bincount(self.worker, minlength=self.workers))
        return np.argsort(self.worker, kind="stable"), np.r_[0, ends]

    def between(self, weight: Floats) -> Floats:
        """Return the weight of votes as a less their weight as b, at each place: (E,)."""
        E = len(self.worker)
        return total(self.a, weight, E) - total(self.b, weight, E)


@dataclass(frozen=True, eq=False)
class Coupling:
    """C of W workers with k effects, by rows: with the fixed side (W, k, F), and met (k, E)."""

    fixed: Floats
    met: Floats
    places: MetPairs

    def under(self, lower: Floats) -> "Coupling":
        """Return lower^-1 C, for lower (W, k, k): row by row, since k is small."""
        fixed, met, worker = self.fixed.copy(), self.met.copy(), self.places.worker
        for c in range(len(met)):
            for d in range(c):
                fixed[:, c] -= lower[:, c, d, None] * fixed[:, d]
                met[c] -= lower[worker, c, d] * met[d]
            fixed[:, c] /= lower[:, c, c, None]
            met[c] /= lower[worker, c, c]
        return Coupling(fixed, met, self.places)

    @cached_property
    def rows(self) -> scipy.sparse.csr_array:
        """The responses' columns of C, effect by effect: (k W, R)."""
        places, k = self.places, len(self.met)
        order, first = places.by_worker
        starts = (first[:-1] + len(order) * np.arange(k)[:, None]).ravel()
        return scipy.sparse.csr_array(
            (
                self.met[:, order].ravel(),
                np.tile(places.response[order], k),
                np.r_[starts, len(order) * k],
            ),
            shape=(k * places.workers, places.responses),
        )

    def to_outer(self, worker: Floats) -> Floats:
        """Return C' x for x (W, k): (F + R,)."""
        fixed = np.einsum("wkf,wk->f", self.fixed, worker)
        return np.concatenate([fixed, self.rows.T @ worker.T.ravel()])

    def to_workers(self, outer: Floats) -> Floats:
        """Return C x for x (F + R,): (W, k)."""
        F = self.fixed.shape[2]
        sums = (self.rows @ outer[F:]).reshape(len(self.met), -1)
        product: Floats = self.fixed @ outer[:F] + sums.T
        return product

    def of_groups(self) -> Floats:
        """Return C' C of the responses that each group met, row by row."""
        blocks = [np.empty(0)]
        for start, stop, width in self.places.groups:
            rows = self.met[:, start:stop].reshape(-1, width)
            blocks.append((rows.T @ rows).ravel())
        return np.concatenate(blocks)

    def met_times(self, responses: Floats) -> Floats:
        """Return C times a matrix of responses (R, R), where they were met: (k, E)."""
        sums = self._dense() @ responses
        return np.asarray(sums[:, self.places.worker, self.places.response])

    def met_times_blocks(self, blocks: Floats) -> Floats:
        """Return the same of the matrix whose entries at the blocks of groups are given: (B,)."""
        places, k = self.places, len(self.met)
        product = np.empty_like(self.met)
        at = 0
        for start, stop, width in places.groups:
            block = blocks[at : at + width**2].reshape(width, width)
            rows = self.met[:, start:stop].reshape(-1, width)
            product[:, start:stop] = (rows @ block).reshape(k, -1)
            at += width**2
        return product

    def _dense(self) -> Floats:
        """Return the responses' columns of C, zeros included: (k, W, R)."""
        dense: Floats = self.rows.toarray()
        return dense.reshape(len(self.met), -1, self.places.responses)

    def of_fixed(self) -> tuple[Floats, Floats]:
        """Return C' C of the fixed side (F, F), and of responses and the fixed side (R, F)."""
        F = self.fixed.shape[2]
        flat = self.fixed.reshape(-1, F)
        by_effect = self.fixed.swapaxes(0, 1).reshape(-1, F)
        return flat.T @ flat, np.asarray(self.rows.T @ by_effect)

    def take_from(self, responses: Floats) -> None:
        """Subtract C' C of all responses from a matrix (R, R), without groups."""
        flat = self._dense().reshape(-1, self.places.responses)
        responses -= flat.T @ flat
