"""Permutation null of a judge: its labels shuffled over the items, which keeps its habits.

The labels are shuffled within the judge as they were given on the screen: left stays left. A judge
that always says left therefore keeps all of its agreement under the null, and a judge that knows
something loses its agreement.
"""

from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.judges.tables import Statistic
from analysis.stats.resampling import portions

DRAWS = 999  # p is at least .001, so that Holm's of 15 claims may be below .05


@dataclass(frozen=True, kw_only=True)
class Null:
    """Null distribution of one statistic.

    mean: over the draws; low, high: their middle part; p: the share of draws as high as the
    observed value (one-sided, with itself counted).
    """

    mean: float
    low: float
    high: float
    p: float
    draws: int


def habits_alone(
    *,
    label: Ints,
    left_is_second: Ints,
    gold: Floats,
    weight: Floats,
    ends: tuple[int, int] | None,
    statistics: dict[str, Statistic],
    reached: dict[str, float],
    confidence: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Null]:
    """Return the null of each statistic of a judge.

    Parameters
    ----------
    label : (n,), the option that the judge gave.
    left_is_second : (n,), 1 where the text that the last option names was on the left, 0 where it
        was on the right, -1 where that is unknown.
    gold : (n, V), people's shares on the same units.
    weight : (n,), of each label, so that a unit counts once, as in `reached`.
    ends : the options that name the two texts.
    """
    rng = np.random.default_rng(seed)
    n, V = gold.shape
    turned = _mirrored(V, ends)
    flips = left_is_second == 1
    shown_label = np.where(
        flips, turned[label], label
    )  # as if the first text always stood on the left
    tables = []
    for count in portions(draws, n):
        dealt = rng.permuted(np.tile(shown_label, (count, 1)), axis=1)
        dealt = np.where(flips, turned[dealt], dealt)
        sums = [(dealt == v).astype(np.float64) @ (gold * weight[:, None]) for v in range(V)]
        tables.append(np.stack(sums, axis=1))
    T = np.concatenate(tables)
    tail = (1 - confidence) / 2
    nulls = {}
    for name, statistic in statistics.items():
        values = statistic(T)
        defined = values[~np.isnan(values)]
        if not len(defined) or np.isnan(reached[name]):
            continue
        low, high = np.quantile(defined, [tail, 1 - tail])
        as_high = int((defined >= reached[name] - 1e-12).sum())
        nulls[name] = Null(
            mean=float(defined.mean()), low=float(low), high=float(high),
            p=(1 + as_high) / (1 + len(defined)), draws=len(defined),
        )  # fmt: skip
    return nulls


def _mirrored(V: int, ends: tuple[int, int] | None) -> Ints:
    turned = np.arange(V)
    if ends is not None:
        turned[ends[0]], turned[ends[1]] = ends[1], ends[0]
    return turned
