"""Bootstrap draws of coincidence matrices, over items or over workers.

Efron and Tibshirani, An Introduction to the Bootstrap (1993): percentile intervals. A draw is a
vector of weights, how often each item or worker was drawn, so many draws are one matrix product.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, distinct_rows
from analysis.stats.errors import BadSetting
from analysis.stats.votes import Votes, vote_matrix

Resample = Literal["items", "workers"]
Statistic = Callable[[Floats], Floats]

CELLS_AT_ONCE = 4_000_000  # numbers held at a time: 32 MB a temporary array
IN_CACHE = 200_000  # the same where several passes are made over them: twice as fast
DRAWS_AT_ONCE = 16  # at least, whatever the number of items


def check_confidence(confidence: float) -> None:
    """Raise BadSetting for a confidence outside (0, 1)."""
    if not 0 < confidence < 1:
        raise BadSetting("confidence", confidence, "between 0 and 1")


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """Settings of intervals: number of draws, unit of resampling, confidence, seed.

    least: 1 where there is no result without draws. Raises BadSetting for invalid settings.
    """

    draws: int = 1000
    confidence: float = 0.95
    seed: int = 0
    resample: Resample = "items"
    least: Literal[0, 1] = 0

    def __post_init__(self) -> None:
        if self.draws < self.least:
            allowed = "1 or more" if self.least else "0 (no interval) or more"
            raise BadSetting("draws", self.draws, allowed)
        check_confidence(self.confidence)
        if self.resample not in get_args(Resample):
            raise BadSetting("resample", self.resample, "items or workers")

    def generator(self) -> np.random.Generator:
        """Return a fresh generator, so that no number depends on earlier draws."""
        return np.random.default_rng(self.seed)


def item_draws(counts: Ints, statistic: Statistic, draws: int, rng: np.random.Generator) -> Floats:
    """Return the statistic in each bootstrap sample of the items: (draws,).

    counts: (N, V) votes an option. statistic: from coincidence matrices (D, V, V) to values (D,).
    """
    # Items with equal counts add the same, and there are few different counts (21 for five votes
    # on three options): drawing how often each kind of item comes up costs the same for 1,000
    # items and for a million.
    kinds, _, frequency = distinct_rows(counts)
    N, V = len(counts), counts.shape[1]
    results = []
    for count in portions(draws, max(len(kinds), V * V)):
        weights = rng.multinomial(N, frequency / N, size=count).astype(np.float64)
        o = np.zeros((count, V * V))
        for start in range(0, len(kinds), step := max(1, CELLS_AT_ONCE // (V * V))):
            part = slice(start, start + step)
            o += weights[:, part] @ coincidences(kinds[part]).reshape(-1, V * V)
        results.append(statistic(o.reshape(count, V, V)))
    return np.concatenate(results)


def worker_draws(
    votes: Votes, statistic: Statistic, draws: int, rng: np.random.Generator
) -> Floats:
    """Return the statistic in each bootstrap sample of the workers and all their votes: (draws,).

    A vote is never paired with its own copy: a worker drawn twice would agree with himself, and
    with five votes an item that alone lifts alpha by about .2. The remaining pairs on an item are
    weighted so that its votes count as in the coincidence matrix, which a draw of everybody once
    therefore reproduces.
    """
    return np.concatenate([statistic(o) for o in _worker_coincidences(votes, draws, rng)])


@lru_cache(maxsize=1)
def kept_worker_coincidences(votes: Votes, bootstrap: Bootstrap) -> Floats:
    """Return the coincidence matrices of all draws of workers (D, V, V), for several statistics."""
    drawn = _worker_coincidences(votes, bootstrap.draws, bootstrap.generator())
    return np.concatenate(list(drawn))


def _worker_coincidences(votes: Votes, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    W, V = len(votes.workers), len(votes.options)
    chosen = list(_chosen(votes, max(1, IN_CACHE // (V * DRAWS_AT_ONCE))))
    for count in portions(draws, V * len(votes.items), most=IN_CACHE, least=DRAWS_AT_ONCE):
        drawn = rng.multinomial(W, np.full(W, 1 / W), size=count).T.astype(np.float64)
        o = np.zeros((count, V, V))
        for some in chosen:
            n = np.asarray(some @ drawn).reshape(V, -1, count)
            copies = np.asarray(some @ drawn**2).reshape(V, -1, count)
            o += _weighted_coincidences(n, copies)
        yield o


def _chosen(votes: Votes, size: int) -> Iterator["scipy.sparse.csr_array[np.float64]"]:
    """Yield the votes of each worker on `size` items at a time, by option and item: (V size, W)."""
    W, V, N = len(votes.workers), len(votes.options), len(votes.items)
    order = np.argsort(votes.item, kind="stable")
    ends = np.searchsorted(votes.item[order], np.arange(0, N + size, size))
    for k, (start, end) in enumerate(pairwise(ends.tolist())):
        of, items = order[start:end], min(size, N - k * size)
        row = votes.value[of].astype(np.int64) * items + votes.item[of] - k * size
        yield vote_matrix(row, votes.worker[of], (V * items, W))


def coincidences(counts: Ints) -> Floats:
    """Return the coincidence matrix of each item: from counts (N, V), floats (N, V, V).

    o_ck = (n_c n_k - [c = k] n_c) / (m - 1); items with fewer than two votes add nothing.
    """
    n = counts.astype(np.float64)
    m = n.sum(axis=1)
    pairs = n[:, :, None] * n[:, None, :]
    diagonal = range(n.shape[1])
    pairs[:, diagonal, diagonal] -= n
    return np.asarray(pairs / np.maximum(m - 1, 1)[:, None, None])


def coincidence_matrix(counts: Ints) -> Floats:
    """Return the coincidence matrix (V, V) of all items, in portions to save memory."""
    V = counts.shape[1]
    o = np.zeros((V, V))
    start = 0
    for count in portions(len(counts), V * V):
        o += coincidences(counts[start : start + count]).sum(axis=0)
        start += count
    return o


def expanded_tail(units: Ints | int, confidence: float) -> Floats:
    """Return the share of draws beyond either end of an interval over two units or more.

    A bootstrap of n units is too narrow by sqrt((n - 1) / n), and knows no t distribution: these
    are the percentiles that normal draws had at the ends of t, expanded by that (Hesterberg 2015,
    What Teachers Should Know About the Bootstrap, The American Statistician 69(4)).
    """
    n = np.asarray(units)
    t = scipy.stats.t.ppf((1 + confidence) / 2, n - 1)
    return np.asarray(scipy.stats.norm.sf(t * np.sqrt(n / (n - 1))))


def percentile_interval(values: Floats, confidence: float) -> tuple[float, float, int]:
    """Return low and high end over the defined values, and the number of undefined (NaN)."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan"), len(values)
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high), len(values) - len(defined)


def _weighted_coincidences(n: Floats, own: Floats) -> Floats:
    """Return coincidence matrices (D, V, V) from drawn votes and own copies (V, N, D)."""
    m = n.sum(axis=0)
    pairs = m**2 - own.sum(axis=0)
    weight = np.divide(m, pairs, out=np.zeros_like(m), where=pairs > 0)
    V, _, D = n.shape
    o = np.empty((D, V, V))
    for c in range(V):
        weighted = weight * n[c]
        o[:, c, c:] = np.einsum("id,vid->dv", weighted, n[c:])
        o[:, c:, c] = o[:, c, c:]
        o[:, c, c] -= np.einsum("id,id->d", weight, own[c])
    return o


def portions(draws: int, cells: int, *, most: int = CELLS_AT_ONCE, least: int = 1) -> Iterator[int]:
    """Split the draws so that arrays of (draws, cells) stay small, in portions of `least` draws."""
    size = max(least, most // max(cells, 1))
    for start in range(0, draws, size):
        yield min(size, draws - start)
