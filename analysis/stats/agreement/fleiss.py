"""Fleiss' kappa and Gwet's AC1: nominal agreement of any number of workers.

Both are (P - P_e) / (1 - P_e). P is the share of agreeing pairs of votes within an item, averaged
over the items with two votes or more, each counting once. The chance agreement P_e comes from
pi_v, the mean over all items of the share of their votes on option v:
Fleiss (Psychological Bulletin 76, 1971): P_e = sum of pi_v^2;
Gwet (British J. of Math. and Stat. Psychology 61, 2008): P_e = sum of pi_v (1 - pi_v) / (V - 1).
Items may have different numbers of votes: these are the forms of Gwet, Handbook of Inter-Rater
Reliability, 4th ed. (2014), which with equally many votes are the originals.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from analysis.stats.agreement.alpha import AgreementResult, NothingPairable, OneValueOnly
from analysis.stats.arrays import Floats, distinct_rows
from analysis.stats.errors import too_few_options
from analysis.stats.resampling import Bootstrap, Resample, percentile_interval, portions
from analysis.stats.votes import Votes, vote_matrix

Coefficient = Literal["fleiss", "ac1"]
NAMES = {"fleiss": "Fleiss' kappa", "ac1": "Gwet's AC1"}


@dataclass(frozen=True, kw_only=True)
class ChanceCorrectedResult(AgreementResult):
    """A kappa-like coefficient: 1 is perfect agreement, 0 chance level.

    observed: P. chance: P_e. all_votes: behind P_e, those on items with a single vote included.
    """

    coefficient: Coefficient
    observed: float
    chance: float
    all_votes: int


class _Sums(NamedTuple):
    """Sums over items: agreement, number of the pairable, shares (V, D), number of all (D,)."""

    agreement: Floats
    pairable: Floats
    shares: Floats
    voted: Floats


def fleiss_kappa(
    votes: Votes,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    resample: Resample = "items",
) -> ChanceCorrectedResult:
    """Compute Fleiss' kappa of the votes on one question; nominal, so option order is not used.

    resample as in krippendorff_alpha. Raises CannotCompute (too_few_options), NothingPairable,
    OneValueOnly, BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, resample=resample)
    return _coefficient(votes, "fleiss", bootstrap)


def gwet_ac1(
    votes: Votes,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    resample: Resample = "items",
) -> ChanceCorrectedResult:
    """Compute Gwet's AC1, which does not fall when nearly all votes are on one option.

    Options that nobody used count towards V, since workers could have used them. If all votes are
    alike it is 1. Raises CannotCompute (too_few_options), NothingPairable, BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, resample=resample)
    return _coefficient(votes, "ac1", bootstrap)


def _coefficient(
    votes: Votes,
    coefficient: Coefficient,
    bootstrap: Bootstrap,
) -> ChanceCorrectedResult:
    counts = votes.counts()
    m = counts.sum(axis=1)
    if len(votes.options) < 2:
        raise too_few_options(NAMES[coefficient])
    if not (m >= 2).any():
        raise NothingPairable(NAMES[coefficient])
    if coefficient == "fleiss" and (counts.sum(axis=0) > 0).sum() == 1:
        raise OneValueOnly(votes.options[int(counts.sum(axis=0).argmax())], NAMES[coefficient])
    n = counts.T[:, :, None].astype(np.float64)
    value, observed, chance = _evaluate(_sums(n, n), coefficient)
    low, high, undefined = float("nan"), float("nan"), 0
    if bootstrap.draws:
        sample = _item_sums if bootstrap.resample == "items" else _worker_sums
        drawn = np.concatenate(
            [_evaluate(sums, coefficient)[0] for sums in sample(votes, bootstrap)]
        )
        low, high, undefined = percentile_interval(drawn, bootstrap.confidence)
    return ChanceCorrectedResult(
        coefficient=coefficient,
        value=float(value[0]),
        low=low,
        high=high,
        items=int((m >= 2).sum()),
        votes=int(m[m >= 2].sum()),
        all_votes=len(votes),
        observed=float(observed[0]),
        chance=float(chance[0]),
        draws=bootstrap.draws,
        undefined_draws=undefined,
        confidence=bootstrap.confidence,
        seed=bootstrap.seed,
        resample=bootstrap.resample,
    )


def _evaluate(sums: _Sums, coefficient: Coefficient) -> tuple[Floats, Floats, Floats]:
    """Return the coefficient, P and P_e of each draw (D,); NaN where undefined."""
    observed = _ratio(sums.agreement, sums.pairable)
    pi = _ratio(sums.shares, np.broadcast_to(sums.voted, sums.shares.shape))
    if coefficient == "fleiss":
        chance = (pi**2).sum(axis=0)
    else:
        chance = (pi * (1 - pi)).sum(axis=0) / (len(pi) - 1)
    # a chance agreement of 1 is the sum of squares of a single share, exact but for rounding
    rest = np.where(chance < 1 - 1e-12, 1 - chance, 0)
    return _ratio(observed - chance, rest), observed, chance


def _ratio(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.divide(a, b, out=np.full_like(a, np.nan), where=b > 0))


def _sums(n: Floats, own: Floats) -> _Sums:
    """Return sums over items from votes n and their pairs with own copies (V, N, D)."""
    agreement, share, pairable, voted = _per_item(n, own)
    return _Sums(agreement.sum(axis=0), pairable.sum(axis=0), share.sum(axis=1), voted.sum(axis=0))


def _per_item(n: Floats, own: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return agreement (N, D), shares (V, N, D), and 0/1 masks of pairable and of voted (N, D)."""
    m = n.sum(axis=0)
    pairs = m**2 - own.sum(axis=0)
    agreeing = (n**2 - own).sum(axis=0)
    agreement = np.divide(agreeing, pairs, out=np.zeros_like(m), where=pairs > 0)
    share = np.divide(n, m, out=np.zeros_like(n), where=m > 0)
    return agreement, share, (pairs > 0).astype(np.float64), (m > 0).astype(np.float64)


@lru_cache(maxsize=1)  # both coefficients have the same draws
def _item_sums(votes: Votes, bootstrap: Bootstrap) -> list[_Sums]:
    """Return sums of item draws; as in resampling.item_draws, equal counts are drawn together."""
    counts, rng = votes.counts(), bootstrap.generator()
    kinds, _, frequency = distinct_rows(counts)
    n = kinds.T[:, :, None].astype(np.float64)
    agreement, share, pairable, voted = _per_item(n, n)
    features = np.vstack([agreement.T, pairable.T, voted.T, share[:, :, 0]])  # (3 + V, kinds)
    draw_sums = []
    for count in portions(bootstrap.draws, len(kinds)):
        weights = rng.multinomial(len(counts), frequency / len(counts), size=count)
        sums = features @ weights.T.astype(np.float64)
        draw_sums.append(_Sums(sums[0], sums[1], sums[3:], sums[2]))
    return draw_sums


@lru_cache(maxsize=1)
def _worker_sums(votes: Votes, bootstrap: Bootstrap) -> list[_Sums]:
    """Return sums of worker draws; a vote is never paired with its own copy."""
    N, W, V = len(votes.items), len(votes.workers), len(votes.options)
    rng = bootstrap.generator()
    row = votes.value.astype(np.int64) * N + votes.item
    chosen = vote_matrix(row, votes.worker, (V * N, W))
    sums = []
    for count in portions(bootstrap.draws, V * N):
        drawn = rng.multinomial(W, np.full(W, 1 / W), size=count).T.astype(np.float64)
        n, copies = (np.asarray(chosen @ d).reshape(V, N, count) for d in (drawn, drawn**2))
        sums.append(_sums(n, copies))
    return sums
