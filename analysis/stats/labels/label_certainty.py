"""Certainty of a label as a prediction of fresh votes.

The posterior of MACE is certain because the model is: on pure noise it gives .92 on average. Here
the shares of the options of an item are drawn from a Dirichlet distribution that is fitted to all
items (Mosimann 1962, the compound multinomial), so that votes that scatter everywhere leave every
label uncertain. Certainty is then a statement about votes that can be checked: on votes held out,
or on the same pair judged again the other way round.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, distinct_rows
from analysis.stats.errors import BadSetting, no_votes
from analysis.stats.votes import Votes

MOST_OUTCOMES = 5000  # ways in which fresh votes can fall; five votes on three options have 21


@dataclass(frozen=True, eq=False, kw_only=True)
class FreshVotes:
    """Predictions for N items with a label (index of an option, -1 without one), NaN without label.

    next_vote (N,): the probability that one more vote is for the label. same_label (N,): that of
    `fresh` new votes the most are for it, ties by chance; also NaN where options are too many to
    compute it. concentration (V,): of the Dirichlet; its sum is the weight of the common shares in
    votes, large where items hardly differ.
    """

    votes: Votes
    labels: Ints
    next_vote: Floats
    same_label: Floats
    fresh: int
    concentration: Floats


def fresh_votes(votes: Votes, labels: Ints, *, fresh: int = 5) -> FreshVotes:
    """Return predictions of fresh votes for the labels (N,), whatever method gave them.

    Raises CannotCompute (no_votes), BadSetting.
    """
    if not len(votes):
        raise no_votes("The certainty of labels")
    if len(labels) != len(votes.items):
        raise BadSetting("labels", f"{len(labels)} labels", f"one for each of {len(votes.items)}")
    if fresh < 1:
        raise BadSetting("fresh", fresh, "1 or more")
    counts = votes.counts()
    a = concentration_of(counts)
    has_votes = (labels >= 0) & counts.any(axis=1)
    label = np.maximum(labels, 0)
    now = counts + a
    next_vote = now[np.arange(len(now)), label] / now.sum(axis=1)
    kinds, kind, _ = distinct_rows(counts)
    same = _winning(kinds + a, fresh)[kind, label]
    return FreshVotes(
        votes=votes,
        labels=labels,
        next_vote=np.where(has_votes, next_vote, np.nan),
        same_label=np.where(has_votes, same, np.nan),
        fresh=fresh,
        concentration=a,
    )


def concentration_of(counts: Ints) -> Floats:
    """Return the most likely Dirichlet (V,) behind votes counted (N, V).

    A tenth of a vote is added to the common shares, so that an option nobody chose has a chance.
    Raises CannotCompute (no_votes).
    """
    if not counts.any():
        raise no_votes("The certainty of labels")
    kinds, _, often = distinct_rows(counts[counts.any(axis=1)])
    m = kinds.sum(axis=1)
    start = np.log((often @ kinds + 0.1) / (often @ m))

    def loss(x: Floats) -> tuple[float, Floats]:
        a = np.exp(x)
        A = a.sum()
        log_gamma = scipy.special.gammaln(kinds + a) - scipy.special.gammaln(a)
        whole = scipy.special.gammaln(A) - scipy.special.gammaln(A + m)
        slope = scipy.special.digamma(kinds + a) - scipy.special.digamma(a)
        slope += (scipy.special.digamma(A) - scipy.special.digamma(A + m))[:, None]
        return -float(often @ (log_gamma.sum(axis=1) + whole)), np.asarray(-(often @ slope) * a)

    # beyond 1,000 votes' worth no item differs from the others that could be told
    bounds = [(-7.0, 7.0)] * len(start)
    optimum = scipy.optimize.minimize(
        loss, np.clip(start + 1, -7, 7), jac=True, method="L-BFGS-B", bounds=bounds
    )
    return np.asarray(np.exp(optimum.x))


def _winning(a: Floats, fresh: int) -> Floats:
    """Return the probability (K, V) that each option wins the fresh votes, from a (K, V)."""
    V = a.shape[1]
    if comb(fresh + V - 1, fresh) > MOST_OUTCOMES:
        return np.full(a.shape, np.nan)
    falls = combinations_with_replacement(range(V), fresh)
    outcomes = np.array([np.bincount(fall, minlength=V) for fall in falls])
    first = outcomes == outcomes.max(axis=1, keepdims=True)
    wins = first / first.sum(axis=1, keepdims=True)
    ways = scipy.special.gammaln(fresh + 1) - scipy.special.gammaln(outcomes + 1).sum(axis=1)
    A = a.sum(axis=1)
    log = scipy.special.gammaln(A) - scipy.special.gammaln(A + fresh)
    log_gamma = scipy.special.gammaln(a[:, None] + outcomes) - scipy.special.gammaln(a)[:, None]
    return np.asarray(np.exp(log[:, None] + ways + log_gamma.sum(axis=2)) @ wins)
