"""MACE: competence of workers, and the gold labels that follow.

Hovy, Berg-Kirkpatrick, Vaswani and Hovy, Learning Whom to Trust with MACE (NAACL 2013). Worker w
answering item i knows with probability 1 - theta_w and then gives the true option; else he spams
and draws an option from his own distribution xi_w, whatever the item. The truth is drawn evenly
from the K options of the question. Priors: Beta(.5, .5) on theta, Dirichlet(10) on xi. Fitted by
variational EM (their section 2.2): the M-step takes exp(digamma(count)) where plain EM takes count.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import BadSetting, CannotCompute, no_votes, too_few_options
from analysis.stats.labels.mace_em import MaceParameters, Priors, VoteMatrix
from analysis.stats.votes import Votes

Compat = Literal["gienapp2025"]

# Posteriors nearer than this are equal: what is left is the rounding of a sum.
SAME_PROBABILITY = 1e-9


class TooFewFellows(CannotCompute):
    """Too few workers with common items to separate their competences.

    Two workers' agreement gives the product of their competences only; three products separate
    three. Of a worker alone only the prior is known.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(
            "too_few_workers",
            "Competence needs at least 3 participants who share items with others (you have "
            f"{workers}).",
        )


def require_fellows(questions: Iterable[Votes]) -> None:
    """Raise TooFewFellows where fewer than three workers have an item in common with another."""
    sharing: set[Hashable] = set()
    for votes in questions:
        W = np.int64(len(votes.workers))
        item, worker = np.divmod(np.unique(votes.item * W + votes.worker), W)
        shared = np.bincount(item, minlength=len(votes.items))[item] >= 2
        sharing |= {votes.workers[k] for k in np.flatnonzero(np.bincount(worker[shared])).tolist()}
        if len(sharing) >= 3:
            return
    raise TooFewFellows(len(sharing))


@dataclass(frozen=True, eq=False, kw_only=True)
class MaceResult:
    """Competence of W workers and labels of N items on one question with K options.

    competence (W,): the posterior mean of the probability that the worker knows.
    theta (W, 2): the weights of spamming and of knowing as the EM uses them, exp(digamma(count)) /
        exp(digamma(sum)); the two add up to a little less than 1. The original program prints the
        second as competence, the Crowd RAG Corpus the first as spam probability.
    xi (W, K): the options a worker draws from when spamming, weights of the same kind.
    worker_votes (W,): the votes behind each competence.
    posterior (N, K): probability of each option being the truth; uniform for an item without votes.
    gold (N,): index of the most probable option. Options within 1e-9 of it are tied, and the first
        of them in the order of the options is taken; tied (N,) marks those items.
    entropy (N,): of the posterior, in nats.
    log_likelihood: of the votes under theta and xi. iterations, converged: of the chosen start.
    starts: their number; start_log_likelihoods (starts,) in their order, the deterministic one
        first; the best is the result, the first of equals.
    spread (W,): range of the competence over starts; None with one start.
    """

    votes: Votes
    competence: Floats
    theta: Floats
    xi: Floats
    worker_votes: Ints
    posterior: Floats
    gold: Ints
    tied: Flags
    entropy: Floats
    log_likelihood: float
    iterations: int
    converged: bool
    starts: int
    start_log_likelihoods: Floats
    spread: Floats | None
    priors: Priors
    tolerance: float
    max_iterations: int
    seed: int | None
    compat: Compat | None


def mace(
    votes: Votes,
    *,
    restarts: int = 0,
    seed: int | None = None,
    tolerance: float = 1e-12,
    max_iterations: int = 10_000,
    priors: Priors | None = None,
    compat: Compat | None = None,
) -> MaceResult:
    """Fit MACE to the votes on one question.

    Parameters
    ----------
    restarts : random starts besides the deterministic one (theta = .5, xi = 1/K); they need a seed.
        The likelihood has many modes, and `spread` reports how far the starts disagree.
    tolerance : a start has converged when an iteration changes its log-likelihood by less than this
        a vote. The default looks strict, but the EM has plateaus: on the Crowd RAG Corpus 1e-9
        stops before one worker's competence moves by .79 (logical coherence) and another's by .15
        (consistency).
    compat : "gienapp2025" does as the code behind the Crowd RAG Corpus 2025 (Gienapp et al., SIGIR
        2025): .1/K added to every count on top of the priors, 20 random starts and no deterministic
        one, 100 iterations at most, stopping at a change below 1e-6 in all. It needs a seed, and
        sets everything else itself.

    Raises
    ------
    CannotCompute (no_votes, too_few_options), BadSetting
    """
    priors = priors or Priors()
    _check(votes, restarts, seed, tolerance, max_iterations, priors, compat)
    if compat == "gienapp2025":
        priors = Priors(smoothing=0.1 / len(votes.options))
        restarts, max_iterations, tolerance = 20, 100, 1e-6 / len(votes)
    matrix = VoteMatrix(votes)
    start = _starts(matrix, restarts, seed, compat)
    fit = matrix.fit(start, priors, tolerance * len(votes), max_iterations)
    best = int(np.argmax(fit.log_likelihood))
    parameters = fit.parameters.of(slice(best, best + 1))
    posterior = matrix.expectation(parameters).posterior[:, :, 0]
    top = posterior.max(axis=0) - SAME_PROBABILITY
    among_best = posterior >= top
    starts = len(fit.log_likelihood)
    return MaceResult(
        votes=votes,
        competence=fit.competence[:, best],
        theta=parameters.theta[:, :, 0].T,
        xi=parameters.xi[:, :, 0].T,
        worker_votes=matrix.chosen.sum(axis=0),
        posterior=posterior.T,
        gold=among_best.argmax(axis=0),
        tied=among_best.sum(axis=0) > 1,
        entropy=scipy.special.entr(posterior).sum(axis=0),
        log_likelihood=float(fit.log_likelihood[best]),
        iterations=int(fit.iterations[best]),
        converged=bool(fit.converged[best]),
        starts=starts,
        start_log_likelihoods=fit.log_likelihood,
        spread=np.ptp(fit.competence, axis=1) if starts > 1 else None,
        priors=priors,
        tolerance=tolerance,
        max_iterations=max_iterations,
        seed=seed,
        compat=compat,
    )


def _starts(
    matrix: VoteMatrix, restarts: int, seed: int | None, compat: Compat | None
) -> MaceParameters:
    """Return the deterministic start, except in compat, then the random ones."""
    starts = [] if compat else [MaceParameters.even(matrix.W, matrix.K)]
    if restarts:
        rng = np.random.default_rng(seed)
        starts.append(MaceParameters.random(matrix.W, matrix.K, restarts, rng))
    return MaceParameters.joined(starts)


def _check(
    votes: Votes,
    restarts: int,
    seed: int | None,
    tolerance: float,
    max_iterations: int,
    priors: Priors,
    compat: Compat | None,
) -> None:
    if not len(votes):
        raise no_votes("Competence")
    if len(votes.options) < 2:
        raise too_few_options("Competence")
    if compat is not None and compat not in get_args(Compat):
        raise BadSetting("compat", compat, "gienapp2025 or nothing")
    if restarts < 0:
        raise BadSetting("restarts", restarts, "0 or more")
    if (restarts or compat) and seed is None:
        raise BadSetting("seed", seed, "a number where starts are random")
    if not tolerance >= 0:
        raise BadSetting("tolerance", tolerance, "0 or more")
    if not min(priors.spam, priors.know, priors.strategy) > 0 or not priors.smoothing >= 0:
        raise BadSetting("priors", priors, "above 0, and its smoothing 0 or more")
    if max_iterations < 1:
        raise BadSetting("max_iterations", max_iterations, "1 or more")
