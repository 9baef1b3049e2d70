"""Exact tails of sums of independent items."""

from itertools import pairwise

import numpy as np

from analysis.stats.arrays import Floats, Ints

CELLS_AT_ONCE = 1_000_000  # of items and values: arrays of 8 MB


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
