"""Problems of similar size gathered into padded blocks, which are fitted at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import TIE, Comparisons

CELLS_AT_ONCE = 130_000  # of A, a megabyte: with its few temporaries it stays in the cache


@dataclass(frozen=True, eq=False)
class ProblemBlock:
    """P problems with up to n responses, and the M comparisons among them.

    problems (P,): their indices. entries (n, P): the entries they consist of; -1 is padding. rows
    (M,): the comparisons, sorted by problem; column (M,): their problem within the block. a_over_b,
    b_over_a (M,): the flattened cell (row, column) of A where a comparison counts; a_scores,
    b_scores (M,): its count there by the outcome, both tie_score for a tie. tied (M,): 1 for a tie.
    """

    problems: Ints
    entries: Ints
    rows: Ints
    column: Ints
    a_over_b: Ints
    b_over_a: Ints
    a_scores: Floats
    b_scores: Floats
    tied: Floats

    def count(self, weight: Floats) -> tuple[Floats, Floats]:
        """Return A (n, n, D * P) and the weight of the ties (D * P,) under D weightings (D, M).

        With D > 1 each problem appears D times, as a further problem.
        """
        n, P = self.entries.shape
        D = len(weight)
        # problem p of draw d is column d * P + p of a row of A
        draw = (np.arange(D) * P)[:, None]
        size = n * n * D * P
        stride = D * P

        def at(cell: Ints) -> Ints:
            return np.ravel(cell * stride + self.column + draw)

        A = total(at(self.a_over_b), weight * self.a_scores, size)
        A += total(at(self.b_over_a), weight * self.b_scores, size)
        tied = total(self.column + draw, weight * self.tied, stride)
        return A.reshape(n, n, stride), tied

    def count_first(self, place: Ints, S: int) -> Floats:
        """Return A (n, n, S * P) of the comparisons whose place (M,) is below 1, 2, .. S."""
        n, P = self.entries.shape
        used = place < S
        at = place[used] * P + self.column[used]
        A = total(self.a_over_b[used] * (S * P) + at, self.a_scores[used], n * n * S * P)
        A += total(self.b_over_a[used] * (S * P) + at, self.b_scores[used], len(A))
        return np.cumsum(A.reshape(n * n, S, P), axis=1).reshape(n, n, S * P)

    @property
    def taken(self) -> Flags:
        """Comparisons that the model takes (M,): all, but for ties where it has none."""
        return np.asarray(np.maximum(self.a_scores, self.b_scores) > 0)

    def count_pairs(self, weight: Floats) -> Floats:
        """Return comparisons between row and column (n, n, D * P), symmetric.

        Ties count where the model takes them.
        """
        n, P = self.entries.shape
        D = len(weight)
        stride = D * P
        at = self.a_over_b * stride + self.column + (np.arange(D) * P)[:, None]
        pairs = total(at.ravel(), np.ravel(weight * self.taken), n * n * stride).reshape(
            n, n, stride
        )
        return np.asarray(pairs + pairs.swapaxes(0, 1))


def blocks(comparisons: Comparisons, tie_score: float) -> Iterator[ProblemBlock]:
    """Split the problems so that padding at most doubles n, and blocks stay small."""
    # by outcome -1, 0, 1
    a_scores = np.array([0.0, tie_score, 1.0])
    first = np.cumsum(comparisons.sizes) - comparisons.sizes
    by_problem = np.argsort(comparisons.problem, kind="stable")
    starts = np.searchsorted(comparisons.problem[by_problem], np.arange(len(first) + 1))
    for problems in _alike(comparisons.sizes):
        sizes = comparisons.sizes[problems]
        place = np.arange(sizes.max())[:, None]
        counts = np.diff(starts)[problems]
        column = np.repeat(np.arange(len(problems)), counts)
        within = np.arange(len(column)) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = by_problem[starts[problems][column] + within]
        n = len(place)
        a = comparisons.entry_place[comparisons.a[rows]]
        b = comparisons.entry_place[comparisons.b[rows]]
        yield ProblemBlock(
            problems=problems,
            entries=np.where(place < sizes, first[problems] + place, -1),
            rows=rows,
            column=column,
            a_over_b=a * n + b,
            b_over_a=b * n + a,
            a_scores=a_scores[comparisons.outcome[rows] + 1],
            b_scores=a_scores[1 - comparisons.outcome[rows]],
            tied=(comparisons.outcome[rows] == TIE).astype(np.float64),
        )


def _alike(sizes: Ints) -> Iterator[Ints]:
    """Yield portions of problems whose sizes share the next power of two."""
    order = np.argsort(sizes, kind="stable")
    power = np.ceil(np.log2(sizes[order]))
    for group in np.split(order, np.flatnonzero(np.diff(power)) + 1):
        most = max(1, CELLS_AT_ONCE // int(sizes[group].max()) ** 2)
        yield from np.split(group, np.arange(most, len(group), most))
