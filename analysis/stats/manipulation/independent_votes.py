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
    log = model.log_posterior[votes.item] + np.where(own[:, None], 0.0, model.log_likelihood)
    posterior = _normalised(log)
    second, _, first = model.probability
    up, down = first * (1 - first), second * (1 - second)
    c = np.exp(habits[votes.worker, 2])[:, None]
    slopes = (
        np.stack([-down, down - up, up]),  # by eta
        np.stack([-down, down + up, -up]) * c,  # by log c
    )
    chosen = (votes.vote, np.arange(len(votes.vote)))
    t, left = theta[votes.item], votes.left[:, None]
    # a parameter: its slope, and what eta is multiplied by
    parts = ((slopes[0], t), (slopes[0], left), (slopes[1], 1.0))
    _, usual_side, usual_tie = habits[model.active].mean(axis=0)
    centre = np.array([1.0, usual_side, usual_tie])
    score = -PRIOR * (habits - centre)
    information = np.tile(np.diag(PRIOR), (W, 1, 1))
    for row, (slope, by) in enumerate(parts):
        moved = slope[chosen] / model.probability[chosen] * by
        score[:, row] += total(votes.worker, (posterior * moved).sum(axis=1), W)
        for column, (other, other_by) in enumerate(parts[: row + 1]):
            size = (slope * other / model.probability).sum(axis=0) * by * other_by
            added = total(votes.worker, (posterior * size).sum(axis=1), W)
            information[:, row, column] += added
            information[:, column, row] += added * (row != column)
    step = np.linalg.solve(information, score[:, :, None])[:, :, 0]
    return np.clip(step, -LONGEST_STEP, LONGEST_STEP)


def _ridge(design: Floats, values: Floats) -> Floats:
    normal = design.T @ design + SYSTEM_RIDGE * np.eye(design.shape[1])
    return np.asarray(np.linalg.solve(normal, design.T @ values))


def _normalised(log: Floats) -> Floats:
    """Return rows of logarithms as probabilities."""
    return np.asarray(scipy.special.softmax(log, axis=1))
