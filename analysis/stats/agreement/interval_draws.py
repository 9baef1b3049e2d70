"""Bootstrap draws of alpha at the interval level, from sums instead of coincidence matrices.

Over all ordered pairs of the m numbers x of an item, squared differences add up to
2 m sum(x^2) - 2 sum(x)^2. A slider with 101 positions, or any number, then costs as much as a scale
of five options. The draws are those of `resampling`, the alphas the same up to rounding.
"""

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, distinct_rows
from analysis.stats.resampling import portions
from analysis.stats.votes import Votes


def interval_item_draws(
    counts: Ints, numbers: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    """Return alpha in each bootstrap sample of the items (draws,).

    counts (N, V), numbers (V,); every item must have two votes or more.
    """
    kinds, _, frequency = distinct_rows(counts)
    x = _centred(numbers)
    n, first, second = kinds.sum(axis=1), kinds @ x, kinds @ x**2
    observed = 2 * (n * second - first**2) / (n - 1)
    sums = np.column_stack([n, first, second, observed])
    alphas = [
        _alphas(*(rng.multinomial(len(counts), frequency / len(counts), size=count) @ sums).T)
        for count in portions(draws, len(kinds))
    ]
    return np.concatenate(alphas)


def interval_worker_draws(
    votes: Votes, numbers: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    """Return alpha in each bootstrap sample of the workers, no vote paired with its own copy."""
    N, W = len(votes.items), len(votes.workers)
    x = _centred(numbers)[votes.value]
    cells = (votes.item, votes.worker)
    powers = [
        scipy.sparse.coo_array((power, cells), shape=(N, W)).tocsr()
        for power in (np.ones_like(x), x, x**2)
    ]
    alphas = []
    for count in portions(draws, N):
        drawn = rng.multinomial(W, np.full(W, 1 / W), size=count).T.astype(np.float64)
        m, first, second = (np.asarray(matrix @ drawn) for matrix in powers)
        copies, own_first, own_second = (np.asarray(matrix @ drawn**2) for matrix in powers)
        pairs = m**2 - copies
        weight = np.divide(m, pairs, out=np.zeros_like(m), where=pairs > 0)
        alphas.append(
            _alphas(
                (weight * pairs).sum(axis=0),
                (weight * (m * first - own_first)).sum(axis=0),
                (weight * (m * second - own_second)).sum(axis=0),
                (weight * 2 * (m * second - first**2)).sum(axis=0),
            )
        )
    return np.concatenate(alphas)


def _centred(numbers: Floats) -> Floats:
    """Return centred numbers, whole ones kept whole, so that perfect agreement is exactly 1."""
    return np.asarray(numbers - numbers[np.abs(numbers - numbers.mean()).argmin()])


def _alphas(n: Floats, first: Floats, second: Floats, observed: Floats) -> Floats:
    """Return alpha from the number of votes, sums of x and x^2, and observed disagreement."""
    expected = 2 * (n * second - first**2)
    defined = expected > 1e-12 * np.maximum(n * second, 1e-300)
    ratio = np.divide(observed * (n - 1), expected, out=np.zeros_like(n), where=defined)
    return np.where(defined, 1 - ratio, np.nan)
