"""Variational EM of MACE (mace.py explains the model), on a sparse matrix.

Let M be the matrix of the votes, rows (option, item), columns (option, worker), a one for each
vote. In the likelihood of an item every vote has the factor P(spam) xi, and a vote for the truth
has (P(spam) xi + P(know)) / (P(spam) xi) on top. So M times the logarithm of that quotient gives
the posterior, and M transposed times the posterior gives the fractional counts. S starts are S
columns of one dense matrix. Options come first in all arrays: sums over a few options are fast
along the first axis and slow along the last.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.votes import Votes, vote_matrix

CELLS_AT_ONCE = 12_000_000  # posterior cells held for the starts that run side by side

MOST_FACTORS, LARGEST = 16, 1e300  # votes for one option of an item, and their product

# exp(digamma(y + 1/2)) / y as a series in 1 / y^2, from 1 / y^2 on
SERIES_FROM = 10.0
SERIES = (1 / 24, -37 / 5760, 10313 / 2903040, -5509121 / 1393459200)


@dataclass(frozen=True, kw_only=True)
class Priors:
    """Beta(spam, know) on theta, Dirichlet(strategy) on xi, and smoothing added to every count."""

    spam: float = 0.5
    know: float = 0.5
    strategy: float = 10.0
    smoothing: float = 0.0


@dataclass(frozen=True, eq=False)
class MaceParameters:
    """Parameters of S starts: theta (2, W, S), weights of spamming and knowing; xi (K, W, S)."""

    theta: Floats
    xi: Floats

    def of(self, starts: slice | Flags) -> Self:
        return type(self)(self.theta[:, :, starts], self.xi[:, :, starts])

    @classmethod
    def even(cls, W: int, K: int) -> Self:
        """Return the deterministic start: theta = .5, xi = 1/K."""
        return cls(np.full((2, W, 1), 0.5), np.full((K, W, 1), 1 / K))

    @classmethod
    def random(cls, W: int, K: int, starts: int, rng: np.random.Generator) -> Self:
        """Draw every weight from U(0, 1) and normalise; further starts do not change the first."""
        drawn = rng.random((starts, 2 + K, W)).transpose(1, 2, 0)
        theta, xi = drawn[:2], drawn[2:]
        return cls(theta / theta.sum(axis=0), xi / xi.sum(axis=0))

    @classmethod
    def joined(cls, parts: "list[Self]") -> Self:
        return cls(
            np.concatenate([part.theta for part in parts], axis=2),
            np.concatenate([part.xi for part in parts], axis=2),
        )


@dataclass(frozen=True, eq=False)
class Expectation:
    """Posterior (K, N, S), fractional counts known, spammed (K, W, S), and log_likelihood (S,)."""

    posterior: Floats
    known: Floats
    spammed: Floats
    log_likelihood: Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """Ends of S starts: log_likelihood, iterations, converged (S,), competence (W, S)."""

    parameters: MaceParameters
    competence: Floats
    log_likelihood: Floats
    iterations: Ints
    converged: Flags


@dataclass(frozen=True, eq=False)
class Products:
    """Products of the values of the votes in each row of M: exp(M log(values)) without logarithms.

    columns: of the first vote of every row that has one, of the second, ...; rows with more votes
    come first. place (K N,): of each row of M in this order; rows without votes are the last place.
    No columns where a row has more than MOST_FACTORS votes.
    """

    columns: list[Ints]
    place: Ints

    @classmethod
    def of(cls, M: scipy.sparse.csr_array) -> Self:
        column = np.repeat(M.indices, M.data.astype(np.int64))  # a vote may be there twice
        start = np.r_[0, M.data.cumsum().astype(np.int64)][M.indptr]
        votes = np.diff(start)
        order = np.argsort(-votes, kind="stable")
        most = int(votes.max(initial=0))
        if most > MOST_FACTORS:
            return cls([], order)
        place = np.empty_like(order)
        place[order] = np.minimum(np.arange(len(order)), np.count_nonzero(votes))
        first, votes = start[order], votes[order]
        return cls([column[first[votes > k] + k] for k in range(most)], place)

    def of_rows(self, values: Floats) -> Floats | None:
        """Return the products (K N, S) of values (K W, S) of at least 1, None if too large."""
        if not self.columns or values.max() > LARGEST ** (1 / len(self.columns)):
            return None
        p = np.ones((len(self.columns[0]) + 1, values.shape[1]))
        for column in self.columns:
            p[: len(column)] *= values.take(column, axis=0)
        return p.take(self.place, axis=0)


class VoteMatrix:
    """Matrix M of the votes on one question, and the two steps of the EM."""

    def __init__(self, votes: Votes) -> None:
        self.N, self.W, self.K = len(votes.items), len(votes.workers), len(votes.options)
        row = votes.value * np.int64(self.N) + votes.item
        column = votes.value * np.int64(self.W) + votes.worker
        self.M = vote_matrix(row, column, (self.K * self.N, self.K * self.W))
        self.M_transposed = self.M.T
        self.products = Products.of(self.M)
        self.chosen = np.bincount(column, minlength=self.K * self.W).reshape(self.K, self.W)

    def expectation(self, parameters: MaceParameters) -> Expectation:
        """Return the posterior of the truth and the counts of knowing and spamming (E-step)."""
        spam = parameters.theta[0] * parameters.xi
        know = parameters.theta[1]
        S = spam.shape[2]
        p, top = self.likelihood(1 + know / spam)
        # in place from here: with ten million votes each copy would be 50 MB and more
        total = p.sum(axis=0)
        p /= total
        log_likelihood = (
            (top + np.log(total)).sum(axis=0)
            - self.N * np.log(self.K)
            + np.einsum("kw,kws->s", self.chosen, np.log(spam))
        )
        true = np.asarray(self.M_transposed @ p.reshape(-1, S)).reshape(self.K, self.W, S)
        known_counts = true * (know / (spam + know))
        return Expectation(p, known_counts, self.chosen[:, :, None] - known_counts, log_likelihood)

    def likelihood(self, more: Floats) -> tuple[Floats, Floats]:
        """Return the likelihood of each truth and the log of its divisor: (K, N, S), (N or 1, ..).

        more (K, W, S): (P(spam) xi + P(know)) / (P(spam) xi). Where the product over an item's
        votes could be too large for a number, it is divided by that of the likeliest truth.
        """
        S = more.shape[2]
        product = self.products.of_rows(more.reshape(-1, S))
        if product is not None:
            return product.reshape(self.K, self.N, S), np.zeros((1, 1))
        p = np.asarray(self.M @ np.log(more).reshape(-1, S)).reshape(self.K, self.N, S)
        top = p.max(axis=0)
        p -= top
        return np.exp(p, out=p), top

    def maximise(self, counts: Expectation, priors: Priors) -> MaceParameters:
        """Return exp(digamma(count)) / exp(digamma(sum of counts)) (M-step)."""
        beta = np.array([priors.spam, priors.know])[:, None, None]
        theta = np.stack([counts.spammed.sum(axis=0), counts.known.sum(axis=0)]) + beta
        xi = counts.spammed + priors.strategy
        return MaceParameters(
            _geometric(theta + priors.smoothing), _geometric(xi + priors.smoothing)
        )

    def competence(self, counts: Expectation, priors: Priors) -> Floats:
        """Return the posterior mean (W, S) of the probability to know."""
        known_count = counts.known.sum(axis=0) + priors.know + priors.smoothing
        spammed = counts.spammed.sum(axis=0) + priors.spam + priors.smoothing
        return np.asarray(known_count / (known_count + spammed))

    def fit(
        self, start: MaceParameters, priors: Priors, tolerance: float, max_iterations: int
    ) -> Fit:
        """Run all starts to their ends, as many side by side as fit into memory."""
        S = start.xi.shape[2]
        size = max(1, CELLS_AT_ONCE // (self.K * max(self.N, 1)))
        parts = [
            self._fit_side_by_side(start.of(slice(i, i + size)), priors, tolerance, max_iterations)
            for i in range(0, S, size)
        ]
        return Fit(
            parameters=MaceParameters.joined([part.parameters for part in parts]),
            competence=np.concatenate([part.competence for part in parts], axis=1),
            log_likelihood=np.concatenate([part.log_likelihood for part in parts]),
            iterations=np.concatenate([part.iterations for part in parts]),
            converged=np.concatenate([part.converged for part in parts]),
        )

    def _fit_side_by_side(
        self, now: MaceParameters, priors: Priors, tolerance: float, max_iterations: int
    ) -> Fit:
        """Run EM on S columns; a column leaves when its log-likelihood has converged."""
        S = now.xi.shape[2]
        end = MaceParameters(np.empty_like(now.theta), np.empty_like(now.xi))
        fit = Fit(end, np.empty((self.W, S)), np.empty(S), np.empty(S, int), np.empty(S, bool))
        running = np.arange(S)
        before = np.full(S, -np.inf)
        for iteration in range(max_iterations + 1):
            counts = self.expectation(now)
            still = np.abs(counts.log_likelihood - before) < tolerance
            before = counts.log_likelihood
            leaving = still if iteration < max_iterations else np.ones_like(still)
            following = self.maximise(counts, priors)
            if leaving.any():
                out = running[leaving]
                end.theta[:, :, out] = now.theta[:, :, leaving]
                end.xi[:, :, out] = now.xi[:, :, leaving]
                fit.competence[:, out] = self.competence(counts, priors)[:, leaving]
                fit.log_likelihood[out] = before[leaving]
                fit.iterations[out] = iteration
                fit.converged[out] = still[leaving]
                running, before = running[~leaving], before[~leaving]
                following = following.of(~leaving)
            if not len(running):
                break
            now = following
        return fit


def _geometric(counts: Floats) -> Floats:
    """Return exp(E[log p]) of p ~ Dirichlet(counts), along the first axis."""
    return exp_digamma(counts) / exp_digamma(counts.sum(axis=0))


def exp_digamma(x: Floats) -> Floats:
    """Return exp(digamma(x)), x > 0.

    With y = x - 1/2 it is y + 1/(24 y) - 37/(5760 y^3) + ..., an asymptotic series; from x = 10 on
    these terms are exact to 2e-12, several times faster than the special function.
    """
    if not x.size or x.min() < SERIES_FROM:
        return np.asarray(np.exp(scipy.special.digamma(x)))
    y = x - 0.5
    square = 1 / (y * y)
    series = square * SERIES[-1]
    for coefficient in SERIES[-2::-1]:
        series += coefficient
        series *= square
    series += 1
    series *= y
    return np.asarray(series)
