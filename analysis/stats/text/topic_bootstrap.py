"""Means, ratios and medians of groups, with bootstrap intervals over topics.

Responses to one topic draw from the same passages and are alike; the topics are therefore
resampled, each with all its responses (Davison and Hinkley, Bootstrap Methods, 1997, sec. 3.8), by
expanded percentiles (resampling.py) from ten topics on. Plain percentiles of means, ratios and
medians covered 72 to 76 % at three topics and 84 to 92 at ten; these 90 to 96 at ten.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import IN_CACHE, Bootstrap, expanded_tail, percentile_interval

__all__ = ["Bootstrap", "Statistic", "summarise"]

Statistic = Literal["mean", "median"]


def summarise(
    frame: pd.DataFrame,
    value: str,
    by: Sequence[str],
    *,
    bootstrap: Bootstrap,
    statistic: Statistic = "mean",
    weight: str | None = None,
) -> pd.DataFrame:
    """Return one row a group: the columns of by, value, low, high, sd, n, topics.

    frame has the columns of by, topic and value; rows without a value do not count. With weight
    the mean is that of value / weight pooled, sum(value) / sum(weight), and sd is left out (NaN).
    low and high are NaN without draws, below ten topics, and where all values are alike: an
    interval of no width would claim certainty.
    """
    if statistic not in get_args(Statistic):
        raise BadSetting("statistic", statistic, "mean or median")
    rows = []
    for key, part in _groups(frame[frame[value].notna()], by):
        x = part[value].to_numpy(dtype=np.float64)
        m = np.ones(len(x)) if weight is None else part[weight].to_numpy(dtype=np.float64)
        topic, topics = pd.factorize(part["topic"], sort=True)
        estimate = np.median(x) if statistic == "median" else _ratio(x.sum(), m.sum())
        low, high = _interval(x, m, topic, len(topics), statistic, bootstrap)
        sd = np.std(x, ddof=1) if weight is None and len(x) > 1 else np.nan
        rows.append((*key, float(estimate), low, high, float(sd), len(x), len(topics)))
    names = [*by, "value", "low", "high", "sd", "n", "topics"]
    return pd.DataFrame(rows, columns=names)


def _groups(
    frame: pd.DataFrame, by: Sequence[str]
) -> Iterator[tuple[tuple[Hashable, ...], pd.DataFrame]]:
    """Yield the groups and their keys; everything, with an empty key, if by is empty."""
    if not by:
        yield (), frame
        return
    for key, part in frame.groupby(list(by), sort=True):
        yield (tuple(key) if isinstance(key, tuple) else (key,)), part


def _interval(
    x: Floats, m: Floats, topic: Ints, topics: int, statistic: Statistic, bootstrap: Bootstrap
) -> tuple[float, float]:
    """Return the expanded percentile interval of a statistic of x (n,) in topics (n,)."""
    alike = len(x) > 0 and bool(np.isclose(x * m[0], x[0] * m, rtol=1e-9, atol=0).all())
    if topics < LEAST_UNITS or not bootstrap.draws or alike:
        return float("nan"), float("nan")
    weights = _drawn(topics, bootstrap)
    if statistic == "mean":
        values = _ratio(weights @ total(topic, x, topics), weights @ total(topic, m, topics))
    else:
        values = _medians(x, topic, weights)
    tail = float(expanded_tail(topics, bootstrap.confidence))
    low, high, _ = percentile_interval(values, 1 - 2 * tail)
    return low, high


@lru_cache(maxsize=8)  # groups have a few numbers of topics
def _drawn(topics: int, bootstrap: Bootstrap) -> Floats:
    """Return how often each topic is drawn (D, T), alike for all groups of as many topics.

    Each group starts from the same seed, so that its interval does not depend on the others.
    """
    drawn = bootstrap.generator().multinomial(
        topics, np.full(topics, 1 / topics), size=bootstrap.draws
    )
    weights = drawn.astype(np.float64)
    weights.flags.writeable = False
    return weights


def _ratio(numerator: Floats | float, denominator: Floats | float) -> Floats:
    above, below = np.asarray(numerator, dtype=np.float64), np.asarray(denominator)
    ratio = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return np.asarray(ratio, dtype=np.float64)


def _medians(x: Floats, topic: Ints, weights: Floats) -> Floats:
    """Return the median of x (n,) in each of the D draws of weighted topics (D, T)."""
    order = np.argsort(x, kind="stable")
    ordered, owner = x[order], topic[order]
    portion = max(1, IN_CACHE // max(len(x), 1))
    medians = []
    for start in range(0, len(weights), portion):
        reached = np.cumsum(weights[start : start + portion, owner], axis=1)
        half = reached[:, -1:] / 2
        # The middle value, or the mean of the two next to the middle, as numpy's median.
        lower = (reached >= half).argmax(axis=1)
        upper = np.minimum((reached > half).argmax(axis=1), len(x) - 1)
        medians.append((ordered[lower] + ordered[upper]) / 2)
    return np.concatenate(medians)
