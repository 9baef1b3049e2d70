"""Studies whose workers arrive one by one, in which systems do not differ and no side is preferred.

One generator is like the product's own (normal effects, logit, equal loads); the other one has
heavy tails (t with 5 degrees, Laplace), probit noise, uneven loads and more careless workers.
"""

from dataclasses import dataclass, replace

import numpy as np

from analysis.stats.arrays import Floats, Ints
from benchmarks.simulated_studies import Study

RESPONSES, SYSTEMS = 4, 2
WAVE = 10  # topics that are judged at the same time
PAIRS = RESPONSES * (RESPONSES - 1) // 2


@dataclass(frozen=True, kw_only=True)
class Growth:
    """How a study grows: `load` pairs a worker; all topics at once, or new ones in waves.

    Effects are in logits.
    """

    topics: int
    workers: int
    load: int = 9
    waves: bool = False
    other: bool = False
    topic_sd: float = 0.5
    response_sd: float = 0.7
    lean_sd: float = 0.45
    side_sd: float = 0.4
    tells_sd: float = 0.4
    tie: float = 0.6
    probit_sd: float = 1.6

    def __str__(self) -> str:
        topics = f"{self.topics} topics{' in waves' if self.waves else ''}"
        generator = "another generator" if self.other else "own generator"
        return f"{topics}, up to {self.workers} workers, {generator}"


def grown(world: Growth, rng: np.random.Generator) -> Study:
    """Draw a study; its workers are numbered in the order in which they submit."""
    T, W = world.topics, world.workers
    i, j = np.triu_indices(RESPONSES, 1)
    first = np.arange(T)[:, None] * RESPONSES
    a, b = (first + i).ravel(), (first + j).ravel()
    system = np.tile(np.arange(RESPONSES) % SYSTEMS, T)
    by_topic = world.topic_sd * (
        rng.standard_t(5, (T, SYSTEMS)) / np.sqrt(5 / 3)
        if world.other
        else rng.standard_normal((T, SYSTEMS))
    )
    merit = by_topic[np.arange(len(system)) // RESPONSES, system]
    merit = merit + world.response_sd * rng.standard_normal(len(system))
    item, worker = _taken(world, rng)
    lean, side = world.lean_sd * _habits(world, rng), world.side_sd * _habits(world, rng)
    careless = rng.random(W) < (0.15 if world.other else 0.1)
    tells = np.exp(world.tells_sd * rng.standard_normal(W)) * ~careless
    left = rng.integers(0, 2, len(item))
    x = (merit[a] - merit[b])[item] + lean[worker] * (system[a] - system[b])[item]
    x = tells[worker] * x + side[worker] * (2 * left - 1)
    noise = rng.standard_normal(len(item)) * world.probit_sd
    x = x + (noise if world.other else rng.logistic(size=len(item)))
    value = np.where(x > world.tie, 0, np.where(x < -world.tie, 2, 1))
    topic = np.repeat(np.arange(T), PAIRS)
    return Study(a, b, topic, system, merit, item, worker, value, left)


def _habits(world: Growth, rng: np.random.Generator) -> Floats:
    if world.other:
        return rng.laplace(size=world.workers) / np.sqrt(2)
    return rng.standard_normal(world.workers)


def _taken(world: Growth, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return item and worker of each vote; in waves the topics move on with the workers."""
    items, loads = [], []
    for number in range(world.workers):
        start, size = 0, world.topics
        if world.waves:
            size = min(WAVE, world.topics)
            start = round((world.topics - size) * number / max(world.workers - 1, 1))
        load = rng.geometric(1 / world.load) if world.other else world.load
        load = min(int(load), size * PAIRS)
        items.append(start * PAIRS + rng.choice(size * PAIRS, load, replace=False))
        loads.append(load)
    return np.concatenate(items), np.repeat(np.arange(world.workers), loads)


def until(study: Study, workers: int) -> Study:
    """Return the study as it was after so many workers."""
    there = study.worker < workers
    return replace(
        study,
        item=study.item[there],
        worker=study.worker[there],
        value=study.value[there],
        left=study.left[there],
    )
