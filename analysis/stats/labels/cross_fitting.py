"""Competence learned without the item it is applied to: k folds of items, side by side.

Column s of the parameters leaves out the items of fold s; one more column, the last, leaves out
none. All columns share the sparse matrix of the votes (see competence_em.py): a left-out item is an
item whose posterior adds nothing to the counts of its column. So ten folds cost two sparse products
an iteration, as ten restarts do.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.labels.competence_em import Expectation, Parameters, Priors, VoteMatrix
from analysis.stats.votes import Votes


class TooFewItems(CannotCompute):
    """A fold would be empty."""

    def __init__(self, units: int, folds: int) -> None:
        super().__init__(
            f"Cross-fitting cannot be computed because {folds} folds need at least as many "
            f"independent items, and there are {units}."
        )


def item_folds(
    votes: Votes, folds: int, seed: int, together: Sequence[Hashable] | None = None
) -> Ints:
    """A random fold 0..folds-1 for each of the N items, sizes as equal as can be: (N,).

    together, aligned with votes.items: items with equal entries (both directions of a pair, one
    topic) go into one fold, by default every item for itself. Raises TooFewItems, BadSetting.
    """
    N = len(votes.items)
    if folds < 2:
        raise BadSetting("folds", folds, "2 or more")
    if together is not None and len(together) != N:
        raise BadSetting("together", f"of length {len(together)}", f"one entry for each of {N}")
    codes = {entry: i for i, entry in enumerate(dict.fromkeys(together or range(N)))}
    if len(codes) < folds:
        raise TooFewItems(len(codes), folds)
    drawn = np.random.default_rng(seed).permutation(len(codes)) % folds
    return drawn if together is None else drawn[[codes[entry] for entry in together]]


def cross_fitted_competence(
    votes: Votes, fold: Ints, *, iterations: int, priors: Priors | None = None
) -> Floats:
    """MACE's competence of W workers without the items of each fold, and with all: (W, F + 1).

    fold (N,): the fold 0..F-1 of each item. Each column is the posterior mean after so many
    iterations from the deterministic start. A worker without votes outside a fold has the
    competence of the prior there.
    """
    matrix = _FoldedMatrix(votes, fold)
    return matrix.run(iterations, priors or Priors())


class _FoldedMatrix(VoteMatrix):
    """included (N, S): 1 where the item counts; chosen_in (K, W, S): the votes that count."""

    def __init__(self, votes: Votes, fold: Ints) -> None:
        super().__init__(votes)
        F = int(fold.max()) + 1
        self.included = (fold[:, None] != np.arange(F + 1)).astype(np.float64)
        cell = (votes.value.astype(np.int64) * self.W + votes.worker) * F + fold[votes.item]
        in_fold = np.bincount(cell, minlength=self.K * self.W * F).reshape(self.K, self.W, F)
        self.chosen_in = np.repeat(self.chosen[:, :, None], F + 1, axis=2).astype(np.float64)
        self.chosen_in[:, :, :F] -= in_fold

    def run(self, iterations: int, priors: Priors) -> Floats:
        S = self.included.shape[1]
        even = Parameters.even(self.W, self.K)
        now = Parameters(np.repeat(even.theta, S, axis=2), np.repeat(even.xi, S, axis=2))
        counts = self.expectation(now)
        for _ in range(iterations):
            counts = self.expectation(self.maximise(counts, priors))
        return self.competence(counts, priors)

    def expectation(self, parameters: Parameters) -> Expectation:
        """The E-step with the counts of the included items only; no likelihood is needed."""
        spam = parameters.theta[0] * parameters.xi
        know = parameters.theta[1]
        S = spam.shape[2]
        p = (self.M @ np.log1p(know / spam).reshape(-1, S)).reshape(self.K, self.N, S)
        p -= p.max(axis=0)
        np.exp(p, out=p)
        p *= self.included / p.sum(axis=0)
        true = (self.M_transposed @ p.reshape(-1, S)).reshape(self.K, self.W, S)
        known = true * (know / (spam + know))
        return Expectation(p, known, self.chosen_in - known, np.full(S, np.nan))
