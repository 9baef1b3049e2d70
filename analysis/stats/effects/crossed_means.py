"""Means of groups (systems, styles) over topics, with errors over topics and workers at once.

group_means.py draws topics alone, and ranks of groups that are not in the same topics. Workers lean
to one system or another, so other workers would give other means: the error is that of crossed.py.
Two groups are compared in the topics that they share, on one scale (merits, win probabilities,
scores), so that nothing depends on what else was in a topic.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.letter_groups import compact_letters
from analysis.stats.bradley_terry.merit_errors import MeritErrors
from analysis.stats.bradley_terry.merits import MeritsResult
from analysis.stats.crossed import CrossedError, crossed_error
from analysis.stats.designs import check_comparisons, few_clusters
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import check_confidence


@dataclass(frozen=True, eq=False, kw_only=True)
class CrossedMeans:
    """means: one row a group, best first: group, mean, low, high, error, topics, workers, letters.

    differences: one row a pair of groups: first, second, difference (first minus second, in the
    topics that both are in), low, high, error, topics, p, q (p adjusted over the pairs by Benjamini
    and Hochberg), why. Where no interval is offered low, high, error, p and q are NaN and why says
    why; without a letter in common two groups differ.
    """

    means: pd.DataFrame
    differences: pd.DataFrame
    alpha: float
    confidence: float


def crossed_means(
    values: pd.DataFrame,
    changes: pd.DataFrame,
    *,
    alpha: float = 0.05,
    confidence: float = 0.95,
) -> CrossedMeans:
    """From what each group is worth in each topic, and how far that moves without each worker.

    values: columns topic, group, value; several rows of a group in a topic are averaged. changes:
    columns worker, topic, group, change, of those averages; one row for each worker who voted there
    (`from_merits` and `from_scores` make both).
    """
    check_confidence(confidence)
    if not 0 < alpha < 1:
        raise BadSetting("alpha", alpha, "between 0 and 1")
    table = values.pivot_table(index="topic", columns="group", values="value", sort=True)
    table = table[table.mean().sort_values(ascending=False, kind="stable").index]
    crossing = _Crossing.of(table, changes)
    each = [crossing.of_groups([g]) | {"group": name} for g, name in enumerate(table.columns)]
    rows = []
    for i in range(len(table.columns)):
        for j in range(i + 1, len(table.columns)):
            pair = {"first": table.columns[i], "second": table.columns[j]}
            rows.append(pair | crossing.of_groups([i, j]))
    differences = pd.DataFrame(rows, columns=[*PAIR, *NUMBERS])
    differences = differences.rename(columns={"mean": "difference"})
    differences["q"] = _adjusted(differences["p"].to_numpy(dtype=np.float64))
    means = pd.DataFrame(each)[["group", *NUMBERS]].drop(columns="p")
    means["letters"] = _letters(differences, list(table.columns), alpha)
    for frame, value in ((means, "mean"), (differences, "difference")):
        half = scipy.stats.t.ppf((1 + confidence) / 2, frame["degrees"]) * frame["error"]
        frame["low"], frame["high"] = frame[value] - half, frame[value] + half
    return CrossedMeans(means=means, differences=differences, alpha=alpha, confidence=confidence)


PAIR = ("first", "second")
NUMBERS = ("mean", "error", "degrees", "topics", "workers", "p", "why")


@dataclass(frozen=True, eq=False)
class _Crossing:
    """value (T, G), NaN where a group is not in a topic; worker, topic, group (C,), change (C,)."""

    value: Floats
    worker: Ints
    topic: Ints
    group: Ints
    change: Floats

    @classmethod
    def of(cls, table: pd.DataFrame, changes: pd.DataFrame) -> "_Crossing":
        topic = table.index.get_indexer(pd.Index(changes["topic"]))
        group = table.columns.get_indexer(pd.Index(changes["group"]))
        if len(changes) and min(topic.min(), group.min()) < 0:
            raise BadSetting(
                "changes", "a frame with topics or groups without a value", "of values"
            )
        worker = pd.factorize(changes["worker"])[0]
        change = changes["change"].to_numpy(dtype=np.float64)
        return cls(table.to_numpy(dtype=np.float64), worker, topic, group, change)

    def of_groups(self, groups: list[int]) -> dict[str, object]:
        """The mean of a group, or of the first minus the second in the topics with both."""
        sign = np.zeros(self.value.shape[1])
        sign[groups] = [1.0, -1.0][: len(groups)]
        there = np.asarray(~np.isnan(self.value[:, groups]).any(axis=1))
        T = int(there.sum())
        value = self.value[there][:, groups] @ sign[groups]
        mine = np.isin(self.group, groups) & there[self.topic]
        W = len(workers := np.unique(self.worker[mine]))
        nan = float("nan")
        row = {"mean": float(value.mean()) if T else nan, "topics": T, "workers": W}
        why = few_clusters("means", units=T, workers=W)
        if not why and (np.ptp(value) == 0 or not self.change[mine].any()):
            why = "No interval of means is offered because nothing varies: all values are alike."
        if why:
            return row | {"error": nan, "degrees": 1.0, "p": nan, "why": why}
        change = (sign[self.group] * self.change)[mine] / T
        worker = np.searchsorted(workers, self.worker[mine])
        cell = np.unique(self.topic[mine] * np.int64(W) + worker, return_inverse=True)[1]
        found: CrossedError = crossed_error(
            (value - value.mean()) / (T - 1),
            total(worker, change, W),
            total(cell, change, int(cell.max()) + 1),
        )
        p = found.p(np.asarray(value.mean()))
        return row | {
            "error": float(found.error), "degrees": float(found.degrees), "p": float(p), "why": "",
        }  # fmt: skip


def _adjusted(p: Floats) -> Floats:
    known = ~np.isnan(p)
    q = np.full(len(p), np.nan)
    if known.any():
        q[known] = scipy.stats.false_discovery_control(p[known])
    return q


def _letters(differences: pd.DataFrame, groups: Sequence[Hashable], alpha: float) -> list[str]:
    place = {group: k for k, group in enumerate(groups)}
    apart = np.zeros((len(groups), len(groups)), dtype=bool)
    for row in differences[differences["q"] <= alpha].itertuples():
        i, j = place[row.first], place[row.second]
        apart[i, j] = apart[j, i] = True
    return compact_letters(apart)


def from_scores(votes: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """values and changes of scores: columns worker, topic, group, score; a value is their mean.

    Where a worker is the only one, nothing would be left; the change is then that to the mean of
    the group in its other topics.
    """
    scores = votes.groupby(["topic", "group", "worker"], sort=True)["score"]
    cells = scores.agg(total="sum", n="count").reset_index()
    values = cells.groupby(["topic", "group"], as_index=False)[["total", "n"]].sum()
    values["value"] = values["total"] / values["n"]
    cells = cells.merge(values, on=["topic", "group"], suffixes=("", "_all"))
    rest = cells["n_all"] - cells["n"]
    elsewhere = cells["group"].map(values.groupby("group")["value"].mean())
    left = (cells["total_all"] - cells["total"]) / rest.where(rest > 0)
    changes = cells.assign(change=cells["value"] - left.fillna(elsewhere))
    return values[["topic", "group", "value"]], changes[["worker", "topic", "group", "change"]]


def from_merits(
    result: MeritsResult, errors: MeritErrors, groups: Mapping[Hashable, Hashable]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """values and changes of merits, a problem being a topic: groups says whose a response is.

    A merit is told from the mean of its topic, and a value is the mean of a group's merits there.
    Topics whose comparisons fall into parts, or are too few (designs.py), are left out.
    """
    comparisons = result.comparisons
    group = np.array([groups[response] for response in comparisons.responses], dtype=object)
    topics = pd.Series(list(comparisons.problems), dtype=object)
    entries = pd.DataFrame(
        {
            "topic": topics.take(comparisons.entry_problem).to_numpy(),
            "group": group,
            "value": errors.merit,
        }
    )
    fit = (check_comparisons(comparisons)["why"] == "").to_numpy()[comparisons.entry_problem]
    size = entries.groupby(["topic", "group"])["value"].transform("size").to_numpy()
    kept = fit[errors.changed_entry]
    of = errors.changed_entry[kept]
    changes = entries.iloc[of][["topic", "group"]].assign(
        worker=pd.Series(list(errors.changed_worker), dtype=object).to_numpy()[kept],
        change=errors.change[kept] / size[of],
    )
    by = ["worker", "topic", "group"]
    return entries[fit], changes.groupby(by, as_index=False)[["change"]].sum()
