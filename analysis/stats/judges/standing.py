"""What texts and systems are worth to a judge and to people, and whether both rank them alike.

A label on a pair is worth 1 to the preferred text, half to both where it prefers neither; a score
is worth itself. A text is worth the mean of its labels, a system in a topic that of its texts there
(worker_changes.py), and a system the mean over topics. Only units count that both have judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.designs import few_clusters
from analysis.stats.effects.score_associations import NotRankedTogether, score_associations
from analysis.stats.effects.worker_changes import from_scores
from analysis.stats.errors import CannotCompute
from analysis.stats.judges.powered import Powered, prediction_powered
from analysis.stats.resampling import Bootstrap, percentile_interval

LEAST_SYSTEMS = 3  # of two, tau says no more than their order
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
    """tau-b between the texts of a topic, mean over topics. Raises NotRankedTogether."""
    means = [
        _on_both(mine, other).groupby(["topic", "text"], as_index=False)["score"].mean()
        for mine, other in ((judge, people), (people, judge))
    ]
    frame = pd.concat([each.assign(measure=k) for k, each in enumerate(means)])
    frame = frame.rename(columns={"text": "unit", "score": "value"})
    row = score_associations(frame, confidence=confidence).frame.iloc[0]
    return Ranked(
        tau=row["tau"], low=row["low"], high=row["high"], topics=row["topics"], ranked=row["units"]
    )


def systems_beside(
    judge: pd.DataFrame, people: pd.DataFrame, systems: Mapping[str, str]
) -> pd.DataFrame:
    """One row a topic and system: topic, group, judge, people."""
    both = [
        _values(_on_both(mine, other), systems)[0].rename(columns={"value": name})
        for mine, other, name in ((judge, people, "judge"), (people, judge, "people"))
    ]
    return both[0].merge(both[1], on=["topic", "group"])


def systems_alike(beside: pd.DataFrame, bootstrap: Bootstrap) -> Ranked:
    """tau-b between the means of systems over topics; its interval draws topics.

    Raises TooFewSystems, NotRankedTogether.
    """
    wide = [
        beside.pivot(index="topic", columns="group", values=name).to_numpy(dtype=np.float64)
        for name in ("judge", "people")
    ]
    T, S = wide[0].shape if len(beside) else (0, 0)
    if S < LEAST_SYSTEMS:
        raise TooFewSystems(S)

    def means(weights: Floats) -> list[Floats]:
        there = (~np.isnan(wide[0])).astype(np.float64)
        number = weights @ there
        nothing = np.full(number.shape, np.nan)
        return [
            np.divide(weights @ np.nan_to_num(each), number, out=nothing.copy(), where=number > 0)
            for each in wide
        ]

    tau = float(_tau(*means(np.ones((1, T))))[0])
    if np.isnan(tau):
        raise NotRankedTogether
    why = few_clusters("tau", units=T, workers=None)
    low = high = float("nan")
    if bootstrap.draws and not why:
        drawn = bootstrap.generator().multinomial(T, np.full(T, 1 / T), size=bootstrap.draws)
        low, high, _ = percentile_interval(
            _tau(*means(drawn.astype(np.float64))), bootstrap.confidence
        )
    return Ranked(tau=tau, low=low, high=high, topics=T, ranked=S, why=why)


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
    """tau-b of each row (D, S)."""
    i, j = np.triu_indices(judge.shape[1], 1)
    one, other = (np.sign((each[:, i] - each[:, j]).round(9)) for each in (judge, people))
    untied = (one != 0).sum(axis=1) * (other != 0).sum(axis=1)
    above = np.nansum(one * other, axis=1)
    nothing = np.full(len(judge), np.nan)
    return np.asarray(np.divide(above, np.sqrt(untied), out=nothing, where=untied > 0))
