"""Entries and passages of a bank that a person should look at: numbers behind the work lists.

Dietz (2024), section 4.4: spurious entries, which passages that were judged low answer well, and
uncovered passages, which were judged relevant and answer no entry well. Beside them the entries
that nearly all systems cover or nearly none, and those whose raters are far apart. Shares are of
what there is, passages, systems or raters, and no sample: none has an interval.
"""

from collections.abc import Collection, Mapping

import pandas as pd

from analysis.stats.retrieval.coverage import Bank
from analysis.stats.retrieval.grade_agreement import with_judgment
from analysis.stats.retrieval.leaderboards import grade_levels
from analysis.stats.retrieval.rankings import Qrels, Run

UNIVERSAL, HARD = 0.8, 0.1  # covered by more than 80%, or by fewer than 10% of the systems
FAR = 0.4  # of the scale: a mean distance of two raters of a cell from here on, 2 of 0 to 5


def relevant_from(judgments: Collection[int]) -> int:
    """Return the lowest relevant judgment: the upper half of the scale, such as 2 of 0 to 3."""
    if not judgments:
        return 1
    levels = grade_levels(min(0, *judgments), max(judgments))
    return levels[0] if levels else 1


def spurious_entries(
    grades: pd.DataFrame, judged: Qrels, *, relevant: int = 2, level: int = 4
) -> pd.DataFrame:
    """Return entries that passages with a judgment below `relevant` answer at `level` or more.

    Columns: topic, entry, passages (such passages), judged (low ones with a grade), share; most
    passages first.
    """
    low = with_judgment(grades, judged)
    low = low[low["judgment"] < relevant]
    good = low["grade"] >= level
    counts = (
        low.assign(passages=good)
        .groupby(["topic", "entry"])
        .agg(passages=("passages", "sum"), judged=("passage", "nunique"))
        .reset_index()
    )
    counts = counts[counts["passages"] > 0]
    return counts.assign(share=counts["passages"] / counts["judged"]).sort_values(
        ["passages", "topic", "entry"], ascending=[False, True, True], ignore_index=True
    )


def uncovered_passages(
    grades: pd.DataFrame, judged: Qrels, *, relevant: int = 2, level: int = 4
) -> pd.DataFrame:
    """Return relevant passages whose highest grade is below `level`, the most relevant first.

    Columns: topic, passage, judgment, best (its highest grade).
    """
    both = with_judgment(grades, judged)
    best = both.groupby(["topic", "passage"]).agg(
        judgment=("judgment", "first"), best=("grade", "max")
    )
    best = best[(best["judgment"] >= relevant) & (best["best"] < level)].reset_index()
    return best.sort_values(
        ["judgment", "topic", "passage"], ascending=[False, True, True], ignore_index=True
    )


def entry_difficulty(
    runs: Mapping[str, Run], grades: pd.DataFrame, bank: Bank, *, level: int = 4, depth: int = 20
) -> pd.DataFrame:
    """Return how many systems cover each entry: topic, entry, covered, systems, share, kind.

    systems: those with a ranking for the topic. kind: universal, hard or ''; an entry of a topic
    that no system ranks has no share and no kind.
    """
    good = grades[grades["grade"] >= level]
    passages = {
        (str(topic), str(entry)): frozenset(part["passage"])
        for (topic, entry), part in good.groupby(["topic", "entry"])
    }
    rows = []
    for topic in sorted(bank):
        read = [frozenset(list(run[topic])[:depth]) for run in runs.values() if run.get(topic)]
        for entry in sorted(bank[topic]):
            covering = passages.get((topic, entry), frozenset())
            covered = sum(not covering.isdisjoint(first) for first in read)
            share = covered / len(read) if read else float("nan")
            rows.append((topic, entry, covered, len(read), share, _kind(share)))
    return pd.DataFrame(rows, columns=["topic", "entry", "covered", "systems", "share", "kind"])


def _kind(share: float) -> str:
    return "universal" if share > UNIVERSAL else "hard" if share < HARD else ""


def rater_distance(votes: pd.DataFrame, width: float = 5) -> pd.DataFrame:
    """Return how far apart the raters of each entry are, the largest distance first.

    votes: topic, entry, passage, worker, score. width: of the scale of the scores. Columns: topic,
    entry, cells, raters, distance, far. cells: passages that two or more raters graded; distance:
    the mean over cells of the mean difference of two raters; far: the share of cells with a mean
    difference of FAR of the scale or more.
    """
    keys = ["topic", "entry", "passage"]
    once = votes.dropna(subset="score").groupby([*keys, "worker"])["score"].mean().reset_index()
    shared = once[once.groupby(keys)["score"].transform("size") > 1]
    cells = mean_differences(shared, keys).rename("distance").reset_index()
    cells = cells.assign(is_far=cells["distance"] >= FAR * width - 1e-9)
    raters = once.groupby(["topic", "entry"])["worker"].nunique()
    entries = cells.groupby(["topic", "entry"]).agg(
        cells=("distance", "size"), distance=("distance", "mean"), far=("is_far", "mean")
    )
    entries = entries.join(raters.rename("raters")).reset_index()
    entries = entries[["topic", "entry", "cells", "raters", "distance", "far"]]
    return entries.sort_values(
        ["distance", "topic", "entry"], ascending=[False, True, True], ignore_index=True
    )


def mean_differences(votes: pd.DataFrame, keys: list[str]) -> "pd.Series[float]":
    """Return the mean absolute difference between pairs of scores in each group of two or more.

    The i-th lowest of n scores is added 2i - (n - 1) times in the sum over pairs, i from 0.
    """
    ordered = votes.sort_values([*keys, "score"], kind="stable")
    groups = ordered.groupby(keys)["score"]
    weights = 2 * groups.cumcount() - (groups.transform("size") - 1)
    sums = (ordered["score"] * weights).groupby([ordered[key] for key in keys]).sum()
    n = groups.size()
    return 2 * sums / (n * (n - 1))
