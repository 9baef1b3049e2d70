"""Tie parameter of the highest penalised likelihood, with the merits of all problems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits_blocks import ProblemBlock, blocks
from analysis.stats.bradley_terry.merits_newton import (
    MAX_ITERATIONS,
    STEP_TOLERANCE,
    Solution,
    maximise,
    slope_along,
)
from analysis.stats.bradley_terry.merits_reduced import solve_reduced, tie_tilt, tilt
from analysis.stats.bradley_terry.tie_models import TieModel

LONGEST_STEP = 2.0


@dataclass(eq=False)
class BlockFit:
    """A block with its counts, and its merits at the last fit, from which the next one starts.

    pairs: comparisons of each pair, where merits are free of bias (merits_reduced.py).
    """

    model: TieModel
    block: ProblemBlock
    A: Floats
    ties: Floats
    pairs: Floats | None = None
    merits: Floats | None = None

    @classmethod
    def of(cls, comparisons: Comparisons, model: TieModel, *, reduced: bool) -> list["BlockFit"]:
        """Return the games of all blocks."""
        games = []
        for block in blocks(comparisons, model.tie_score):
            weight = comparisons.weight[block.rows][None]
            pairs = block.count_pairs(weight) if reduced else None
            games.append(cls(model, block, *block.count(weight), pairs))
        return games

    def solve(self, tie: Floats, ridge: float) -> Solution:
        if self.pairs is None:
            solution = maximise(self.model, self.A, tie, ridge, self.merits)
        else:
            solution = solve_reduced(self.model, self.A, self.pairs, tie, self.merits)
        self.merits = solution.merits
        return solution

    def tilt(self, tie: Floats) -> Floats:
        """Return what merits free of bias add to the slope of each comparison (M,), of weight 1."""
        assert self.merits is not None
        if self.pairs is None:
            return np.zeros(len(self.block.rows))
        of_pair = tilt(self.model, self.pairs, self.merits, tie)
        cells = of_pair.reshape(-1, of_pair.shape[2])[self.block.a_over_b, self.block.column]
        return np.asarray(cells * self.block.taken)


def estimate_tie(
    games: Sequence[BlockFit], groups: Ints, ridge: float, confidence: float
) -> tuple[Floats, Floats, Floats]:
    """Return the tie parameter of the highest penalised likelihood in each group of problems (P,).

    Along the best merits for each x (the parameter on the scale of its model) the likelihood is
    concave, so its slope has one root: Newton's method on the slope, kept between the ends of a
    shrinking bracket. Returns it with the ends of its Wald interval, built on the scale of x: three
    of (G,). A group without ties has 0, and no interval (NaN).
    """
    model = games[0].model
    G = int(groups.max()) + 1
    ties = np.zeros(G)
    for game in games:
        ties += total(groups[game.block.problems], game.ties, G)
    low, high, x = np.full(G, model.lowest), np.full(G, np.inf), np.full(G, model.start)
    for _ in range(MAX_ITERATIONS):
        slope, curvature = _slopes(games, groups, x, ties, ridge)
        low, high = np.where(slope > 0, x, low), np.where(slope > 0, high, x)
        ahead = x + np.clip(-slope / curvature, -LONGEST_STEP, LONGEST_STEP)
        inside = (low < ahead) & (ahead < high)
        # a step that leaves the bracket leaves it at an end that is finite, and so is the other
        ahead[~inside] = (low[~inside] + high[~inside]) / 2
        moved = np.where(ties > 0, ahead - x, 0.0)
        x = x + moved
        if (np.abs(moved) < STEP_TOLERANCE).all():
            break
    half = scipy.stats.norm.ppf((1 + confidence) / 2) * np.sqrt(
        -1 / np.where(ties > 0, curvature, -1.0)
    )
    low, high = model.parameter(np.maximum(x - half, model.lowest)), model.parameter(x + half)
    undefined = np.where(ties > 0, 0.0, np.nan)
    return np.where(ties > 0, model.parameter(x), 0.0), low + undefined, high + undefined


def _slopes(
    games: Sequence[BlockFit], groups: Ints, x: Floats, ties: Floats, ridge: float
) -> tuple[Floats, Floats]:
    """Return slope and curvature (G,) of the penalised likelihood in x, the merits following."""
    model = games[0].model
    each_slope, each_curvature = model.log_tie_bends(x)
    slope, curvature = ties * each_slope, ties * each_curvature
    tie = model.parameter(x)
    for game in games:
        group = groups[game.block.problems]
        merits = game.solve(tie[group], ridge).merits
        each_slope, each_curvature, _ = slope_along(model, game.A, merits, tie[group], ridge)
        if game.pairs is not None:
            each_slope = each_slope + tie_tilt(model, game.pairs, merits, tie[group])
        slope += total(group, each_slope, len(x))
        curvature += total(group, each_curvature, len(x))
    return slope, curvature
