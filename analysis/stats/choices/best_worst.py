"""Best-worst counts of units, relative to how often each was shown.

Louviere, Flynn and Marley, Best-Worst Scaling (2015); Popp et al. count #best - #worst. Divided by
the times that the unit could be chosen it is between -1 and 1, whatever the design, and 0 is the
value of random answers.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.choices.choices import NOBODY, Choices
from analysis.stats.resampling import Bootstrap, portions


@dataclass(frozen=True, eq=False, kw_only=True)
class BestWorstResult:
    """U units: value (U,) = best / shown - worst / shown, over the answers that were asked for it.

    low, high (U,): percentiles over draws of answers; NaN where all draws are alike, since an
    interval of no width would claim certainty. best, worst, shown (U,): numbers of answers.
    """

    units: Sequence[Hashable]
    value: Floats
    low: Floats
    high: Floats
    best: Ints
    worst: Ints
    shown: Ints
    draws: int
    confidence: float
    seed: int

    def frame(self) -> pd.DataFrame:
        """Return one row a unit: unit, value, low, high, best, worst, shown."""
        names = ("value", "low", "high", "best", "worst", "shown")
        return pd.DataFrame({"unit": list(self.units)} | {n: getattr(self, n) for n in names})


def best_worst(
    choices: Choices, *, draws: int = 1000, confidence: float = 0.95, seed: int = 0
) -> BestWorstResult:
    """Count best and worst answers, and bootstrap over answers. Raises BadSetting."""
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, least=1)
    A, U = choices.shown.shape
    once = np.ones((1, A))
    drawn = []
    rng = bootstrap.generator()
    for count in portions(draws, A + U):
        drawn.append(_values(choices, rng.multinomial(A, np.full(A, 1 / A), size=count)))
    values = np.concatenate(drawn)
    low, high = _ends(values, confidence)
    return BestWorstResult(
        units=choices.units,
        value=_values(choices, once)[0],
        low=low,
        high=high,
        best=_times(choices.best, U),
        worst=_times(choices.worst, U),
        shown=choices.shown.sum(axis=0),
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def _values(choices: Choices, weights: "Floats | Ints") -> Floats:
    """Return the value of each unit (D, U) under answer weights (D, A).

    One division of whole numbers, so that values equal by their counts are equal, and ranks tie.
    """
    best, of_best = _named(choices, choices.best, weights)
    worst, of_worst = _named(choices, choices.worst, weights)
    above, shown = best * of_worst - worst * of_best, of_best * of_worst
    return np.asarray(np.divide(above, shown, out=np.full_like(above, np.nan), where=shown > 0))


def _named(choices: Choices, chosen: Ints, weights: "Floats | Ints") -> tuple[Floats, Floats]:
    """Return counts (D, U) of answers that chose each unit, and that could have.

    Only answers that choose some unit count; without any such answer zeros and ones.
    """
    named = chosen != NOBODY
    if not named.any():
        size = (len(weights), len(choices.units))
        return np.zeros(size), np.ones(size)
    weight = weights[:, named].astype(np.float64)
    is_chosen = (chosen[named, None] == np.arange(len(choices.units))).astype(np.float64)
    return weight @ is_chosen, weight @ choices.shown[named].astype(np.float64)


def _times(chosen: Ints, units: int) -> Ints:
    return np.bincount(chosen[chosen != NOBODY], minlength=units)


def _ends(values: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Return percentiles (U,) of the draws (D, U) that have a value."""
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    ends = np.full((2, values.shape[1]), np.nan)
    for unit, column in enumerate(values.T):
        defined = column[~np.isnan(column)]
        if len(defined) and np.ptp(defined) > 1e-9:
            ends[:, unit] = np.quantile(defined, tails)
    return ends[0], ends[1]
