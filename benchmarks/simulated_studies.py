"""Studies drawn from a known world, to see how often an interval covers what is true there.

Workers lean to one kind of system, to one side and to the middle, tell merits apart more or less
well, and some have nothing but habits: with the figures of the Crowd RAG Corpus 2025 (the lean of
workers has a standard deviation of .47 logits, systems differ by .71).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.votes import Votes

OPTIONS = ("A", "N", "B")


@dataclass(frozen=True, kw_only=True)
class World:
    """How studies are drawn. Merits, leans and sides are in logits; each *_sd is between its units.

    Of each topic all pairs of its responses are judged, by so many workers each; half of the
    responses come from either of two systems. Items are parted into questionnaires at random, and
    a questionnaire has as many workers as an item has votes.
    """

    topics: int = 30
    workers: int = 30
    responses: int = 4
    votes: int = 5
    difference: float = 0.7
    topic_sd: float = 0.5
    response_sd: float = 0.7
    lean_sd: float = 0.45
    side: float = -0.13
    side_sd: float = 0.4
    tie: float = 0.6
    tie_sd: float = 0.4
    discrimination_sd: float = 0.4
    habits: float = 0.1


@dataclass(frozen=True, eq=False)
class Study:
    """A drawn study of n votes on N pairs.

    a, b, topic (N,): the responses of a pair (indices over all topics) and its topic. system (R,):
    0 or 1. merit (R,). item, worker, value (n,): value 0 for a, 1 for neither, 2 for b. left (n,):
    whether a stood on the left.
    """

    a: Ints
    b: Ints
    topic: Ints
    system: Ints
    merit: Floats
    item: Ints
    worker: Ints
    value: Ints
    left: Ints

    def all_votes(self) -> Votes:
        return Votes.from_indices(
            self.item, self.worker, self.value, options=OPTIONS, items=range(len(self.a))
        )

    def comparisons(self) -> pd.DataFrame:
        """One row a vote: problem, a, b, outcome, worker, a being the left one."""
        a, b = self.a[self.item], self.b[self.item]
        value = np.where(self.left, self.value, 2 - self.value)
        return pd.DataFrame(
            {
                "problem": self.topic[self.item],
                "a": np.where(self.left, a, b),
                "b": np.where(self.left, b, a),
                "outcome": np.array(["a", "tie", "b"], dtype=object)[value],
                "worker": self.worker,
            }
        )

    def sides(self) -> pd.DataFrame:
        """One row a vote: worker, value, shown, as order_effects reads them."""
        return pd.DataFrame(
            {
                "worker": self.worker,
                "value": np.array(["a", "n", "b"])[self.value],
                "shown": np.where(self.left, "a,b", "b,a"),
            }
        )


def draw(world: World, rng: np.random.Generator) -> Study:
    """Draw a study with its own topics, responses and workers."""
    *_, system = _pairs(world)
    by_topic = rng.normal(0, world.topic_sd, (world.topics, 2))
    merit = (
        world.difference * system
        + by_topic[np.arange(len(system)) // world.responses, system]
        + rng.normal(0, world.response_sd, len(system))
    )
    return vote(world, merit, rng)


def vote(world: World, merit: Floats, rng: np.random.Generator) -> Study:
    """Draw new workers who judge the same responses."""
    a, b, topic, system = _pairs(world)
    item, worker = _questionnaires(len(a), world, rng)
    W = int(worker.max()) + 1
    lean = rng.normal(0, world.lean_sd, W)
    side = rng.normal(world.side, world.side_sd, W)
    tie = world.tie * np.exp(rng.normal(0, world.tie_sd, W))
    tells = np.exp(rng.normal(0, world.discrimination_sd, W)) * (rng.random(W) >= world.habits)
    left = rng.integers(0, 2, len(item))
    gap = merit[a] - merit[b]
    x = tells[worker] * (gap[item] + lean[worker] * (system[a] - system[b])[item])
    x += side[worker] * (2 * left - 1)
    for_a, for_b = (1 / (1 + np.exp(tie[worker] - sign * x)) for sign in (1, -1))
    drawn = rng.random(len(item))
    value = np.where(drawn < for_a, 0, np.where(drawn < 1 - for_b, 1, 2))
    return Study(a, b, topic, system, merit, item, worker, value, left)


def _pairs(world: World) -> tuple[Ints, Ints, Ints, Ints]:
    i, j = np.triu_indices(world.responses, 1)
    first = np.arange(world.topics)[:, None] * world.responses
    topic = np.repeat(np.arange(world.topics), len(i))
    system = np.tile(np.arange(world.responses) % 2, world.topics)
    return (first + i).ravel(), (first + j).ravel(), topic, system


def _questionnaires(N: int, world: World, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the item and the worker of each vote."""
    return _dealt(N, world.workers, world.votes, rng)


def _dealt(N: int, workers: int, votes: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    parts = max(1, workers // votes)
    part = rng.permutation(N) % parts
    item = np.repeat(np.arange(N), votes)
    worker = (part[:, None] * votes + np.arange(votes)).ravel()
    return item, worker


@dataclass(frozen=True, kw_only=True)
class ScoreWorld:
    """How studies of single texts are drawn: scores from 0 to 100, or labels yes and no.

    One text of each of two systems in each topic, scored by so many workers each. Workers differ in
    how much they give (`lenient_sd`), and lean to a system. Labels say whether a score is above 50.
    """

    topics: int = 30
    workers: int = 30
    votes: int = 5
    systems: int = 2
    mean: float = 55.0
    difference: float = 8.0
    topic_sd: float = 10.0
    response_sd: float = 9.0
    lenient_sd: float = 10.0
    lean_sd: float = 6.0
    noise_sd: float = 15.0
    labels: bool = False


def draw_scores(world: ScoreWorld, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Votes (worker, unit, score), and whose the units are (unit, response, topic, group)."""
    N = world.topics * world.systems
    topic, system = np.divmod(np.arange(N), world.systems)
    worth = world.mean + world.difference * system + rng.normal(0, world.response_sd, N)
    worth += rng.normal(0, world.topic_sd, world.topics)[topic]
    unit, worker = _dealt(N, world.workers, world.votes, rng)
    W = int(worker.max()) + 1
    lean = rng.normal(0, world.lean_sd, W)[worker] * (system[unit] - 0.5)
    score = worth[unit] + rng.normal(0, world.lenient_sd, W)[worker] + lean
    score = np.clip(score + rng.normal(0, world.noise_sd, len(unit)), 0, 100)
    if world.labels:
        score = (score > 50).astype(float)
    votes = pd.DataFrame({"worker": worker, "unit": unit, "score": score})
    names = {"unit": np.arange(N), "response": np.arange(N), "topic": topic, "group": system}
    return votes, pd.DataFrame(names)


def knowing_workers(
    rng: np.random.Generator, *, workers: int, items: int = 16, questions: int = 7, votes: int = 5
) -> tuple[Floats, list[Votes]]:
    """Competence of workers (W,), and their votes on the questions, as MACE imagines them.

    Questionnaires of so many items have as many workers as an item has votes. Who knows the answer
    to one question of an item knows that to another one more often than by chance.
    """
    knows = rng.beta(2, 2, workers)
    N = workers // votes * items
    part = np.arange(N) // items
    item = np.repeat(np.arange(N), votes)
    worker = (part[:, None] * votes + np.arange(votes)).ravel()
    halo, made = rng.random(len(item)), []
    for _ in range(questions):
        truth, habit = rng.integers(0, 3, N), rng.dirichlet([2] * 3, workers)
        attention = np.where(rng.random(len(item)) < 0.5, halo, rng.random(len(item)))
        guess = (rng.random(len(item))[:, None] > habit[worker].cumsum(axis=1)).sum(axis=1)
        value = np.where(attention < knows[worker], truth[item], np.minimum(guess, 2))
        made.append(
            Votes.from_indices(
                item, worker, value, options=OPTIONS, items=range(N), workers=range(workers)
            )
        )
    return knows, made
