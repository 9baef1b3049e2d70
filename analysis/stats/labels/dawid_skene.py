"""Dawid and Skene's model: a confusion matrix for every worker, and the labels that follow.

Dawid and Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm (J. of
the Royal Statistical Society C 28, 1979). The truth j of an item has probability p_j; worker w then
votes l with probability pi_w(j, l), whatever the item. EM: the posterior of the truth from p and pi
(their 2.5), p and pi from the posterior (2.3, 2.4), from the shares of the votes as start (3.1).
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import BadSetting, no_votes, too_few_options
from analysis.stats.votes import Votes, vote_matrix

# Posteriors nearer than this are equal: what is left is the rounding of a sum.
SAME_PROBABILITY = 1e-9


@dataclass(frozen=True, eq=False, kw_only=True)
class DawidSkeneResult:
    """Labels of N items and confusion matrices of W workers on one question with V options.

    posterior (N, V): probability of each option being the truth; the marginals for an item without
        votes. gold (N,): index of the most probable option, -1 without votes. Options within 1e-9
        of it are tied, and the first of them is taken; tied (N,) marks those items.
    entropy (N,): of the posterior, in nats.
    marginals (V,): p, the frequency of each option as the truth.
    accuracy (W,): the share of the worker's votes expected to be the truth, under this posterior;
        NaN without votes.
    trace: the objective of EM before each iteration and after the last: the log-likelihood, plus
        the logarithm of the prior if there is smoothing. It never falls.
    """

    votes: Votes
    posterior: Floats
    gold: Ints
    tied: Flags
    entropy: Floats
    marginals: Floats
    accuracy: Floats
    worker_votes: Ints
    trace: Floats
    log_likelihood: float
    iterations: int
    converged: bool
    smoothing: float
    tolerance: float
    max_iterations: int

    def confusion(self, worker: Hashable) -> Floats:
        """Return the confusion matrix (V, V) of a worker: row the truth, column the vote.

        A row without evidence (no item that may have this truth, no smoothing) is NaN. Raises
        KeyError for an unknown worker.
        """
        if worker not in self.votes.workers:
            raise KeyError(worker)
        V = len(self.votes.options)
        mine = self.votes.worker == self.votes.workers.index(worker)
        counts = np.full((V, V), float(self.smoothing))
        np.add.at(counts.T, self.votes.value[mine], self.posterior[self.votes.item[mine]])
        total = counts.sum(axis=1, keepdims=True)
        nothing = np.full((V, V), np.nan)
        return np.asarray(np.divide(counts, total, out=nothing, where=total > 0))


@dataclass(frozen=True, eq=False)
class _Parameters:
    """p (V,); pi (C, V) over the truth, of the C pairs of worker and vote that occur."""

    p: Floats
    pi: Floats
    log_prior: float


def dawid_skene(
    votes: Votes,
    *,
    smoothing: float = 0.01,
    tolerance: float = 1e-10,
    max_iterations: int = 2000,
) -> DawidSkeneResult:
    """Fit Dawid and Skene's model to the votes on one question; no seed, the start is fixed.

    Parameters
    ----------
    smoothing : added to every count of every confusion matrix: the maximum a posteriori under
        Dirichlet(1 + smoothing) rows; 0 is the original. Keep it small: it draws all rows towards
        the same one, and then one truth explains everything. On the Crowd RAG Corpus, with 16 votes
        a worker, an option dies out from 1 on. Even with little smoothing V (V - 1) numbers a
        worker are many for these votes: the labels of its three-option questions are farther from
        MACE's than those of the majority are.
    tolerance : EM stops when an iteration changes its objective by less than this a vote.

    Memory grows with the votes times V.

    Raises
    ------
    CannotCompute (no_votes, too_few_options), BadSetting
    """
    _check(votes, smoothing, tolerance, max_iterations)
    model = _Model(votes, smoothing)
    posterior = model.shares()
    trace: list[float] = []
    converged = False
    while True:
        parameters = model.maximise(posterior)
        posterior, likelihood = model.expectation(parameters)
        trace.append(likelihood + parameters.log_prior)
        if len(trace) > 1:
            converged = trace[-1] - trace[-2] < tolerance * len(votes)
        if converged or len(trace) > max_iterations:
            break
    voted = model.m > 0
    among_best = posterior >= posterior.max(axis=1, keepdims=True) - SAME_PROBABILITY
    return DawidSkeneResult(
        votes=votes,
        posterior=posterior,
        gold=np.where(voted, among_best.argmax(axis=1), -1),
        tied=voted & (among_best.sum(axis=1) > 1),
        entropy=scipy.special.entr(posterior).sum(axis=1),
        marginals=parameters.p,
        accuracy=_accuracy(votes, posterior, model.worker_votes),
        worker_votes=model.worker_votes,
        trace=np.array(trace),
        log_likelihood=likelihood,
        iterations=len(trace) - 1,
        converged=converged,
        smoothing=smoothing,
        tolerance=tolerance,
        max_iterations=max_iterations,
    )


class _Model:
    """Votes as a sparse matrix A (N, C), a column for each pair of worker and vote that occurs.

    The logarithm of the likelihood of an item is then a product with A, and the expected counts one
    with its transpose.
    """

    def __init__(self, votes: Votes, smoothing: float) -> None:
        self.V, W = len(votes.options), len(votes.workers)
        self.smoothing = smoothing
        cell = votes.worker * np.int64(self.V) + votes.value
        cells, column = np.unique(cell, return_inverse=True)
        self.worker, self.value = cells // self.V, cells % self.V
        self.A = vote_matrix(votes.item, column.ravel(), (len(votes.items), len(cells)))
        self.A_transposed = self.A.T.tocsr()
        # adds up the cells of each worker
        self.by_worker = vote_matrix(self.worker, np.arange(len(cells)), (W, len(cells)))
        self.m = np.bincount(votes.item, minlength=len(votes.items))
        self.worker_votes = np.bincount(votes.worker, minlength=W)
        self.counts = votes.counts()

    def shares(self) -> Floats:
        """Return the start (N, V): the shares of the votes of each item."""
        return np.asarray(self.counts / np.maximum(self.m, 1)[:, None])

    def maximise(self, posterior: Floats) -> _Parameters:
        """Return the parameters from the posterior (M-step); items without votes do not count."""
        voted = posterior[self.m > 0]
        expected = np.asarray(self.A_transposed @ posterior)
        total = np.asarray(self.by_worker @ expected) + self.V * self.smoothing
        below = total[self.worker]
        pi = np.divide(
            expected + self.smoothing, below, out=np.zeros_like(expected), where=below > 0
        )
        return _Parameters(voted.mean(axis=0), pi, self._log_prior(pi, total))

    def _log_prior(self, pi: Floats, total: Floats) -> float:
        """Return the log prior of confusion matrices of workers with votes, up to a constant."""
        if not self.smoothing:
            return 0.0
        chosen = np.bincount(self.worker, minlength=len(total))
        others = np.where(chosen > 0, self.V - chosen, 0)
        never = others[:, None] * np.log(self.smoothing / total)
        return float(self.smoothing * (np.log(pi).sum() + never.sum()))

    def expectation(self, parameters: _Parameters) -> tuple[Floats, float]:
        """Return the posterior (N, V) and the log-likelihood (E-step)."""
        with np.errstate(divide="ignore"):  # log 0 = -inf: this truth is impossible
            log_p, log_pi = np.log(parameters.p), np.log(parameters.pi)
        joint = np.asarray(self.A @ log_pi) + log_p
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        total = posterior.sum(axis=1, keepdims=True)
        posterior /= total
        return posterior, float((top + np.log(total)).sum())


def _accuracy(votes: Votes, posterior: Floats, worker_votes: Ints) -> Floats:
    true = posterior[votes.item, votes.value]
    right = np.bincount(votes.worker, weights=true, minlength=len(worker_votes))
    nothing = np.full(len(right), np.nan)
    return np.asarray(np.divide(right, worker_votes, out=nothing, where=worker_votes > 0))


def _check(votes: Votes, smoothing: float, tolerance: float, max_iterations: int) -> None:
    if not len(votes):
        raise no_votes("Confusion matrices")
    if len(votes.options) < 2:
        raise too_few_options("Confusion matrices")
    if not 0 <= smoothing < np.inf:
        raise BadSetting("smoothing", smoothing, "0 (none) or more")
    if not tolerance >= 0:
        raise BadSetting("tolerance", tolerance, "0 or more")
    if max_iterations < 1:
        raise BadSetting("max_iterations", max_iterations, "1 or more")
