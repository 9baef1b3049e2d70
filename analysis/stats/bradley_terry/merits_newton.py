"""Newton's method for Bradley-Terry with ties, for all problems at once.

tie_models.py has the likelihood, sum_ij A_ij f(m_i - m_j): one matrix A of wins and ties is
sufficient. The ridge plays every response ridge times to a win and to a loss against a dummy,
without ties.

All arrays have the problems along the last axis: A (n, n, P), merits (n, P). A problem is small and
there are many, so each step of the arithmetic is one long vector operation over the problems.
"""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Flags, Floats
from analysis.stats.bradley_terry.tie_models import Shape, TieModel, logistic

DUMMY = 1.0  # the merit of the dummy
SAFE_STEP = 1.5
STEP_TOLERANCE = 1e-8  # Newton's error is about the square of its last step
MAX_ITERATIONS = 100
CELLS_AT_ONCE = 30_000  # of A: with its temporaries it stays in the cache
LEAVING = 2  # problems leave when half of the rest have converged


@dataclass(frozen=True, eq=False)
class Solution:
    """Merits (n, P), converged (P,) and the Newton steps taken."""

    merits: Floats
    converged: Flags
    iterations: int


def maximise(
    model: Shape,
    A: Floats,
    tie: Floats,
    ridge: float,
    start: Floats | None = None,
    tolerance: float = STEP_TOLERANCE,
) -> Solution:
    """Return the merits that maximise the penalised likelihood, given tie (P,) and ridge > 0.

    A (n, n, P): wins and ties of row over column, zero for padding: a response without comparisons
    only meets the dummy, and stays at its merit.

    The objective is strictly concave, so there is one maximum. Its third derivative is bounded by
    its second (self-concordance, Bach 2010, for the logistic loss), so a Newton step that moves two
    merits apart by b cannot overstep if b <= 1.5, nor if shortened by log(1 + b) / b. The objective
    itself need not be evaluated.
    """
    m = np.full(A.shape[1:], DUMMY) if start is None else start.copy()
    converged = np.zeros(A.shape[2], dtype=bool)
    iterations, size = 0, max(1, CELLS_AT_ONCE // len(m) ** 2)
    for at in range(0, A.shape[2], size):
        some = slice(at, at + size)
        m[:, some], converged[some], taken = _maximise(
            model.of(some), A[:, :, some], tie[some], ridge, m[:, some], tolerance
        )
        iterations = max(iterations, taken)
    return Solution(m, converged, iterations)


def _maximise(
    model: Shape, A: Floats, tie: Floats, ridge: float, m: Floats, tolerance: float
) -> tuple[Floats, Flags, int]:
    """Return the merits of these problems, which have converged, and the steps taken."""
    end, converged = np.array(m), np.zeros(A.shape[2], dtype=bool)
    rest, A, m = np.arange(A.shape[2]), np.ascontiguousarray(A), np.array(m)
    iterations = 0
    while iterations < MAX_ITERATIONS and len(rest):
        iterations += 1
        gradient, H = _derivatives(model, A, m, tie, ridge)
        step = solve(H, gradient)
        # the dummy does not move, hence the zero among the ends
        b = step.max(axis=0).clip(min=0) - step.min(axis=0).clip(max=0)
        m += step * np.where(b <= SAFE_STEP, 1.0, np.log1p(b) / np.maximum(b, SAFE_STEP))
        done = b < tolerance
        if done.sum() * LEAVING >= len(rest) or iterations == MAX_ITERATIONS:
            end[:, rest], converged[rest] = m, done
            going = ~done
            model, rest, A, m, tie = (
                model.of(going),
                rest[going],
                A[:, :, going],
                m[:, going],
                tie[going],
            )
    return end, converged, iterations


def log_likelihood(model: TieModel, A: Floats, ties: Floats, m: Floats, tie: Floats) -> Floats:
    """Return the log-likelihood of each problem (P,), with ties (P,), without the ridge."""
    wins = (A * model.log_win(m[:, None] - m, tie)).sum(axis=(0, 1))
    # without ties the parameter may be 0, where log_tie is not finite
    return np.asarray(wins + ties * model.log_tie(np.where(ties > 0, tie, 1.0)))


def slope_along(
    model: Shape, A: Floats, m: Floats, tie: Floats, ridge: float
) -> tuple[Floats, Floats, Floats]:
    """Return slope and curvature (P,) along the model's parameter x, the best merits m following.

    Both are of sum_ij A_ij f alone. The curvature is smaller than at fixed merits by c' H^-1 c,
    since merits follow. The third array (n, P) is their response, H^-1 c.
    """
    bends = model.bends(m[:, None] - m, tie)
    _, H = _derivatives(model, A, m, tie, ridge)
    cross = A * bends.cross
    c = cross.sum(axis=1) - cross.sum(axis=0)
    response = solve(H, c.copy())
    curvature = (A * bends.curvature).sum(axis=(0, 1)) + (c * response).sum(axis=0)
    return (A * bends.slope).sum(axis=(0, 1)), curvature, response


def solve(H: Floats, g: Floats) -> Floats:
    """Return x of H x = g for every problem: H (n, n, P), g (n, P); both are overwritten.

    Plain elimination. It needs no pivoting, as every H here is dominated by its diagonal, and for
    many small systems it is ten times faster than one call of LAPACK for each.
    """
    n = len(g)
    for k in range(n - 1):
        factor = H[k + 1 :, k] / H[k, k]
        H[k + 1 :, k + 1 :] -= factor[:, None] * H[k, k + 1 :]
        g[k + 1 :] -= factor * g[k]
    for k in reversed(range(n)):
        g[k] -= (H[k, k + 1 :] * g[k + 1 :]).sum(axis=0)
        g[k] /= H[k, k]
    return g


def slopes(model: Shape, A: Floats, m: Floats, tie: Floats, ridge: float) -> Floats:
    """Return the gradient (n, P) of the penalised likelihood."""
    return _derivatives(model, A, m, tie, ridge)[0]


def _derivatives(
    model: Shape, A: Floats, m: Floats, tie: Floats, ridge: float
) -> tuple[Floats, Floats]:
    """Return gradient (n, P) and negative Hessian (n, n, P) of the penalised likelihood."""
    pull, h = model.pull(m[:, None] - m, tie)
    pull *= A
    h *= A
    beats_dummy = logistic(m - DUMMY)
    gradient = pull.sum(axis=1) - pull.sum(axis=0) + ridge * (1 - 2 * beats_dummy)
    H = -h - h.swapaxes(0, 1)
    diagonal = np.arange(len(m))
    H[diagonal, diagonal] += (
        h.sum(axis=1) + h.sum(axis=0) + 2 * ridge * beats_dummy * (1 - beats_dummy)
    )
    return gradient, H
