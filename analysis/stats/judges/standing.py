"""What texts and systems are worth to a judge and to people, and whether both rank them alike.

A label on a pair is worth 1 to the preferred text, half to both where it prefers neither; a score
is worth itself. A text is worth the mean of its labels, a system in a topic that of its texts there
(worker_changes.py), and a system the mean over topics. Only units count that both have judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.crossed import error_of_leaps
from analysis.stats.designs import few_clusters
from analysis.stats.effects.score_associations import DECIMALS, LEAST_SHARED, NotRankedTogether
from analysis.stats.effects.worker_changes import from_scores
from analysis.stats.errors import CannotCompute
from analysis.stats.judges.agreement import ALIKE, SMALL
from analysis.stats.judges.powered import Powered, prediction_powered

LEAST_SYSTEMS = 3  # of two, tau says no more than their order
NO_INTERVAL = (
    "No interval of tau between the rankings of systems is offered: of few systems it has few "
    "values, and a bootstrap over topics held the true one in 0 to 100 % of simulated studies."
)
LEAST_TOPICS = 10  # with fewer, the items of a topic are the units of an estimate


class TooFewSystems(CannotCompute):
    def __init__(self, systems: int) -> None:
        super().__init__(
            f"The rankings of systems cannot be compared because it takes {LEAST_SYSTEMS} systems "
            f"and there {'is' if systems == 1 else 'are'} {systems}."
        )


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """tau-b, its interval (NaN where none is offered: why), topics and things ranked."""

    tau: float
    low: float
    high: float
    topics: int
    ranked: int
    why: str = ""


def worth_of(labels: pd.DataFrame, numbers: Mapping[str, float], *, is_pair: bool) -> pd.DataFrame:
    """One row a label and text that it speaks of: worker, unit, at (the text in it), text, topic,
    score. labels: oriented."""
    score = labels["value"].map(numbers)
    known = labels[score.notna()].assign(score=score.dropna())
    if not is_pair:
        text = known["first"].where(known["first"].notna(), known["unit"])
        return known.assign(at=known["unit"], text=text)[[*WORTH]]
    one = known.assign(at=known["unit"] + "#1", text=known["first"])
    other = known.assign(at=known["unit"] + "#2", text=known["second"], score=1 - known["score"])
    return pd.concat([one, other], ignore_index=True)[[*WORTH]]


WORTH = ("worker", "unit", "at", "text", "topic", "score")


def texts_alike(judge: pd.DataFrame, people: pd.DataFrame, *, confidence: float) -> Ranked:
    """tau-b between the texts of a topic, mean over topics, with an interval over topics and people
    at once (crossed.error_of_leaps). Raises NotRankedTogether."""
    mine = _on_both(judge, people).groupby(["topic", "text"])["score"].mean()
    theirs = _on_both(people, judge).groupby(["topic", "text", "worker"], as_index=False)["score"]
    cells = theirs.agg(["sum", "count"]).set_index(["topic", "text"])
    taus, changes, ranked = [], [], 0
    for topic, part in cells.groupby("topic", sort=False):
        of_judge = mine.loc[topic]
        texts, text = np.unique(part.index.get_level_values("text"), return_inverse=True)
        workers, worker = np.unique(part["worker"], return_inverse=True)
        lost = np.zeros((2, len(workers), len(texts)))
        for each, name in zip(lost, ("sum", "count"), strict=True):
            np.add.at(each, (worker, text), part[name].to_numpy())
        left = lost.sum(axis=1)[:, None] - np.concatenate([np.zeros((2, 1, len(texts))), lost], 1)
        means = np.divide(left[0], left[1], out=np.full(left[0].shape, np.nan), where=left[1] > 0)
        known = of_judge.reindex(texts).to_numpy(dtype=np.float64)
        tau = _tau(np.broadcast_to(known, means.shape), means)
        if not np.isnan(tau[0]):
            taus.append(tau[0])
            moved = np.nan_to_num(tau[0] - tau[1:])  # without them it says nothing else
            changes.append(pd.Series(moved, index=workers))
            ranked += int((~np.isnan(known)).sum())
    if not taus:
        raise NotRankedTogether
    n, value = len(taus), float(np.mean(taus))
    by_worker = pd.concat(changes) / n
    W = by_worker.index.nunique()
    why = few_clusters("tau", units=n, workers=W)
    low = high = float("nan")
    if not why:
        units = (np.array(taus) - value) / max(n - 1, 1)
        workers = by_worker.groupby(level=0).sum().to_numpy()
        error, _ = error_of_leaps(units, workers, by_worker.to_numpy())
        # Ranks of few texts leap so far that how far people lean is badly known: the t distribution
        # of the smaller sample (benchmarks/judges.py).
        half = float(scipy.stats.t.ppf((1 + confidence) / 2, min(n, W) - 1)) * error
        if error < SMALL:
            why = ALIKE.format("tau")
        else:
            low, high = max(value - half, -1.0), min(value + half, 1.0)
    return Ranked(tau=value, low=low, high=high, topics=n, ranked=ranked, why=why)


def systems_beside(
    judge: pd.DataFrame, people: pd.DataFrame, systems: Mapping[str, str]
) -> pd.DataFrame:
    """One row a topic and system: topic, group, judge, people."""
    both = [
        _values(_on_both(mine, other), systems)[0].rename(columns={"value": name})
        for mine, other, name in ((judge, people, "judge"), (people, judge, "people"))
    ]
    return both[0].merge(both[1], on=["topic", "group"])


def systems_alike(beside: pd.DataFrame) -> Ranked:
    """tau-b between the means of systems over topics. Without an interval (NO_INTERVAL).

    Raises TooFewSystems, NotRankedTogether.
    """
    systems = beside["group"].nunique()
    if systems < LEAST_SYSTEMS:
        raise TooFewSystems(systems)
    means = beside.groupby("group")[["judge", "people"]].mean().to_numpy(dtype=np.float64)
    tau = float(_tau(means[None, :, 0], means[None, :, 1])[0])
    if np.isnan(tau):
        raise NotRankedTogether
    nan, topics = float("nan"), beside["topic"].nunique()
    return Ranked(tau=tau, low=nan, high=nan, topics=topics, ranked=systems, why=NO_INTERVAL)


def powered(
    judge: pd.DataFrame,
    people: pd.DataFrame,
    systems: Mapping[str, str],
    *,
    confidence: float,
) -> Powered:
    """Prediction-powered scores of systems: over topics where the judge has enough topics that no
    person has judged, else over items. Raises powered.NothingMore."""
    more = judge[~judge["topic"].isin(set(people["topic"]))]
    if min(people["topic"].nunique(), more["topic"].nunique()) >= LEAST_TOPICS:
        what = "topics"
    else:  # each item is as a topic
        what = "items"
        judge, people = (each.assign(topic=each["unit"]) for each in (judge, people))
        more = judge[~judge["topic"].isin(set(people["topic"]))]
    people = _on_both(people, judge)
    values, changes = _values(people, systems)
    mine = _values(_on_both(judge, people), systems)[0].rename(columns={"value": "judge"})
    both = values.rename(columns={"value": "people"}).merge(mine, on=["topic", "group"])
    rest = _values(more, systems)[0].rename(columns={"value": "judge"})
    return prediction_powered(both, rest, changes, what=what, confidence=confidence)


def _values(worth: pd.DataFrame, systems: Mapping[str, str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    group = worth["text"].map(systems)
    worth = worth[group.notna()].assign(group=group.dropna())
    speaks = worth.drop_duplicates("at")[["at", "text", "topic", "group"]]
    return from_scores(
        worth[["worker", "at", "score"]].rename(columns={"at": "unit"}),
        speaks.rename(columns={"at": "unit", "text": "response"}),
    )


def _on_both(mine: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    return mine[mine["unit"].isin(set(other["unit"]))]


def _tau(judge: Floats, people: Floats) -> Floats:
    """tau-b of each row (D, S); NaN where too few have a score of both, or all are alike."""
    i, j = np.triu_indices(judge.shape[1], 1)
    one, other = (np.sign((each[:, i] - each[:, j]).round(DECIMALS)) for each in (judge, people))
    known = ~np.isnan(one + other)
    one, other = np.where(known, one, 0), np.where(known, other, 0)
    enough = (~np.isnan(judge + people)).sum(axis=1) >= LEAST_SHARED
    untied = (one != 0).sum(axis=1) * (other != 0).sum(axis=1)
    above, nothing = (one * other).sum(axis=1), np.full(len(judge), np.nan)
    return np.asarray(np.divide(above, np.sqrt(untied), out=nothing, where=(untied > 0) & enough))
