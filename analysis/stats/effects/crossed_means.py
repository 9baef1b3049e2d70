"""Means of groups (systems, styles) over topics, with errors over topics and workers at once.

group_means.py draws topics alone, and ranks groups that are not in the same topics. Workers lean
to one system or another, so other workers would give other means: the error is that of
crossed_errors.py. Two groups are compared in the topics that they share, on one scale (merits, win
probabilities, scores), so that nothing depends on the other groups of a topic. worker_changes.py
makes the frames.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.bradley_terry.letter_display import compact_letters
from analysis.stats.crossed_errors import CrossedError, crossed_error, error_over_units
from analysis.stats.design_checks import (
    LEAST_UNITS,
    NO_SHARED_TOPIC,
    About,
    about_raters,
    few_clusters,
    few_topics_of_group,
)
from analysis.stats.effects.families import max_t
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import check_confidence
from analysis.stats.sequential import ahead_of_p, anytime_p, look_confidence

OVER_BOTH, OVER_TOPICS = "topics and workers", "topics"
NUMBERS = ("mean", "error", "degrees", "topics", "workers", "over", "about", "p", "why")
DIGITS = 9  # what is nearer stands equal

NOTHING_VARIES = "No interval for means: all values are equal."


@dataclass(frozen=True, eq=False, kw_only=True)
class CrossedMeans:
    """means: one row a group: group, mean, low, high, error, topics, workers, over, why, letters.

    The best comes first, by the topics that groups share: where all are in the same topics, by
    their means. differences: one row a pair of groups, in that order: first, second, difference
    (first minus second, in the topics that both are in), low, high, error, ahead (how surely it is
    above 0), topics, workers, over, about, p, q (p adjusted over the compared pairs by Benjamini
    and Hochberg), why. `over` says what intervals are over, `about` the raters that they are about
    (design_checks.About). Where none is offered low, high, error, ahead, p and q are NaN and why
    says why: such a pair was not compared. Two groups share a letter if they were compared and do
    not differ; a group that was compared with none has no letter.
    """

    means: pd.DataFrame
    differences: pd.DataFrame
    alpha: float
    confidence: float


def crossed_means(
    values: pd.DataFrame,
    changes: pd.DataFrame | None,
    *,
    alpha: float = 0.05,
    confidence: float = 0.95,
    sequential: bool = False,
) -> CrossedMeans:
    """Compare groups from their value in each topic, and its change without each worker.

    values: columns topic, group, value; several rows of a group in a topic are averaged. changes:
    columns worker, topic, group, change, of those averages; one row for each worker who voted
    there. None: workers are taken as given, and intervals are over topics alone. sequential: the
    study still grows, and intervals, p and all that follows from it hold at every look.
    """
    check_confidence(confidence)
    if not 0 < alpha < 1:
        raise BadSetting("alpha", alpha, "between 0 and 1")
    table = values.pivot_table(index="topic", columns="group", values="value", sort=True)
    table = table[table.mean().sort_values(ascending=False, kind="stable").index]
    table = table.iloc[:, np.argsort(-_standing(table.to_numpy(np.float64)), kind="stable")]
    crossing, names = _Crossing.of_frames(table, changes), list(table.columns)
    rows = [{"group": name} | crossing.of(g) for g, name in enumerate(names)]
    pairs = [
        {"first": names[i], "second": names[j]} | crossing.of(i, j)
        for i, j in combinations(range(len(names)), 2)
    ]
    level = look_confidence(confidence) if sequential else confidence
    means = _with_ends(pd.DataFrame(rows, columns=["group", *NUMBERS]), level)
    compared_pairs = _with_ends(pd.DataFrame(pairs, columns=["first", "second", *NUMBERS]), level)
    if sequential:
        compared_pairs["p"] = anytime_p(compared_pairs["p"].to_numpy())
    p = compared_pairs["p"].to_numpy()
    differences = compared_pairs.rename(columns={"mean": "difference"}).assign(
        ahead=ahead_of_p(compared_pairs["mean"].to_numpy(), p),
        q=adjusted_q(p),
        p_adjusted=max_t(
            p,
            np.array([crossing.influences(i, j) for i, j in combinations(range(len(names)), 2)]),
        ),
    )
    means["letters"] = letters_of(differences, names, alpha)
    return CrossedMeans(
        means=means.drop(columns="p"), differences=differences, alpha=alpha, confidence=confidence
    )


def _standing(value: Floats) -> Floats:
    """Return the level of each group (G,), by least squares of group and topic on values (T, G).

    Means compare groups that are in the same topics; this, all that are joined by shared topics.
    """
    present = (~np.isnan(value)).astype(np.float64)
    groups, filled = present.sum(axis=1), np.nan_to_num(value)
    joined = np.diag(present.sum(axis=0)) - (present / groups[:, None]).T @ present
    apart = (filled - present * (filled.sum(axis=1) / groups)[:, None]).sum(axis=0)
    return np.asarray(np.linalg.lstsq(joined, apart)[0].round(DIGITS))


@dataclass(frozen=True, eq=False)
class _Changes:
    """C changes of one group, or of a difference: worker, topic and change (C,)."""

    worker: Ints
    topic: Ints
    change: Floats


@dataclass(frozen=True, eq=False)
class _Crossing:
    """Values (T, G), NaN where a group is not in a topic; changes of each group, or None."""

    value: Floats
    changes: Sequence[_Changes] | None

    @classmethod
    def of_frames(cls, table: pd.DataFrame, changes: pd.DataFrame | None) -> "_Crossing":
        value = table.to_numpy(dtype=np.float64)
        if changes is None:
            return cls(value, None)
        topic = table.index.get_indexer(pd.Index(changes["topic"]))
        group = table.columns.get_indexer(pd.Index(changes["group"]))
        if len(changes) and min(topic.min(), group.min()) < 0:
            raise BadSetting(
                "changes", "a frame with topics or groups without a value", "of values"
            )
        worker = pd.factorize(changes["worker"])[0]
        change = changes["change"].to_numpy(dtype=np.float64)
        rows = np.argsort(group, kind="stable")
        of_group = np.split(rows, np.searchsorted(group[rows], np.arange(1, len(table.columns))))
        return cls(value, [_Changes(worker[k], topic[k], change[k]) for k in of_group])

    def of(self, group: int, other: int | None = None) -> dict[str, object]:
        """Return the mean of a group, or its lead over another in the topics with both."""
        sign = {group: 1.0} if other is None else {group: 1.0, other: -1.0}
        present = np.asarray(~np.isnan(self.value[:, list(sign)]).any(axis=1))
        value = self.value[present][:, list(sign)] @ np.array(list(sign.values()))
        changes = self._moved(sign, present)
        W = None if changes is None else len(np.unique(changes.worker))
        about = about_raters(W)
        if about is About.THESE:
            changes = None
        nan, T = float("nan"), len(value)
        row: dict[str, object] = {
            "mean": float(value.mean()) if T else nan,
            "topics": T,
            "workers": W,
            "over": OVER_TOPICS if changes is None else OVER_BOTH,
            "about": about,
        }
        if why := _why(value, changes, topics=len(self.value)):
            return row | {"error": nan, "degrees": 1.0, "p": nan, "why": why}
        errors = _error(value, changes)
        p = errors.p(np.asarray(value.mean()))
        return row | {
            "error": float(errors.error), "degrees": float(errors.degrees), "p": float(p),
            "why": "",
        }  # fmt: skip

    def influences(self, group: int, other: int) -> Floats:
        """Return the changes of a difference without each topic, then each worker, as loadings."""
        present = np.asarray(~np.isnan(self.value[:, [group, other]]).any(axis=1))
        T, units = int(present.sum()), np.zeros(len(self.value))
        if T > 1:
            apart = self.value[present, group] - self.value[present, other]
            units[present] = (apart - apart.mean()) / np.sqrt(T * (T - 1))
        changes = self._moved({group: 1.0, other: -1.0}, present)
        if changes is None:
            return units
        workers, sums = np.unique(changes.worker), np.zeros(self.workers)
        moves = total(changes.worker, changes.change, self.workers)[workers]
        if about_raters(len(workers)) is About.LIKE_THESE:  # else they are taken as given
            sums[workers] = moves - moves.mean()
        return np.concatenate([units, sums])

    @property
    def workers(self) -> int:
        """Number of workers of all groups."""
        return 1 + max((int(c.worker.max(initial=-1)) for c in self.changes or ()), default=-1)

    def _moved(self, sign: dict[int, float], there: Flags) -> _Changes | None:
        """Return the change of the mean over these topics without a worker in a topic."""
        if self.changes is None:
            return None
        mine = [self.changes[g] for g in sign]
        worker, topic = (
            np.concatenate([getattr(group_changes, name) for group_changes in mine])
            for name in ("worker", "topic")
        )
        change = np.concatenate([self.changes[g].change * way for g, way in sign.items()])
        in_topics = there[topic]
        T = max(1, int(there.sum()))
        return _Changes(worker[in_topics], topic[in_topics], change[in_topics] / T)


def _why(value: Floats, changes: _Changes | None, *, topics: int) -> str:
    """Return why no interval is offered; empty where one is.

    topics: of all groups together. Where these are too few, so are those of each group.
    """
    few = few_clusters("means", units=topics, workers=None, called="topics")
    if not few and not len(value):
        return NO_SHARED_TOPIC
    if not few and len(value) < LEAST_UNITS:
        return few_topics_of_group(len(value))
    moves = None if changes is None else changes.change
    if not few and (_is_flat(value - value.mean(), value) or _is_flat(moves, value)):
        return NOTHING_VARIES
    return few


def _is_flat(differences: Floats | None, value: Floats) -> bool:
    """Return whether these are only rounding errors of sums, given the size of the values."""
    if differences is None:
        return False
    size = max(1.0, float(np.abs(value).max()))
    return float(np.abs(differences).max(initial=0.0)) <= size * 10.0**-DIGITS


def _error(value: Floats, changes: _Changes | None) -> CrossedError:
    units = (value - value.mean()) / (len(value) - 1)
    if changes is None:
        return error_over_units(units)
    workers, worker = np.unique(changes.worker, return_inverse=True)
    key = changes.topic * np.int64(len(workers)) + worker
    cells, cell = np.unique(key, return_inverse=True)
    return crossed_error(
        units,
        total(worker, changes.change, len(workers)),
        total(cell, changes.change, len(cells)),
    )


def _with_ends(frame: pd.DataFrame, confidence: float) -> pd.DataFrame:
    frame = frame.astype(dict.fromkeys(("mean", "error", "degrees", "p"), np.float64))
    half = scipy.stats.t.ppf((1 + confidence) / 2, frame["degrees"]) * frame["error"]
    return frame.assign(low=frame["mean"] - half, high=frame["mean"] + half)


def adjusted_q(p: Floats) -> Floats:
    defined = ~np.isnan(p)
    q = np.full(len(p), np.nan)
    if defined.any():
        q[defined] = scipy.stats.false_discovery_control(p[defined])
    return q


def letters_of(differences: pd.DataFrame, groups: Sequence[Hashable], alpha: float) -> list[str]:
    """Return the letters of each group; a pair that was not compared shares none."""
    place = {group: k for k, group in enumerate(groups)}
    apart = ~np.eye(len(groups), dtype=bool)
    compared = np.zeros(len(groups), dtype=bool)
    pairs = differences[differences["p_adjusted"].notna()]
    for first, second, p in zip(pairs["first"], pairs["second"], pairs["p_adjusted"], strict=True):
        i, j = place[first], place[second]
        apart[i, j] = apart[j, i] = bool(p <= alpha)
        compared[[i, j]] = True
    letters = compact_letters(apart[np.ix_(compared, compared)])
    named = dict(zip(np.flatnonzero(compared).tolist(), letters, strict=True))
    return [named.get(k, "") for k in range(len(groups))]
