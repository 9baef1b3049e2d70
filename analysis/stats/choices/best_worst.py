"""Best-worst counts of units, relative to how often each was shown.

Louviere, Flynn and Marley, Best-Worst Scaling (2015); Popp et al. count #best - #worst. Divided by
the times that the unit could be chosen it is between -1 and 1, whatever the design, and 0 is the
value of random answers.

The interval is a jackknife over raters (rater_jackknife.py) with Student's t. It is that of half
an answer more, which names the unit neither the best nor the worst but varies as if it did: few
answers, alike by chance, else claim certainty.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.choices.choices import NOBODY, Choices
from analysis.stats.choices.rater_jackknife import RaterLoads, half_width, rater_loads
from analysis.stats.resampling import check_confidence

ADDED = 0.5  # answers


@dataclass(frozen=True, eq=False, kw_only=True)
class BestWorstResult:
    """U units: value (U,) = best / shown - worst / shown, over the answers that were asked for it.

    low, high (U,): interval over raters; NaN below five raters. best, worst, shown (U,): numbers of
    answers. raters (U,): of these answers.
    """

    units: Sequence[Hashable]
    value: Floats
    low: Floats
    high: Floats
    best: Ints
    worst: Ints
    shown: Ints
    raters: Ints
    confidence: float

    def frame(self) -> pd.DataFrame:
        """Return one row a unit: unit, value, low, high, best, worst, shown."""
        names = ("value", "low", "high", "best", "worst", "shown")
        return pd.DataFrame({"unit": list(self.units)} | {n: getattr(self, n) for n in names})


def best_worst(choices: Choices, *, confidence: float = 0.95) -> BestWorstResult:
    """Count best and worst answers, with intervals over raters. Raises BadSetting."""
    check_confidence(confidence)
    U, loads = len(choices.units), rater_loads(choices)
    value = _values(choices, np.ones((1, len(choices))))[0]
    shown = choices.shown.sum(axis=0)
    low, high = _ends(value, _values(choices, loads.without), shown, loads, confidence)
    return BestWorstResult(
        units=choices.units,
        value=value,
        low=low,
        high=high,
        best=_times(choices.best, U),
        worst=_times(choices.worst, U),
        shown=shown,
        raters=loads.raters,
        confidence=confidence,
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


def _ends(
    value: Floats, without: Floats, shown: Ints, loads: RaterLoads, confidence: float
) -> tuple[Floats, Floats]:
    """Return the ends (U,) from the values and those without each rater (G, U)."""
    change = np.nan_to_num(without - value)  # a unit that nobody else judged has no value left
    many = loads.raters
    squares = (change**2).sum(axis=0) - change.sum(axis=0) ** 2 / many
    share = shown / (shown + ADDED)
    variance = (many - 1) / many * squares * share**2 + ADDED / (shown + ADDED) ** 2
    half = half_width(variance, loads, confidence)
    centre = value * share
    return np.maximum(centre - half, -1.0), np.minimum(centre + half, 1.0)
