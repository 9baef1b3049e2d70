"""Dependence of competence and gold labels on the start of the EM.

The likelihood of MACE has many modes (see mace.py). Each start ends in one of them; the votes
do not tell which end is right.
"""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import BadSetting, no_votes, too_few_options
from analysis.stats.labels.mace import SAME_PROBABILITY
from analysis.stats.labels.mace_em import MaceParameters, Priors, VoteMatrix
from analysis.stats.votes import Votes


@dataclass(frozen=True, eq=False, kw_only=True)
class StartStability:
    """Ends of S = 1 + restarts starts, the deterministic one first.

    lowest, highest, spread (W,): of each worker's competence over the starts, and their distance;
        NaN for workers without votes.
    moves (N,): whether the gold label of the item differs between starts.
    same_gold (S,): for each start, the share of items with votes that have the gold label of
        the deterministic start.
    share_moving: the share of items with votes whose label moves.
    log_likelihoods (S,): where the first is far below the best, the default result is a poor mode.
    converged (S,): a start stopped by max_iterations may look more different than it is.
    """

    votes: Votes
    lowest: Floats
    highest: Floats
    spread: Floats
    moves: Flags
    same_gold: Floats
    share_moving: float
    log_likelihoods: Floats
    converged: Flags
    restarts: int
    seed: int
    tolerance: float
    max_iterations: int
    priors: Priors


def start_stability(
    votes: Votes,
    *,
    restarts: int = 5,
    seed: int = 0,
    tolerance: float = 1e-9,
    max_iterations: int = 1000,
    priors: Priors | None = None,
) -> StartStability:
    """Fit MACE from the deterministic and from random starts, and compare the ends.

    The tolerance is looser than that of mace, since many starts would wait for few workers on a
    plateau. Raises CannotCompute (no_votes, too_few_options), BadSetting.
    """
    if not len(votes):
        raise no_votes("Stability")
    if len(votes.options) < 2:
        raise too_few_options("Competence")
    if restarts < 1:
        raise BadSetting("restarts", restarts, "1 or more")
    if not tolerance >= 0:
        raise BadSetting("tolerance", tolerance, "0 or more")
    if max_iterations < 1:
        raise BadSetting("max_iterations", max_iterations, "1 or more")
    priors = priors or Priors()
    matrix = VoteMatrix(votes)
    rng = np.random.default_rng(seed)
    starts = [
        MaceParameters.even(matrix.W, matrix.K),
        MaceParameters.random(matrix.W, matrix.K, restarts, rng),
    ]
    fit = matrix.fit(MaceParameters.joined(starts), priors, tolerance * len(votes), max_iterations)
    gold = _gold(matrix, fit.parameters)[np.unique(votes.item)]
    moves = np.zeros(matrix.N, dtype=bool)
    moves[np.unique(votes.item)] = (gold != gold[:, :1]).any(axis=1)
    competence = fit.competence.copy()
    competence[matrix.chosen.sum(axis=0) == 0] = np.nan
    lowest, highest = competence.min(axis=1), competence.max(axis=1)
    return StartStability(
        votes=votes,
        lowest=lowest,
        highest=highest,
        spread=highest - lowest,
        moves=moves,
        same_gold=(gold == gold[:, :1]).mean(axis=0),
        share_moving=float((gold != gold[:, :1]).any(axis=1).mean()),
        log_likelihoods=fit.log_likelihood,
        converged=fit.converged,
        restarts=restarts,
        seed=seed,
        tolerance=tolerance,
        max_iterations=max_iterations,
        priors=priors,
    )


def _gold(matrix: VoteMatrix, parameters: MaceParameters) -> Ints:
    """Return the gold label of each item from each start (N, S), ties to the first option."""
    columns = []
    for s in range(parameters.xi.shape[2]):
        posterior = matrix.expectation(parameters.of(slice(s, s + 1))).posterior[:, :, 0]
        columns.append((posterior >= posterior.max(axis=0) - SAME_PROBABILITY).argmax(axis=0))
    return np.stack(columns, axis=1)
