"""Adjusted p-values of a family of comparisons: the family-wise error is controlled.

Single-step max-t (Hothorn, Bretz and Westfall 2008): with Z normal of the correlation of the
comparisons, the adjusted p of one whose own p is p_k is P(max_l |Z_l| >= z_k), where z_k is the
normal quantile of p_k. Own p-values are those of Student's t with the degrees of freedom of each
comparison, so small samples count; dependence is that of the estimates. It is never below p_k, nor
above Bonferroni's. Without a covariance: Holm (1979).

The set of the best holds all that no other beats in the family of all pairs (multiple comparisons
with the best from all pairwise comparisons: Hsu 1996, ch. 4 and 5): with probability 1 - alpha it
holds each of the best, however many are equal.
"""

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats
from analysis.stats.resampling import portions

DRAWS = 20_000  # an adjusted p of .05 has a standard error of .0015
SEED = 0
NOTHING = 1e-9  # of the largest singular value


def max_t(p: Floats, loadings: Floats, *, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """Return adjusted p (Q,) from two-sided p (Q,), NaN where a comparison was not made.

    loadings (Q, K): the comparisons as sums of K independent influences of like size, so that
    loadings @ loadings.T is their covariance up to rows' scales. A row of zeros is independent of
    the others.
    """
    adjusted = np.full(len(p), np.nan)
    made = ~np.isnan(p)
    Q = int(made.sum())
    if not Q:
        return adjusted
    own = np.clip(p[made], np.finfo(float).tiny, 1.0)
    highest = _sorted_highest(loadings[made], draws, seed)
    z = scipy.stats.norm.isf(own / 2)
    beyond = draws - np.searchsorted(highest, z, side="left")
    adjusted[made] = np.clip((beyond + 1) / (draws + 1), own, np.minimum(Q * own, 1.0))
    return adjusted


def critical_p(loadings: Floats, alpha: float, *, draws: int = DRAWS, seed: int = SEED) -> float:
    """Return the two-sided p of one comparison that max_t adjusts to alpha."""
    highest = _sorted_highest(loadings, draws, seed)
    return float(2 * scipy.stats.norm.sf(np.quantile(highest, 1 - alpha)))


def _sorted_highest(loadings: Floats, draws: int, seed: int) -> Floats:
    """Return the highest |Z| of each draw in a family of these comparisons (Q, K), in order."""
    size = np.sqrt((loadings**2).sum(axis=1))
    unit = np.divide(loadings, size[:, None], out=np.zeros_like(loadings), where=size[:, None] > 0)
    return np.sort(_highest(_reduced(unit), size == 0, draws, np.random.default_rng(seed)))


def _reduced(unit: Floats) -> Floats:
    """Return loadings with the same products on fewer influences: pairs of G systems need G - 1."""
    left, size, _ = scipy.linalg.svd(unit, full_matrices=False)
    needed = size > NOTHING * max(1.0, float(size.max(initial=0.0)))
    return np.asarray(left[:, needed] * size[needed])


def _highest(unit: Floats, alone: Flags, draws: int, rng: np.random.Generator) -> Floats:
    """Return the highest |Z| of each draw; `alone` marks comparisons independent of the others."""
    Q, K = unit.shape
    highest = []
    for count in portions(draws, Q + K):
        Z = rng.standard_normal((count, K)) @ unit.T
        if alone.any():
            Z[:, alone] = rng.standard_normal((count, int(alone.sum())))
        highest.append(np.abs(Z).max(axis=1))
    return np.concatenate(highest)


def holm(p: Floats) -> Floats:
    """Return Holm's adjusted p (Q,), NaN where a comparison was not made."""
    adjusted = np.full(len(p), np.nan)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
