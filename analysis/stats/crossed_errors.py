"""Errors of a number that depends on two samples at once: workers, and items or topics.

A number is computed again without each worker, without each unit, and without each cell (the votes
of one worker on one unit). The jackknife over workers covers differences between workers and the
noise of single votes; that over units differences between units and the same noise; that over cells
the noise alone, which is therefore subtracted once (Cameron, Gelbach and Miller 2011, Robust
Inference with Multiway Clustering). The three need no draws and no model. Where workers are few,
the t distribution has few degrees of freedom (Satterthwaite 1946).
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.design_checks import About
from analysis.stats.resampling import check_confidence


@dataclass(frozen=True, eq=False, kw_only=True)
class CrossedError:
    """Standard errors in the shape of the number: over both samples, and over each alone.

    degrees: of freedom of the t distribution that goes with error.
    """

    error: Floats
    degrees: Floats
    over_units: Floats
    over_workers: Floats

    def interval(self, value: Floats, confidence: float) -> tuple[Floats, Floats]:
        """Return low and high end around the value."""
        check_confidence(confidence)
        half = scipy.stats.t.ppf((1 + confidence) / 2, self.degrees) * self.error
        return value - half, value + half

    def p(self, value: Floats) -> Floats:
        """Return the two-sided p-value of the value being 0; 1 without an error."""
        t = np.divide(value, self.error, out=np.zeros_like(self.error), where=self.error > 0)
        return np.asarray(2 * scipy.stats.t.sf(np.abs(t), self.degrees))


def crossed_error(units: Floats, workers: Floats, cells: Floats) -> CrossedError:
    """Return errors from the changes without each unit (U, ...), worker (W, ...), cell (C, ...).

    The variance is never below that over either sample alone: each of the two has the noise of
    single votes once, so less could only come from chance.
    """
    over_units, over_workers = jackknife_variance(units), jackknife_variance(workers)
    both = over_units + over_workers - (cells**2).sum(axis=0)
    variance = np.maximum(both, np.maximum(over_units, over_workers))
    spread = over_units**2 / (len(units) - 1) + over_workers**2 / (len(workers) - 1)
    degrees = np.divide(variance**2, spread, out=np.ones_like(variance), where=spread > 0)
    return CrossedError(
        error=np.sqrt(variance),
        degrees=np.maximum(degrees, 1.0),
        over_units=np.sqrt(over_units),
        over_workers=np.sqrt(over_workers),
    )


def error_about(about: About, *, units: Floats, workers: Floats, cells: Floats) -> CrossedError:
    """Return the error for raters like these, or for these raters: over units alone."""
    if about is About.THESE:
        return error_over_units(units)
    return crossed_error(units, workers, cells)


def error_of_leaps(
    units: Floats, workers: Floats | None = None, cells: Floats | None = None
) -> tuple[float, float]:
    """Return standard error and degrees of freedom of a number that one vote moves by leaps.

    Such are majorities and ranks. Arguments: its changes without each unit (U,), worker (W,), cell
    (C,); degrees by Satterthwaite (1946). The jackknife over workers then counts the noise of
    single votes too high. That over units has this noise already, so it is always taken, and of
    workers only their addition: the leaning of each in all of their units. The noise over cells is
    measured as over workers: about its mean, as fewer votes alone move the number (a majority of
    fewer is less like others), and as often as a jackknife over W counts it.
    """
    over_units = float(jackknife_variance(units))
    variance, degrees = over_units, len(units) - 1.0
    if workers is not None and cells is not None:
        W = len(workers)
        noise = ((W - 1) / W) ** 2 * float(((cells - cells.mean()) ** 2).sum())
        added = max(float(jackknife_variance(workers)) - noise, 0.0)
        variance = over_units + added
        spread = over_units**2 / (len(units) - 1) + added**2 / (W - 1)
        degrees = variance**2 / spread if spread > 0 else degrees
    return variance**0.5, degrees


def error_over_units(units: Floats) -> CrossedError:
    """Return the error over units alone, workers taken as given."""
    error = np.sqrt(jackknife_variance(units))
    degrees = np.full_like(error, len(units) - 1)
    return CrossedError(
        error=error, degrees=degrees, over_units=error, over_workers=np.zeros_like(error)
    )


def jackknife_variance(changes: Floats) -> Floats:
    """Return the variance of a number from its changes (G, ...) without each of G clusters."""
    G = len(changes)
    return np.asarray((G - 1) / G * ((changes - changes.mean(axis=0)) ** 2).sum(axis=0))
