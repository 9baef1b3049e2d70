"""Newton's method for Bradley-Terry with ties, for all problems at once; merits.py has the model.

With sigma the logistic function and d = m_i - m_j, the model of Rao and Kupper is
    log P(i beats j) = log sigma(d - t)
    log P(tie)       = log sigma(d - t) + log sigma(-d - t) + log(exp(2t) - 1),
so a tie counts as a win for both sides, and one matrix A of wins and ties is all there is to know.
The ridge plays every response ridge times to a win and to a loss against a dummy, without ties.

All arrays have the problems along the last axis: A (n, n, P), merits (n, P). A problem is small and
there are many, so each step of the arithmetic is one long vector operation over the problems.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import log_expit

from analysis.stats.arrays import Flags, Floats

DUMMY = 1.0  # the merit of the dummy
SAFE_STEP = 1.5
STEP_TOLERANCE = 1e-8  # Newton's error is about the square of its last step
MAX_ITERATIONS = 100


@dataclass(frozen=True, eq=False)
class Solution:
    """merits (n, P), converged (P,) and the Newton steps taken."""

    merits: Floats
    converged: Flags
    iterations: int


def maximise(
    A: Floats,
    t: Floats,
    ridge: float,
    start: Floats | None = None,
    tolerance: float = STEP_TOLERANCE,
) -> Solution:
    """The merits that maximise the penalised likelihood, given t (P,) and ridge > 0.

    A (n, n, P): wins and ties of row over column, zero for padding: a response without comparisons
    only meets the dummy, and stays at its merit.

    The objective is strictly concave, so there is one maximum. Its third derivative is bounded by
    its second (self-concordance of the logistic loss, Bach 2010), so a Newton step that moves two
    merits apart by b cannot overstep if b <= 1.5, nor if shortened by log(1 + b) / b. The objective
    itself need not be looked at.
    """
    m = np.full(A.shape[1:], DUMMY) if start is None else start.copy()
    converged = np.zeros(A.shape[2], dtype=bool)
    iterations = 0
    while iterations < MAX_ITERATIONS and not converged.all():
        iterations += 1
        gradient, H = _derivatives(A, m, t, ridge)
        step = solve(H, gradient)
        # the dummy does not move, hence the zero among the ends
        b = step.max(axis=0).clip(min=0) - step.min(axis=0).clip(max=0)
        m += step * np.where(b <= SAFE_STEP, 1.0, np.log1p(b) / np.maximum(b, SAFE_STEP))
        converged = b < tolerance
    return Solution(m, converged, iterations)


def log_likelihood(A: Floats, ties: Floats, m: Floats, t: Floats) -> Floats:
    """Of the comparisons of each problem, ties (P,) among them, without the ridge: (P,)."""
    wins = (A * log_expit(m[:, None] - m - t)).sum(axis=(0, 1))
    # exp(2t) - 1 is 0 without ties at t = 0, and then has no part in the sum
    return np.asarray(wins + ties * np.log(np.expm1(2 * np.where(ties > 0, t, 1.0))))


def tie_slope(A: Floats, m: Floats, t: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Slope and curvature (P,) in t of the likelihood along the best merits m for each t.

    Without the term of log(exp(2t) - 1), which belongs to the ties. The curvature is smaller than
    at fixed merits by what they take back by following: c' H^-1 c.
    """
    lost, h = _lost(A, m, t)
    _, H = _derivatives(A, m, t, ridge)
    c = h.sum(axis=1) - h.sum(axis=0)
    followed = (c * solve(H, c.copy())).sum(axis=0)
    return -lost.sum(axis=(0, 1)), followed - h.sum(axis=(0, 1))


def solve(H: Floats, g: Floats) -> Floats:
    """x of H x = g for every problem: H (n, n, P), g (n, P); both are overwritten.

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


def _derivatives(A: Floats, m: Floats, t: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Gradient (n, P) and negative Hessian (n, n, P) of the penalised likelihood."""
    lost, h = _lost(A, m, t)
    beats_dummy = _logistic(m - DUMMY)
    gradient = lost.sum(axis=1) - lost.sum(axis=0) + ridge * (1 - 2 * beats_dummy)
    H = -h - h.swapaxes(0, 1)
    own = np.arange(len(m))
    H[own, own] += h.sum(axis=1) + h.sum(axis=0) + 2 * ridge * beats_dummy * (1 - beats_dummy)
    return gradient, H


def _lost(A: Floats, m: Floats, t: Floats) -> tuple[Floats, Floats]:
    """A times the probability not to win, and that times the probability to win: (n, n, P)."""
    win = _logistic(m[:, None] - m - t)
    lost = A * (1 - win)
    return lost, lost * win


def _logistic(x: Floats) -> Floats:
    """By the hyperbolic tangent, which is vectorised and does not overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(x / 2))
