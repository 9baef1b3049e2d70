"""Exact tails of sums of independent items."""

import numpy as np

from analysis.stats.arrays import Floats, Ints


def sum_tails(pair: Ints, steps: Ints, chance: Floats, size: int) -> Floats:
    """Return P(sum >= value) of each pair for values 0 to size - 1.

    An item adds steps (m, 3) with the probabilities chance (m, 3), and 0 otherwise. pair (m,) is
    sorted. The transform of a sum of independent items is the product of theirs.
    """
    frequency = np.arange(size // 2 + 1)
    turn = np.exp(-2j * np.pi * np.arange(size) / size)
    transform = np.ones((len(pair), len(frequency))) * (1 - chance.sum(axis=1) + 0j)[:, None]
    for v in range(chance.shape[1]):
        transform += chance[:, v, None] * turn[(steps[:, v, None] * frequency) % size]
    product = np.multiply.reduceat(transform, np.flatnonzero(np.diff(pair, prepend=-1)), axis=0)
    density = np.maximum(np.fft.irfft(product, n=size, axis=1), 0)
    return np.asarray(density[:, ::-1].cumsum(axis=1)[:, ::-1])
