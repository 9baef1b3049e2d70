"""Scores of a system from people on some topics, or items, and a judge on more of them.

Of the better of two systems. All texts of a topic are in as many pairs, so that the mean of the
labels on them is that of the texts.
"""

from collections import defaultdict
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.effects.worker_changes import from_scores
from analysis.stats.judges.prediction_powered import prediction_powered
from benchmarks.coverage.intervals import STUDIES, Intervals, Part, Truth, Truths
from benchmarks.judges.drawn import (
    LEAN,
    TIMES,
    knowing_labels,
    large,
    sized,
    text_scores,
)
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study, World, draw

OVER_TOPICS = ((20, 30, 100), (30, 30, 300))  # topics, workers, topics of the judge alone
OVER_ITEMS = ((20, 30), (30, 30))  # topics, workers
PART = 1 / 3  # of the items are judged by people, where items are the units
KNOWS = {"knows nothing": 0.0, "knows something": 1.0, "knows much": 3.0}
SCORE, ALONE = "prediction-powered score", "people alone"
Known = defaultdict[str, list[tuple[float, float]]]  # gain and tuning, by judge


def parts(truth: Truths) -> list[Part]:
    found: list[Part] = []
    for topics, workers, more in OVER_TOPICS:
        size, seed = f"{sized(topics, workers)}, {more} more", topics * 1000 + workers + more
        world = World(topics=topics, workers=workers)
        found.append(partial(of_size, world, more, truth[SCORE, "topics"], size=size, seed=seed))
    for topics, workers in OVER_ITEMS:
        size, seed = f"{sized(topics, workers)} on a third of the items", topics * 1000 + workers
        world = World(topics=topics, workers=workers)
        found.append(partial(of_size, world, 0, truth[SCORE, "items"], size=size, seed=seed))
    return found


def of_size(world: World, more: int, truth: Truth, *, size: str, seed: int) -> list[Row]:
    """more: topics that the judge alone has; without any, people judged a part of the items."""
    rng = np.random.default_rng(seed)
    found, known = Intervals(), Known(list)
    for _ in range(STUDIES):
        (over_topics if more else over_items)(world, more, found, known, rng)
    promised = found.rows({(SCORE, judge): truth for judge in KNOWS}, size=size, promises={})
    alone = found.rows({(ALONE, judge): truth for judge in KNOWS}, size=size, promises={})
    return [
        replace(
            row, peer=peer.ours, peer_name="people",
            remark=f"{row.remark}; like {gain:.2f} times as many; tuning {used:.2f}",
        )
        for row, peer, (gain, used) in zip(
            promised, alone, (np.median(known[judge], axis=0) for judge in KNOWS), strict=True
        )
    ]  # fmt: skip


def over_topics(
    world: World, more: int, found: Intervals, known: Known, rng: np.random.Generator
) -> None:
    study, other = draw(world, rng), draw(replace(world, topics=more, votes=1), rng)
    values, changes = by_people(study, study.topic)
    for judge, knows in KNOWS.items():
        mine = by_judge(study, knows, study.topic, rng)
        rest = by_judge(other, knows, other.topic, rng)
        both = values.rename(columns={"value": "people"}).merge(mine, on=["topic", "group"])
        _add(found, known, judge, prediction_powered(both, rest, changes).frame.iloc[0])


def over_items(
    world: World, more: int, found: Intervals, known: Known, rng: np.random.Generator
) -> None:
    study = draw(world, rng)
    units = np.arange(len(study.a))
    chosen = np.isin(units, rng.choice(len(units), round(len(units) * PART), replace=False))
    values, changes = by_people(study, units, chosen=chosen)
    for judge, knows in KNOWS.items():
        mine = by_judge(study, knows, units, rng)
        mine["cluster"] = study.topic[mine["topic"]]
        rest = mine[~chosen[mine["topic"]]]
        both = values.rename(columns={"value": "people"}).merge(mine, on=["topic", "group"])
        _add(found, known, judge, prediction_powered(both, rest, changes).frame.iloc[0])


def _add(found: Intervals, known: Known, judge: str, row: "pd.Series[float]") -> None:
    found.add(SCORE, judge, row["low"], row["high"])
    found.add(ALONE, judge, row["people_low"], row["people_high"])
    known[judge].append((row["gain"], row["tuning"]))


def by_people(
    study: Study, of: Ints, *, chosen: Flags | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the better system's worth in each unit, and its change without each worker.

    `of` (N,) is the unit of each pair; `chosen` (N,) marks the pairs that people judge.
    """
    votes = slice(None) if chosen is None else chosen[study.item]
    scores = _of_better(
        study, text_scores(study, study.item[votes], study.value[votes], study.worker[votes])
    )
    one = scores.drop_duplicates("at")
    speaks = pd.DataFrame(
        {"unit": one["at"], "response": one["text"], "topic": of[one["unit"]], "group": 1}
    )
    return from_scores(scores[["worker", "at", "score"]].rename(columns={"at": "unit"}), speaks)


def by_judge(study: Study, knows: float, of: Ints, rng: np.random.Generator) -> pd.DataFrame:
    label = knowing_labels(study, knows, LEAN, rng)
    every = np.arange(len(label))
    scores = _of_better(study, text_scores(study, every, label, np.zeros_like(every)))
    unit, value = _means(of[scores["unit"]], scores["score"].to_numpy())
    return pd.DataFrame({"topic": unit, "group": 1, "judge": value})


def _of_better(study: Study, scores: pd.DataFrame) -> pd.DataFrame:
    return scores[study.system[scores["text"]] == 1]


def _means(unit: Ints, value: Floats) -> tuple[Ints, Floats]:
    """Return the units, and the mean of each."""
    units, index = np.unique(unit, return_inverse=True)
    return units, np.bincount(index, weights=value) / np.bincount(index)


def true_values(world: World, rng: np.random.Generator) -> Truths:
    """By the mean of topics, and of items."""
    found: dict[str, list[float]] = {"topics": [], "items": []}
    for _ in range(TIMES):
        study = large(world, rng)
        scores = _of_better(study, text_scores(study, study.item, study.value, study.worker))
        for name, column in (("topics", "topic"), ("items", "unit")):
            of = scores[column].to_numpy()  # each pair has as many votes as any other
            found[name].append(float(_means(of, scores["score"].to_numpy())[1].mean()))
    return {(SCORE, name): Truth.of(values) for name, values in found.items()}
