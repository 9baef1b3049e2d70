"""Mean values of groups of responses (systems, styles) over topics, and their differences.

Topics are drawn from a population, so the bootstrap draws topics, with all groups at once: the
difficulty of a topic affects all groups alike and is no noise between them.

A bootstrap of few topics is too narrow: taken as it is, of two equal groups one is found better in
half of all studies with two topics, and in one of ten with ten topics. Intervals and p-values are
therefore those of expanded percentiles (resampling.py), which are about those of t.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.bradley_terry.letter_display import compact_letters
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import Bootstrap, expanded_tail, portions

NO_DIFFERENCE = 1e-9  # of the largest mean: what the rounding of sums leaves


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupMeans:
    """Means of G groups, best first.

    mean (G,): over the topics that have the group (topics (G,)), each the mean of its responses
    (responses (G,)); low, high (G,): expanded percentiles over draws of topics, NaN with one topic.
    ahead (G, G): the share of draws in which the row is ahead of the column, half of those in which
    they are equal. p (G, G): two-sided, adjusted over the compared pairs of groups by Benjamini and
    Hochberg, the diagonal 1. A pair is compared where both have two topics or more and some draw
    has both; else ahead and p are NaN. Two groups share a letter if they were compared and do not
    differ.
    """

    groups: Sequence[Hashable]
    mean: Floats
    low: Floats
    high: Floats
    letters: Sequence[str]
    responses: Ints
    topics: Ints
    ahead: Floats
    p: Floats
    alpha: float
    draws: int
    confidence: float
    seed: int

    def frame(self) -> pd.DataFrame:
        """Return one row a group: group, mean, low, high, letters, responses, topics."""
        names = ("mean", "low", "high", "letters", "responses", "topics")
        return pd.DataFrame({"group": list(self.groups)} | {n: getattr(self, n) for n in names})


def group_means(
    frame: pd.DataFrame,
    *,
    alpha: float = 0.05,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> GroupMeans:
    """Compare the groups of a long frame with the columns topic, group, value (finite numbers).

    p = 2 (1 + draws behind) / (1 + draws), at most 1 (Davison and Hinkley 1997, 4.2.3), a draw of
    equals half behind; then expanded, by the topics of the group that has fewer. Raises
    CannotCompute (too_few_topics), BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, least=1)
    if not 0 < alpha < 1:
        raise BadSetting("alpha", alpha, "between 0 and 1")
    by_topic = frame.pivot_table(index="topic", columns="group", values="value", sort=True)
    if len(by_topic) < 2:
        topics = len(by_topic)
        raise CannotCompute(
            "too_few_topics",
            f"Group means cannot be compared: this needs values on two topics (you have {topics}).",
        )
    by_topic = by_topic[by_topic.mean().sort_values(ascending=False, kind="stable").index]
    values = by_topic.to_numpy(dtype=np.float64)
    drawn = _drawn_means(values, bootstrap)
    ahead = _ahead(drawn)
    topics = (~np.isnan(values)).sum(axis=0)
    p = np.minimum((np.minimum(ahead, ahead.T) * draws + 1) * 2 / (draws + 1), 1.0)
    fewer = np.minimum(topics[:, None], topics)
    ahead = np.where((fewer >= 2) | np.eye(len(topics), dtype=bool), ahead, np.nan)
    p = _adjusted(np.where(np.isnan(ahead), np.nan, expanded_p(p, fewer)))
    low, high = _ends(drawn, topics, confidence)
    sizes = frame.groupby("group").size()
    return GroupMeans(
        groups=tuple(by_topic.columns),
        mean=np.nanmean(values, axis=0),
        low=low,
        high=high,
        letters=_letters(p, alpha),
        responses=np.asarray(sizes.loc[by_topic.columns], dtype=np.int64),
        topics=topics,
        ahead=ahead,
        p=p,
        alpha=alpha,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def expanded_p(p: Floats, topics: Ints) -> Floats:
    """Return the p-value of T topics whose bootstrap gives p: that of t where p is that of z."""
    T = np.maximum(topics, 2)
    t = scipy.stats.norm.ppf(p / 2) * np.sqrt((T - 1) / T)
    return np.where(topics < 2, 1.0, np.minimum(2 * scipy.stats.t.cdf(t, T - 1), 1.0))


def _ends(drawn: Floats, topics: Ints, confidence: float) -> tuple[Floats, Floats]:
    """Return low and high end (G,) of the draws (D, G): percentiles that normal draws had at t."""
    tail = expanded_tail(np.maximum(topics, 2), confidence)
    ends = [
        np.nanquantile(column, [share, 1 - share]) if n > 1 else np.full(2, np.nan)
        for column, share, n in zip(drawn.T, tail.tolist(), topics.tolist(), strict=True)
    ]
    low, high = np.array(ends).T
    return low, high


def _drawn_means(values: Floats, bootstrap: Bootstrap) -> Floats:
    """Return the mean of each group in each draw of T topics: (D, G), NaN without the group."""
    T = len(values)
    present, filled = ~np.isnan(values), np.nan_to_num(values)
    rng = bootstrap.generator()
    means = []
    for count in portions(bootstrap.draws, T):
        weights = rng.multinomial(T, np.full(T, 1 / T), size=count).astype(np.float64)
        n = weights @ present
        sums = weights @ filled
        means.append(np.divide(sums, n, out=np.full_like(sums, np.nan), where=n > 0))
    return np.concatenate(means)


def _ahead(drawn: Floats) -> Floats:
    """Return the share of draws in which the row's group is ahead of the column's: (G, G).

    Means that differ by no more than the rounding of sums are equal.
    """
    G = drawn.shape[1]
    slack = NO_DIFFERENCE * max(1.0, float(np.nanmax(np.abs(drawn), initial=0.0)))
    ahead = np.full((G, G), 0.5)
    for i in range(G):
        both = ~np.isnan(drawn[:, i, None]) & ~np.isnan(drawn)
        apart = drawn[:, i, None] - drawn
        more = (apart > slack).sum(axis=0, where=both)
        less = (apart < -slack).sum(axis=0, where=both)
        n = both.sum(axis=0)
        ahead[i] = np.divide(more + (n - more - less) / 2, n, out=np.full(G, np.nan), where=n > 0)
    return ahead


def _adjusted(p: Floats) -> Floats:
    G = len(p)
    i, j = np.triu_indices(G, 1)
    adjusted = np.ones((G, G))
    defined = ~np.isnan(p[i, j])
    q = np.full(len(i), np.nan)
    if defined.any():
        q[defined] = scipy.stats.false_discovery_control(p[i, j][defined])
    adjusted[i, j] = adjusted[j, i] = q
    return adjusted


def _letters(p: Floats, alpha: float) -> list[str]:
    """Return the letters of each group; a pair that was not compared shares none."""
    pairs = ~np.eye(len(p), dtype=bool)
    compared = np.asarray((~np.isnan(p) & pairs).any(axis=1))
    apart: Flags = ~(p > alpha) & pairs  # NaN is no comparison
    letters = iter(compact_letters(apart[np.ix_(compared, compared)]))
    return [next(letters) if is_compared else "" for is_compared in compared.tolist()]
