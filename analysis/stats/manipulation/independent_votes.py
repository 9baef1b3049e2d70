"""Model of workers who vote independently of each other on pairs of texts.

The gap of the pair i is normal, theta_i ~ N(mu_i, sigma^2), with mu_i from the systems of its
texts. Worker w prefers the first text with probability F(eta - c_w), the second with F(-eta - c_w),
and neither otherwise; eta = a_w theta_i + s_w left, and F is the logistic function. So workers
differ in sharpness a, the habit of a side s and the habit of ties c. All is estimated by EM on
nodes of theta. Votes of passive workers say nothing about theta to others.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.manipulation.compared_votes import ComparedVotes

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
LOG_WEIGHTS = np.log(WEIGHTS / WEIGHTS.sum())
ROUNDS = 10
USUAL_TIE = 0.4  # logits: the half width of ties at the start
LONGEST_STEP = 0.5
# Precision of the priors of a (about 1), s and log c (about the mean of active workers).
PRIOR = np.array([1.0, 1 / 9, 1 / 9])
SYSTEM_RIDGE = 1.0
OPTIONS = 3  # the second text, neither, the first
LEAST = 1e-9  # of a probability
PAIRS_AT_ONCE = 20_000  # of votes: arrays of 5 MB, where all at once may be 100 MB


@dataclass(frozen=True, eq=False)
class PairVotes:
    """n votes on N pairs of texts: item, worker, vote (0 to 2) and left (n,), systems (N, S)."""

    item: Ints
    worker: Ints
    vote: Ints
    left: Floats
    systems: Floats
    workers: int

    @classmethod
    def of(cls, votes: ComparedVotes) -> "PairVotes":
        """Return the votes by numbered pairs; means over questions count by their sign."""
        swapped = votes.a > votes.b
        sign = np.where(swapped, -1, 1)
        pairs = np.column_stack([np.minimum(votes.a, votes.b), np.maximum(votes.a, votes.b)])
        _, first, item = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
        systems = votes.of_systems[first].toarray() * sign[first][:, None]
        return cls(
            item=item.ravel(),
            worker=votes.worker,
            vote=(np.sign(votes.outcome) * sign).astype(np.int64) + 1,
            left=votes.left * sign,
            systems=systems,
            workers=len(votes.workers),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class IndependentVotes:
    """Fitted model on K nodes: probability (3, n, K) of each option, log_posterior (N, K).

    The posterior of an item is by the votes of active workers; its rows are not normalised.
    """

    votes: PairVotes
    active: Flags
    probability: Floats
    log_likelihood: Floats
    log_posterior: Floats

    def joint(self, i: Ints, j: Ints) -> Floats:
        """Return the probabilities (m, 3, 3) of two votes on an item, given those of others."""
        both = np.empty((len(i), OPTIONS, OPTIONS))
        for at in range(0, len(i), PAIRS_AT_ONCE):
            some = slice(at, at + PAIRS_AT_ONCE)
            both[some] = self._joint(i[some], j[some])
        return both

    def _joint(self, i: Ints, j: Ints) -> Floats:
        active = self.active[self.votes.worker]
        log = self.log_posterior[self.votes.item[i]].copy()
        for own in (i, j):
            log -= self.log_likelihood[own] * active[own][:, None]
        first, second = self.probability[:, i], self.probability[:, j]
        both = np.einsum("mk,umk,vmk->muv", _normalised(log), first, second, optimize=True)
        return np.asarray(both)


def independent_votes(votes: PairVotes, passive: Flags) -> IndependentVotes:
    """Fit the model; passive (W,)."""
    N, W = votes.systems.shape[0], votes.workers
    mu, sigma = np.zeros(N), 1.0
    habits = np.tile([1.0, 0.0, np.log(USUAL_TIE)], (W, 1))
    for _ in range(ROUNDS):
        theta = mu[:, None] + sigma * NODES
        model = _at(votes, ~passive, theta, habits)
        posterior = _normalised(model.log_posterior)
        mean = (posterior * theta).sum(axis=1)
        square = (posterior * theta**2).sum(axis=1)
        habits = habits + _step(model, theta, habits)
        mu = votes.systems @ _ridge(votes.systems, mean)
        sigma = float(np.sqrt(np.mean(square - 2 * mu * mean + mu**2)))
    return _at(votes, ~passive, mu[:, None] + sigma * NODES, habits)


def _at(votes: PairVotes, active: Flags, theta: Floats, habits: Floats) -> IndependentVotes:
    a, s, log_c = habits[votes.worker].T[:, :, None]
    eta, c = a * theta[votes.item] + s * votes.left[:, None], np.exp(log_c)
    first, second = scipy.special.expit(eta - c), scipy.special.expit(-eta - c)
    probability = np.maximum(np.stack([second, 1 - first - second, first]), LEAST)
    log_likelihood = np.log(probability[votes.vote, np.arange(len(votes.vote))])
    sums = np.tile(LOG_WEIGHTS, (len(theta), 1))
    own = active[votes.worker]
    for k in range(theta.shape[1]):
        sums[:, k] += total(votes.item[own], log_likelihood[own, k], len(theta))
    return IndependentVotes(
        votes=votes,
        active=active,
        probability=probability,
        log_likelihood=log_likelihood,
        log_posterior=sums,
    )


def _step(model: IndependentVotes, theta: Floats, habits: Floats) -> Floats:
    """Return a scoring step of the habits of workers (W, 3)."""
    votes, W = model.votes, model.votes.workers
    own = model.active[votes.worker]
    log = model.log_posterior[votes.item]
    log[~own] += model.log_likelihood[~own]
    posterior = _normalised(log)
    score, information = _by_eta_and_tie(model, habits)
    # a parameter is multiplied by theta, by the side, or by 1
    by = (theta[votes.item], votes.left[:, None], 1.0)
    part = (0, 0, 1)  # moves eta, eta, log c
    _, usual_side, usual_tie = habits[model.active].mean(axis=0)
    slope = -PRIOR * (habits - np.array([1.0, usual_side, usual_tie]))
    curve = np.tile(np.diag(PRIOR), (W, 1, 1))
    for row in range(3):
        weight = posterior * by[row]
        slope[:, row] += total(votes.worker, (weight * score[part[row]]).sum(axis=1), W)
        for column in range(row + 1):
            size = (weight * information[part[row] + part[column]] * by[column]).sum(axis=1)
            added = total(votes.worker, size, W)
            curve[:, row, column] += added
            curve[:, column, row] += added * (row != column)
    step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
    return np.clip(step, -LONGEST_STEP, LONGEST_STEP)


def _by_eta_and_tie(
    model: IndependentVotes, habits: Floats
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats, Floats]]:
    """Return the scores (n, K) by eta and log c, and the information of eta, both, and log c."""
    votes = model.votes
    second, neither, first = model.probability
    up, down = first * (1 - first), second * (1 - second)
    c = np.exp(habits[votes.worker, 2])[:, None]
    chosen = votes.vote[:, None]
    of_first, of_second = 1 - first, second - 1
    of_neither = (down - up) / neither
    eta = np.where(chosen == 1, of_neither, np.where(chosen == 2, of_first, of_second))
    wider = (up + down) / neither
    tie = c * np.where(chosen == 1, wider, np.where(chosen == 2, -of_first, of_second))
    in_first, in_second = up * of_first, -down * of_second
    both = in_second - in_first + (down - up) * wider
    information = (
        in_first + in_second + (down - up) * of_neither,
        c * both,
        c * c * (in_first + in_second + (up + down) * wider),
    )
    return (eta, tie), information


def _ridge(design: Floats, values: Floats) -> Floats:
    normal = design.T @ design + SYSTEM_RIDGE * np.eye(design.shape[1])
    return np.asarray(np.linalg.solve(normal, design.T @ values))


def _normalised(log: Floats) -> Floats:
    """Return rows of logarithms as probabilities."""
    odds = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
