"""Intervals of Elo ratings by a judge and by people.

All pairs of the systems' texts on each topic are judged by a few of the workers, and by a judge who
leans to one system. A system is better on some topics than on others, and workers lean to systems.
A rating depends on how many games are played: what is true is the mean of all studies of a kind.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.tournaments.elo_comparison import elo_beside
from benchmarks.coverage.intervals import coverage_row
from benchmarks.reporting import Row

STUDIES = 200
TOURNAMENTS = 100
NUMBERS = {
    "rating by the judge": ("rating", "low", "high"),
    "rating by people": ("people_rating", "people_rating_low", "people_rating_high"),
    "difference": ("difference", "difference_low", "difference_high"),
}
NOTE = (
    f"Coverage in % of intervals at 95 %, of all systems in {STUDIES} simulated studies (standard "
    "error between .6, were systems independent, and 1.5)."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """A simulated population.

    `apart` (between neighbouring systems), `topic_sd`, `lean_sd` (of a worker to each system) and
    `likes` (the judge's bonus for the first system) are in logits.
    """

    topics: int
    workers: int
    systems: int = 6
    votes: int = 3
    apart: float = 0.25
    topic_sd: float = 0.7
    lean_sd: float = 0.4
    likes: float = 0.6

    def __str__(self) -> str:
        return (
            f"{self.topics} topics, {self.workers} workers, {self.systems} systems "
            f"{self.apart:g} apart, {self.votes} vote{'s' if self.votes > 1 else ''} a pair"
        )


WORLDS = (
    World(topics=10, workers=10),
    World(topics=10, workers=30),
    World(topics=30, workers=10),
    World(topics=30, workers=30),
    World(topics=30, workers=30, votes=1),
    World(topics=30, workers=30, apart=0.7),
    World(topics=30, workers=30, systems=3),
    World(topics=30, workers=20, apart=0.0),
)


def rows(studies: int) -> Iterator[Row]:
    for seed, world in enumerate(WORLDS):
        yield from of_world(world, studies, seed=seed)


def of_world(world: World, studies: int, *, seed: int) -> Iterator[Row]:
    rng = np.random.default_rng(seed)
    found: defaultdict[str, list[Floats]] = defaultdict(list)
    for study in range(studies):
        frame = elo_beside(*drawn(world, rng), tournaments=TOURNAMENTS, seed=study).frame
        frame = frame.sort_values("system")
        for name, columns in NUMBERS.items():
            found[name].append(frame[list(columns)].to_numpy(dtype=np.float64))
    for name, each in found.items():
        value, low, high = np.moveaxis(np.array(each), 2, 0)  # (studies, systems) each
        true = value.mean(axis=0)
        error = value.std(axis=0, ddof=1).mean() / studies**0.5
        yield coverage_row(
            name,
            str(world),
            100 * float(((low <= true) & (true <= high)).mean()),
            remark=f"truth {true.min():,.0f} to {true.max():,.0f} ± {error:.1f}",
        )


def drawn(world: World, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Games of the judge (item, topic, first, second, score), and votes (item, worker, score)."""
    pairs = np.array(list(combinations(range(world.systems), 2)))
    first, second = np.tile(pairs.T, world.topics)
    topic = np.repeat(np.arange(world.topics), len(pairs))
    n = len(topic)
    merit = world.apart * np.arange(world.systems)
    merit = merit + rng.normal(0, world.topic_sd, (world.topics, world.systems))
    gap = merit[topic, first] - merit[topic, second]
    likes = world.likes * ((first == 0).astype(float) - (second == 0))
    games = pd.DataFrame(
        {
            "item": np.arange(n), "topic": topic, "first": first, "second": second,
            "score": (rng.logistic(size=n) < gap + likes).astype(float),
        }
    )  # fmt: skip
    worker = rng.random((n, world.workers)).argsort(axis=1)[:, : world.votes].ravel()
    item = np.repeat(np.arange(n), world.votes)
    lean = rng.normal(0, world.lean_sd, (world.workers, world.systems))
    felt = gap[item] + lean[worker, first[item]] - lean[worker, second[item]]
    score = (rng.logistic(size=len(item)) < felt).astype(float)
    return games, pd.DataFrame({"item": item, "worker": worker, "score": score})
