"""Cohen's kappa, and its mean over pairs of workers.

Cohen (Educational and Psychological Measurement 20, 1960): of two workers who judged the same
items, kappa = 1 - D_o / D_e, the disagreement observed over that expected from their own
marginals. Weighted (Cohen, Psychological Bulletin 70, 1968): a disagreement of options i and j
counts |i - j| or its square. With more workers, the mean over pairs (Light, Psychological Bulletin
76, 1971), here those who share enough items.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy

from analysis.stats.agreement.alpha import AgreementResult
from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import Bootstrap, Resample, percentile_interval, portions
from analysis.stats.votes import Votes, vote_matrix

Weights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, kw_only=True)
class CohenResult(AgreementResult):
    """Mean kappa over pairs of workers, each pair counting once.

    pairs: with minimum_shared items in common and some variation, behind the mean; undefined_pairs
    more share enough items, but both gave one and the same option throughout. items and votes:
    those that the pairs share, an item or vote counted once however many pairs share it.
    """

    weights: Weights
    minimum_shared: int
    pairs: int
    undefined_pairs: int


@dataclass(frozen=True, eq=False)
class _Shared:
    """Votes of P pairs of workers on the items they share, one entry an item and pair.

    pair, item (L,); cell (L,): the options of the two as index into the (V, V) table; first,
    second (P,): the workers.
    """

    pair: Ints
    item: Ints
    cell: Ints
    first: Ints
    second: Ints
    votes: int


def cohen_kappa(
    votes: Votes,
    *,
    weights: Weights = "none",
    minimum_shared: int = 10,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    resample: Resample = "items",
) -> CohenResult:
    """Compute Cohen's kappa of two workers, or its mean over pairs with enough items in common.

    Parameters
    ----------
    weights : none for nominal options; linear or quadratic distances for options in scale order.
    resample : items, or workers: each pair then counts as often as its two workers were drawn
        together, nobody is paired with himself. With few shared items a resample of them has a
        lower kappa than they have, so that an interval over items lies low; one over workers does
        not.

    Time and memory grow with the votes times the votes an item.

    Raises
    ------
    CannotCompute (too_few_shared_items, no_variation, repeated_vote, too_few_workers), BadSetting
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, resample=resample)
    if weights not in get_args(Weights):
        raise BadSetting("weights", weights, "none, linear or quadratic")
    if minimum_shared < 1:
        raise BadSetting("minimum_shared", minimum_shared, "1 or more")
    if draws and resample == "workers" and len(votes.workers) < 3:
        raise CannotCompute(
            "too_few_workers",
            "Cohen's kappa has no interval over participants because there are fewer than three; "
            "resample items instead.",
        )
    shared = _shared(votes, minimum_shared)
    delta = _distances(len(votes.options), weights)
    tables = _PairTables(shared, len(votes.items), delta)
    kappas = tables.kappas(np.ones((len(votes.items), 1)))[:, 0]
    defined = ~np.isnan(kappas)
    if not defined.any():
        pairs = len(kappas)
        who = "the two raters" if pairs == 1 else f"both raters of each of {pairs} pairs"
        raise CannotCompute(
            "no_variation",
            f"Cohen's kappa cannot be computed because {who} chose the same option for every "
            f"shared "
            "item: without variation, agreement beyond chance is undefined.",
        )
    low, high, undefined = float("nan"), float("nan"), 0
    if draws:
        rng = bootstrap.generator()
        if resample == "items":
            drawn = _item_draws(tables, draws, rng)
        else:
            drawn = _worker_draws(votes, shared, kappas, draws, rng)
        low, high, undefined = percentile_interval(drawn, confidence)
    return CohenResult(
        value=float(kappas[defined].mean()),
        low=low,
        high=high,
        items=len(np.unique(shared.item)),
        votes=shared.votes,
        draws=draws,
        undefined_draws=undefined,
        confidence=confidence,
        seed=seed,
        resample=resample,
        weights=weights,
        minimum_shared=minimum_shared,
        pairs=int(defined.sum()),
        undefined_pairs=int((~defined).sum()),
    )


def _shared(votes: Votes, minimum_shared: int) -> _Shared:
    """Return all pairs of votes on an item, of pairs of workers with enough of them."""
    first_votes, other = _pairs_of_votes(votes)
    W, V = len(votes.workers), len(votes.options)
    # votes are sorted by item and worker, so the earlier vote is the earlier worker's
    who = votes.worker[first_votes].astype(np.int64) * W + votes.worker[other]
    pairs, index, shared = np.unique(who, return_inverse=True, return_counts=True)
    enough = (shared >= minimum_shared)[index]
    if not enough.any():
        raise CannotCompute(
            "too_few_shared_items",
            "Cohen's kappa cannot be computed because no two participants judged at least "
            f"{minimum_shared} items in common.",
        )
    first_votes, other = first_votes[enough], other[enough]
    pairs, index = np.unique(who[enough], return_inverse=True)
    return _Shared(
        pair=index,
        item=votes.item[first_votes],
        cell=votes.value[first_votes].astype(np.int64) * V + votes.value[other],
        first=pairs // W,
        second=pairs % W,
        votes=len(np.union1d(first_votes, other)),
    )


def _pairs_of_votes(votes: Votes) -> tuple[Ints, Ints]:
    """Return positions of all pairs of votes on the same item. Raises CannotCompute."""
    again = (np.diff(votes.item) == 0) & (np.diff(votes.worker) == 0)
    if again.any():
        at = int(np.argmax(again))
        worker = votes.workers[votes.worker[at]]
        item = votes.items[votes.item[at]]
        raise CannotCompute(
            "repeated_vote",
            f"Cohen's kappa cannot be computed because rater {worker} has more than one vote on "
            f"item {item}.",
        )
    start = np.flatnonzero(np.diff(votes.item, prepend=-1))
    m = np.diff(start, append=len(votes))
    first_votes, other = [], []
    for size in np.unique(m[m >= 2]):
        # all items with so many votes at once: a row of positions each
        rows = start[m == size][:, None] + np.arange(size)
        i, j = np.triu_indices(size, k=1)
        first_votes.append(rows[:, i].ravel())
        other.append(rows[:, j].ravel())
    none = np.array([], dtype=np.int64)
    return np.concatenate([none, *first_votes]), np.concatenate([none, *other])


def _distances(V: int, weights: Weights) -> Floats:
    if weights == "none":
        return np.asarray(1 - np.eye(V))
    steps = np.abs(np.subtract.outer(np.arange(V), np.arange(V))).astype(np.float64)
    return np.asarray(steps if weights == "linear" else steps**2)


class _PairTables:
    """Sums over the (V, V) tables of P pairs that kappa needs, linear in the weights of N items.

    The tables themselves would have P V V cells a draw, far too many for a hundred options; the
    disagreement and the marginals are enough.
    """

    def __init__(self, shared: _Shared, N: int, delta: Floats) -> None:
        P, V = len(shared.first), len(delta)
        self.delta = delta
        shape, cell = (P, N), (shared.pair, shared.item)
        distance = delta.ravel()[shared.cell]
        self.observed = scipy.sparse.coo_array((distance, cell), shape=shape).tocsr()
        first_option, other = shared.cell // V, shared.cell % V
        self.one = vote_matrix(shared.pair * V + first_option, shared.item, (P * V, N))
        self.other = vote_matrix(shared.pair * V + other, shared.item, (P * V, N))

    def kappas(self, weights: Floats) -> Floats:
        """Return kappa of each pair (P, D) under item weights (N, D); NaN where undefined."""
        V, D = len(self.delta), weights.shape[1]
        first_margin, other = (
            np.asarray(m @ weights).reshape(-1, V, D) for m in (self.one, self.other)
        )
        far = np.matmul(self.delta, other)
        expected = np.einsum("pvd,pvd->pd", first_margin, far)
        observed = (self.observed @ weights) * first_margin.sum(axis=1)
        nothing = np.full_like(expected, np.nan)
        return np.asarray(1 - np.divide(observed, expected, out=nothing, where=expected > 0))


def _item_draws(tables: _PairTables, draws: int, rng: np.random.Generator) -> Floats:
    P, N = tables.observed.shape
    means = []
    for count in portions(draws, max(N, P * len(tables.delta))):
        drawn = rng.multinomial(N, np.full(N, 1 / N), size=count).T.astype(np.float64)
        kappas = tables.kappas(drawn)
        means.append(_mean(kappas, (~np.isnan(kappas)).astype(np.float64)))
    return np.concatenate(means)


def _worker_draws(
    votes: Votes, shared: _Shared, kappas: Floats, draws: int, rng: np.random.Generator
) -> Floats:
    W = len(votes.workers)
    drawn = rng.multinomial(W, np.full(W, 1 / W), size=draws).T.astype(np.float64)
    often = drawn[shared.first] * drawn[shared.second]
    often[np.isnan(kappas)] = 0
    return _mean(np.broadcast_to(kappas[:, None], often.shape), often)


def _mean(kappas: Floats, weights: Floats) -> Floats:
    """Return the weighted mean over the pairs, (P, D) to (D,); NaN without weight."""
    total = weights.sum(axis=0)
    weighted = (np.nan_to_num(kappas) * weights).sum(axis=0)
    mean = np.divide(weighted, total, out=np.full_like(total, np.nan), where=total > 0)
    return np.asarray(mean)
