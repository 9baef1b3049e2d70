"""Merits without the first-order bias of maximum likelihood (Firth 1993), for all problems at once.

Bias Reduction of Maximum Likelihood Estimates, Biometrika 80: to the slope along each parameter the
bias of that slope is added, so that estimates are right on average up to terms of the second order.
A topic has few comparisons for each of its texts, so maximum likelihood moves merits apart by a
tenth to a half; the tie parameter, which all topics share, is too high with them.

A comparison depends on the merits by d = m_i - m_j alone. With u = d log p / dd and
j = -d^2 log p / dd^2 of its outcome, the additions are, of each comparison,
    to the slope along d: v (E u^3 - E u j) / 2,
    along the tie parameter x: v (E u^2 u_x - E u_x j) / 2,
v being the variance of d by the expected information. Without ties that is Jeffreys' prior. The
estimate is finite whatever was voted, so the ridge only fixes the level.
"""

from typing import NamedTuple

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.merits_newton import (
    DUMMY,
    MAX_ITERATIONS,
    SAFE_STEP,
    STEP_TOLERANCE,
    Solution,
    slopes,
)
from analysis.stats.bradley_terry.tie_models import TieModel, logistic

LEVEL_RIDGE = 1e-3


class Moments(NamedTuple):
    """Expected moments of a comparison, in the shape of d.

    information: E u^2; skew: E u^3 - E u j; tie_skew: E u^2 u_x - E u_x j.
    """

    information: Floats
    skew: Floats
    tie_skew: Floats


def solve_reduced(
    model: TieModel,
    A: Floats,
    pairs: Floats,
    tie: Floats,
    start: Floats | None = None,
    tolerance: float = STEP_TOLERANCE,
) -> Solution:
    """Return merits (n, P) given tie (P,), by Fisher scoring.

    A (n, n, P): wins and ties, as merits_newton.maximise takes them. pairs (n, n, P): comparisons
    between row and column, symmetric.
    """
    m = np.full(A.shape[1:], DUMMY) if start is None else start.copy()
    converged = np.zeros(A.shape[2], dtype=bool)
    iterations = 0
    while iterations < MAX_ITERATIONS and not converged.all():
        iterations += 1
        fitted = moments(model, m[:, None] - m, tie)
        inverse = _inverse(fitted.information * pairs, m)
        gradient = slopes(model, A, m, tie, LEVEL_RIDGE) + _tilt(fitted, pairs, inverse)
        # the addition bends by the leverage of a comparison, at most 1, and scoring ignores that
        leverage = np.where(pairs > 0, _variances(inverse) * fitted.information, 0.0)
        step = np.einsum("ijp,jp->ip", inverse, gradient) / (1 + leverage.max(axis=(0, 1)))
        b = step.max(axis=0).clip(min=0) - step.min(axis=0).clip(max=0)
        m += step * np.where(b <= SAFE_STEP, 1.0, np.log1p(b) / np.maximum(b, SAFE_STEP))
        converged = b < tolerance
    return Solution(m, converged, iterations)


def tilt(model: TieModel, pairs: Floats, m: Floats, tie: Floats) -> Floats:
    """Return what a comparison of each pair adds to the slope along m_i - m_j (n, n, P)."""
    found = moments(model, m[:, None] - m, tie)
    variances = _variances(_inverse(found.information * pairs, m))
    return np.asarray(variances * found.skew / 2)


def tie_tilt(model: TieModel, pairs: Floats, m: Floats, tie: Floats) -> Floats:
    """Return the addition to the slope along the tie parameter x of each problem (P,)."""
    found = moments(model, m[:, None] - m, tie)
    v = _variances(_inverse(found.information * pairs, m))
    return np.asarray((pairs * v * found.tie_skew).sum(axis=(0, 1)) / 4)


def moments(model: TieModel, d: Floats, tie: Floats) -> Moments:
    """Return the moments of a comparison of texts d (n, n, P) apart, given tie (P,)."""
    (win, win_bend), (loss, loss_bend) = model.pull(d, tie), model.pull(-d, tie)
    score = model.tie_score
    chance = [np.exp(model.log_win(x, tie)) for x in (d, -d)]
    if not score:  # a tie is no comparison
        chance = [c / (chance[0] + chance[1]) for c in chance]
    p = np.stack([*chance, np.maximum(1 - chance[0] - chance[1], 0.0)])
    u = np.stack([win, -loss, score * (win - loss)])
    j = np.stack([win_bend, loss_bend, score * (win_bend + loss_bend)])
    along = model.bends(d, tie).slope, model.bends(-d, tie).slope
    # ties of probability 0 have no finite slope of their own, and count nothing
    own = model.log_tie_slope(tie)
    u_x = np.stack([*along, own + score * (along[0] + along[1])])
    return Moments(
        (p * u**2).sum(axis=0),
        (p * u * (u**2 - j)).sum(axis=0),
        (p * u_x * (u**2 - j)).sum(axis=0),
    )


def _tilt(found: Moments, pairs: Floats, inverse: Floats) -> Floats:
    # skew is odd in d, so a sum over columns has both sides of each pair
    return np.asarray((pairs * _variances(inverse) * found.skew).sum(axis=1) / 2)


def _variances(inverse: Floats) -> Floats:
    """Return the variance of m_i - m_j (n, n, P)."""
    own = np.einsum("iip->ip", inverse)
    return np.asarray(own[:, None] + own - 2 * inverse)


def _inverse(information: Floats, m: Floats) -> Floats:
    """Return the inverse (n, n, P) of the information about the merits, with the ridge."""
    F = -information
    diagonal = np.arange(len(m))
    beats = logistic(m - DUMMY)
    F[diagonal, diagonal] = information.sum(axis=1) + 2 * LEVEL_RIDGE * beats * (1 - beats)
    return np.ascontiguousarray(np.linalg.inv(F.transpose(2, 0, 1)).transpose(1, 2, 0))
