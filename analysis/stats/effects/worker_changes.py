"""Value of each group in each topic, and its change without each worker.

These are the two frames that crossed_means.py takes, from merits or from scores. The value of a
group in a topic is the mean of its responses there, each by the mean of its units (itself, where
it is judged itself; the passages that it cites).
"""

from collections.abc import Hashable, Mapping

import pandas as pd

from analysis.stats.bradley_terry.merit_errors import MeritErrors
from analysis.stats.bradley_terry.merits import MeritsResult
from analysis.stats.design_checks import check_comparisons

CHANGED = ["worker", "topic", "group"]


def from_scores(votes: pd.DataFrame, speaks: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return values and changes of scores, the value of a unit being its mean score.

    votes: columns worker, unit, score. speaks: columns unit, response, topic, group: the units of
    each response. Without the only worker on a unit nothing would be left of it; the change is then
    that to the mean of the group.
    """
    scores = votes[votes["score"].notna()].groupby(["unit", "worker"], sort=True)["score"]
    cells = scores.agg(total="sum", n="count").reset_index()
    units = cells.groupby("unit", as_index=False)[["total", "n"]].sum()
    units["value"] = units["total"] / units["n"]
    mine = speaks.merge(units[["unit", "value"]], on="unit")
    of_response = mine.groupby(["topic", "group", "response"])["unit"].transform("size")
    of_group = mine.groupby(["topic", "group"])["response"].transform("nunique")
    mine["share"] = 1 / (of_response * of_group)
    mine["part"] = mine["value"] * mine["share"]
    values = mine.groupby(["topic", "group"], as_index=False)[["part"]].sum()
    values = values.rename(columns={"part": "value"})
    cells = cells.merge(units, on="unit", suffixes=("", "_all"))
    rest = cells["n_all"] - cells["n"]
    cells["left"] = (cells["total_all"] - cells["total"]) / rest.where(rest > 0)
    moved = cells[["worker", "unit", "left"]].merge(mine, on="unit")
    usual = moved["group"].map(values.groupby("group")["value"].mean())
    moved["change"] = (moved["value"] - moved["left"].fillna(usual)) * moved["share"]
    return values, moved.groupby(CHANGED, as_index=False)[["change"]].sum()


def from_merits(
    result: MeritsResult, errors: MeritErrors, groups: Mapping[Hashable, Hashable]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return values and changes of merits, a problem being a topic; groups: response -> group.

    A merit is relative to the mean of its topic. Topics whose comparisons fall into parts are left
    out (design_checks.py): across parts a merit depends on the ridge alone.
    """
    comparisons = result.comparisons
    group = pd.Series([groups[response] for response in comparisons.responses], dtype=object)
    topics = pd.Series(list(comparisons.problems), dtype=object)
    entries = pd.DataFrame(
        {
            "topic": topics.take(comparisons.entry_problem).to_numpy(),
            "group": group,
            "value": errors.merit,
        }
    )
    fit = (check_comparisons(comparisons)["parts"] == 1).to_numpy()[comparisons.entry_problem]
    size = entries.groupby(["topic", "group"])["value"].transform("size").to_numpy()
    is_fit = fit[errors.changed_entry]
    entry = errors.changed_entry[is_fit]
    changes = entries.iloc[entry][["topic", "group"]].assign(
        worker=pd.Series(list(errors.changed_worker), dtype=object).to_numpy()[is_fit],
        change=errors.change[is_fit] / size[entry],
    )
    values = entries[fit].groupby(["topic", "group"], as_index=False)[["value"]].mean()
    return values, changes.groupby(CHANGED, as_index=False)[["change"]].sum()
