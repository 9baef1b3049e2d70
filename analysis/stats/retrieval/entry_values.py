"""Scores of systems on the entries of a bank: means by topic, and the lead of the best.

A score of a topic is a weighted mean over its entries, sum of w v / sum of w: v is the support of
an answer, or 1 for an entry that a ranking covers; w follows from the importance and the measure
(nugget_scores.WEIGHTS). An unknown value counts as 0, and so does a topic without a counted entry
(as in nuggetizer), unless its last entry is retired: then the bank no longer has the topic.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.effects.families import max_t
from analysis.stats.retrieval.nugget_scores import AVOID, OKAY, VITAL, WEIGHTS

COVER = "cover"
NOTHING = 1e-12  # differences of means below it are rounding
LEAST_ROOM = 2  # topics on which two systems differ


@dataclass(frozen=True, eq=False)
class EntryValues:
    """Values (S systems, E entries) from 0 to 1, NaN if unknown; `topics` (E) of the entries."""

    systems: tuple[str, ...]
    entries: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats

    @classmethod
    def of(
        cls, frame: pd.DataFrame, systems: Sequence[str], topic_by_entry: Mapping[str, str]
    ) -> "EntryValues":
        """Build the matrix from the columns system, entry, value, averaging repeated pairs."""
        entries = tuple(topic_by_entry)
        row = {name: at for at, name in enumerate(systems)}
        column = {name: at for at, name in enumerate(entries)}
        kept = frame[frame["system"].isin(row) & frame["entry"].isin(column)].dropna(subset="value")
        sums, n = np.zeros((2, len(row), len(column)))
        places = kept["system"].map(row).to_numpy(int), kept["entry"].map(column).to_numpy(int)
        np.add.at(sums, places, kept["value"].to_numpy(np.float64))
        np.add.at(n, places, 1)
        unknown = np.full_like(sums, np.nan)
        values = np.divide(sums, n, out=unknown, where=n > 0)
        return cls(tuple(systems), entries, tuple(topic_by_entry.values()), values)

    @classmethod
    def joined(
        cls, parts: Sequence["EntryValues"], topic_by_entry: Mapping[str, str]
    ) -> "EntryValues":
        """Build the matrix of all entries from those of single topics."""
        systems = tuple(sorted({system for part in parts for system in part.systems}))
        row = {name: at for at, name in enumerate(systems)}
        column = {name: at for at, name in enumerate(topic_by_entry)}
        values = np.full((len(row), len(column)), np.nan)
        for part in parts:
            rows = [row[name] for name in part.systems]
            values[np.ix_(rows, [column[name] for name in part.entries])] = part.values
        return cls(systems, tuple(column), tuple(topic_by_entry.values()), values)

    def by_topic(self, importance: Mapping[str, str], measure: str) -> tuple[list[str], Floats]:
        """Return the topics (T) with counted entries, and the scores (S, T)."""
        if measure == COVER:
            importance = {key: kind for key, kind in importance.items() if kind != AVOID}
        topics = sorted({topic for entry, topic in self._pairs() if entry in importance})
        place = {topic: at for at, topic in enumerate(topics)}
        weight_of = weights_of(measure)
        w = np.array([weight_of.get(importance.get(entry, "-"), 0.0) for entry in self.entries])
        of_topic = np.zeros((len(self.entries), len(topics)))
        for at, (entry, topic) in enumerate(self._pairs()):
            if entry in importance:
                of_topic[at, place[topic]] = 1
        v = np.nan_to_num(self.values)
        if measure.startswith("strict"):
            v = (v >= 1).astype(np.float64)
        total = w @ of_topic
        zeros = np.zeros((len(self.systems), len(topics)))
        return topics, np.asarray(np.divide((v * w) @ of_topic, total, out=zeros, where=total > 0))

    def judged(self, importance: Mapping[str, str]) -> Floats:
        """Return the share of entries for which each system has a value (S)."""
        mine = [at for at, entry in enumerate(self.entries) if entry in importance]
        return np.asarray((~np.isnan(self.values[:, mine])).mean(axis=1))

    def without(self, entry: str) -> "EntryValues":
        """Return a copy with all values of an entry set to NaN."""
        values = self.values.copy()
        values[:, [name == entry for name in self.entries]] = np.nan
        return replace(self, values=values)

    def graded_topics(self, system: str) -> set[str]:
        has_value = ~np.isnan(self.values[self.systems.index(system)])
        return {topic for topic, has in zip(self.topics, has_value, strict=True) if has}

    def _pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.entries, self.topics, strict=True))


def weights_of(measure: str) -> Mapping[str, float]:
    """Return the weight of each importance in a measure. Unset importance counts as okay."""
    if measure == COVER:
        return {VITAL: 1.0, OKAY: 1.0, "": 1.0}
    weights = WEIGHTS[measure.removeprefix("strict ")]
    return {**weights, "": weights.get(OKAY, 0.0)}


@dataclass(frozen=True, kw_only=True)
class Lead:
    """The system with the highest score over n topics, and which systems it beats.

    close: systems that are not clearly worse, highest first; empty if `first` wins. difference:
    to the second, with its interval; NaN ends where there is none, and `why` is the reason.
    """

    first: str
    second: str
    close: tuple[str, ...]
    difference: float
    low: float
    high: float
    n: int
    why: str


def lead_of(systems: Sequence[str], scores: Floats, *, confidence: float = 0.95) -> Lead | None:
    """Return the lead of the best system from scores (S, T), or None for fewer than two systems.

    All pairs of systems are one family of paired t tests (families.max_t), so that the first of
    many equal systems is seldom called the winner.
    """
    S, T = scores.shape
    if S < 2 or not T:
        return None
    means = scores.mean(axis=1)
    order = sorted(range(S), key=lambda at: (-means[at], systems[at]))
    names = [systems[at] for at in order]
    d = scores[order[0]] - scores[order[1]]
    n = T
    few = "" if T >= LEAST_UNITS else "topics"
    if not few and np.count_nonzero(np.abs(d) > NOTHING) < LEAST_ROOM:
        few = "differences"
    sd = float(d.std(ddof=1)) if T > 1 else float("nan")
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, T - 1)) * sd / T**0.5 if not few else 0.0
    ends = (float("nan"),) * 2 if few else (float(d.mean()) - half, float(d.mean()) + half)
    close = tuple(names[1:])
    if T >= LEAST_UNITS:
        p = _pair_p(scores[order])
        close = tuple(
            name for name, own in zip(names[1:], p, strict=True) if not own < 1 - confidence
        )
    return Lead(
        first=names[0], second=names[1], close=close, difference=float(d.mean()),
        low=ends[0], high=ends[1], n=n, why=few,
    )  # fmt: skip


def _pair_p(scores: Floats) -> Floats:
    """Return the p of each row against the first, adjusted for the family of all pairs."""
    S, T = scores.shape
    left, right = np.triu_indices(S, 1)
    d = scores[left] - scores[right]
    centred = d - d.mean(axis=1, keepdims=True)
    error = d.std(axis=1, ddof=1) / T**0.5
    t = np.divide(d.mean(axis=1), error, out=np.full(len(d), np.nan), where=error > NOTHING)
    p = 2 * scipy.stats.t.sf(np.abs(t), T - 1)
    return max_t(p, centred)[: S - 1]


def means_of(values: EntryValues, importance: Mapping[str, str], measure: str) -> Floats:
    """Return the score of each system (S) over the topics of a bank; NaN if it has none."""
    _, scores = values.by_topic(importance, measure)
    if not scores.shape[1]:
        return np.full(len(values.systems), np.nan)
    return np.asarray(scores.mean(axis=1))


def has_kind(importance: Mapping[str, str], measure: str) -> bool:
    """Return whether a bank has an entry that a measure counts."""
    counted = {kind for kind, weight in weights_of(measure).items() if weight}
    return bool(counted & set(importance.values()))


__all__ = ["AVOID", "COVER", "EntryValues", "Lead", "has_kind", "lead_of", "means_of", "weights_of"]
