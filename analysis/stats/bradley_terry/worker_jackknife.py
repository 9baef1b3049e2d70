"""Change of merits, and of the effect of position, without the comparisons of each worker.

One Newton step from the fit of all comparisons, with gradient and curvature of those that remain:
for one problem it equals a new fit to second order. It is taken for all workers and all problems in
which they voted at once: a cell is a worker in a problem, and one small system.
"""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits_newton import DUMMY, solve
from analysis.stats.bradley_terry.tie_models import TieModel, logistic


@dataclass(frozen=True, eq=False)
class Curvatures:
    """Gradient and negative Hessian that each comparison (M,) adds along x = m_a - m_b + side."""

    gradient: Floats
    curvature: Floats

    @classmethod
    def of(cls, comparisons: Comparisons, model: TieModel, x: Floats, tie: Floats) -> "Curvatures":
        """Return the curvatures for x (M,) at the fit and tie (P,)."""
        comparison_tie, weight = tie[comparisons.problem], comparisons.weight
        for_a = np.array([0.0, model.tie_score, 1.0])[comparisons.outcome + 1]
        for_b = np.array([1.0, model.tie_score, 0.0])[comparisons.outcome + 1]
        pull_a, bend_a = model.pull(x, comparison_tie)
        pull_b, bend_b = model.pull(-x, comparison_tie)
        return cls(
            np.asarray(weight * (for_a * pull_a - for_b * pull_b)),
            np.asarray(weight * (for_a * bend_a + for_b * bend_b)),
        )


@dataclass(frozen=True, eq=False)
class WorkerCells:
    """C cells, a worker in a problem, sorted by worker, then problem.

    worker, problem (C,): their indices. Of the comparisons that remain in the problem without the
    worker, along the n places of the problem (padding never moves): gradient, cross (n, C), the
    negative Hessian H (n, n, C); slope, curvature (C,) are those along the effect of position.
    """

    worker: Ints
    problem: Ints
    gradient: Floats
    cross: Floats
    H: Floats
    slope: Floats
    curvature: Floats

    def change(self) -> Floats:
        """Return the merits of all minus those without the worker: (n, C)."""
        return -solve(self.H.copy(), self.gradient.copy())

    def along_position(self) -> tuple[Floats, Floats]:
        """Return slope and curvature (C,) along the effect of position, the merits following."""
        follow = solve(self.H.copy(), self.cross.copy())
        slope = self.slope - (follow * self.gradient).sum(axis=0)
        return slope, self.curvature - (follow * self.cross).sum(axis=0)


def cells_without(
    comparisons: Comparisons,
    merits: Floats,
    found: Curvatures,
    ridge: float,
    worker: Ints | None = None,
    tilt: Floats | None = None,
) -> WorkerCells:
    """Return the cells of the workers (M,) behind each comparison; None leaves nobody out.

    tilt (M,): what merits free of bias add to the slope of each comparison along m_a - m_b. It goes
    with the worker: without any comparison, nothing is left that moves merits apart.
    """
    P, n = len(comparisons.sizes), int(comparisons.sizes.max())
    nobody = worker is None
    key = comparisons.problem if worker is None else worker * np.int64(P) + comparisons.problem
    keys, place = np.unique(key, return_inverse=True)
    cell_problem = keys % P
    a, b = comparisons.entry_place[comparisons.a], comparisons.entry_place[comparisons.b]

    def remaining(index: Ints, weight: Floats, size: int) -> Floats:
        """Return sums (size, C) of a problem without those of the cell."""
        C = len(keys)
        whole = total(index * P + comparisons.problem, weight, size * P).reshape(size, P)
        if nobody:
            return whole[:, cell_problem]
        cell_sums = total(index * C + place, weight, size * C).reshape(size, C)
        return np.asarray(whole[:, cell_problem] - cell_sums)

    g, h = found.gradient, found.curvature
    tilted = g if tilt is None else g + tilt
    nought = np.zeros_like(a)
    H = -(remaining(a * n + b, h, n * n) + remaining(b * n + a, h, n * n))
    H = H.reshape(n, n, len(keys))
    pull, stay = np.zeros((n, P)), np.ones((n, P))
    beats = logistic(merits - DUMMY)
    at = comparisons.entry_place, comparisons.entry_problem
    pull[at], stay[at] = ridge * (1 - 2 * beats), 2 * ridge * beats * (1 - beats)
    diagonal = np.arange(n)
    H[diagonal, diagonal] += remaining(a, h, n) + remaining(b, h, n) + stay[:, cell_problem]
    return WorkerCells(
        worker=keys // P,
        problem=cell_problem,
        gradient=remaining(a, tilted, n) - remaining(b, tilted, n) + pull[:, cell_problem],
        cross=remaining(a, h, n) - remaining(b, h, n),
        H=H,
        slope=remaining(nought, g, 1)[0],
        curvature=remaining(nought, h, 1)[0],
    )
