"""Intervals of the correlations and differences of a model's scores and people's.

A model and people score the items of topics: on a range, where their scores are normal, or in
grades of three levels. What is true follows from how the scores are drawn; of the rank correlations
of grades it is what very many topics say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.method_comparison import bland_altman, rank_correlations
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row

STUDIES, LARGE = 500, 400_000  # simulated studies; topics of the one that says what is true
REACH = 1.959964
CUTS = (-0.6, 0.5)  # between three grades
BIAS = 0.3  # of the model, in standard deviations of a score
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated studies (standard error 1), over "
    "topics. A third of the variance of scores is between topics."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """A simulated population with a number of items in each topic.

    `r` is the correlation of both scores before grading, `shared` their variance between topics.
    """

    topics: int
    items: int
    r: float
    graded: bool = False
    shared: float = 1 / 3

    def __str__(self) -> str:
        kind = "grades" if self.graded else "a range"
        return f"{self.topics} topics of {self.items}, {kind}, correlated {self.r:g}"


WORLDS = [
    World(topics=topics, items=items, r=r, graded=graded)
    for topics in (20, 40)
    for items in (1, 4)
    for r in (0.4, 0.7, 0.95)
    for graded in (False, True)
]


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        yield from of_world(world, studies, seed=number)


def draw(world: World, rng: np.random.Generator) -> tuple[Floats, Floats, Ints]:
    """Scores of the model and of people (n,), and the topic of each item."""
    n = world.topics * world.items
    topic = np.repeat(np.arange(world.topics), world.items)
    between, within = (
        rng.multivariate_normal([0, 0], [[1, world.r], [world.r, 1]], size)
        for size in (world.topics, n)
    )
    score = world.shared**0.5 * between[topic] + (1 - world.shared) ** 0.5 * within
    score[:, 0] += BIAS
    if world.graded:
        score = np.digitize(score, CUTS).astype(float)
    return score[:, 0], score[:, 1], topic


def of_world(world: World, studies: int, *, seed: int) -> Iterator[Row]:
    """Yield the rows of a world: ranks and bias; the limits where they have an interval."""
    rng = np.random.default_rng(seed)
    truth = true_values(world, rng)
    tally = Tally()
    for _ in range(studies):
        tally.add(covers(world, truth, rng))
    for name in tally.hits:
        if offered := tally.offered(name):
            remark = f"truth {truth[name]:.3f}; offered in {offered:.0f} %"
            yield coverage_row(name, str(world), tally.share(name), remark=remark)


def true_values(world: World, rng: np.random.Generator) -> dict[str, float]:
    if world.graded:
        x, y, _ = draw(replace(world, topics=LARGE, items=1), rng)
        ranked = rank_correlations(x, y)
        above = scipy.stats.norm.sf([[cut - BIAS for cut in CUTS], CUTS])
        bias = float(above[0].sum() - above[1].sum())
        return {"rho": ranked.rho, "tau-b": ranked.tau, "mean difference": bias}
    # The limits are of the means of topics; of one item each these are the items.
    spread = world.shared + (1 - world.shared) / world.items
    reach = REACH * (2 * (1 - world.r) * spread) ** 0.5
    return {  # the ranks: Kendall and Gibbons 1990, chapter 10
        "rho": float(6 / np.pi * np.arcsin(world.r / 2)),
        "tau-b": float(2 / np.pi * np.arcsin(world.r)),
        "mean difference": BIAS,
        "lower limit": BIAS - reach,
        "upper limit": BIAS + reach,
    }


def covers(world: World, truth: dict[str, float], rng: np.random.Generator) -> Hits:
    """Which intervals hold what is true: 1, 0, or NaN where none is offered."""
    x, y, topic = draw(world, rng)
    ranked = rank_correlations(x, y, groups=topic.tolist())
    apart = bland_altman(x, y, groups=topic.tolist())
    ends = {
        "rho": (ranked.rho_low, ranked.rho_high),
        "tau-b": (ranked.tau_low, ranked.tau_high),
        "mean difference": (apart.bias_low, apart.bias_high),
    }
    if not world.graded:
        means = [each.reshape(world.topics, world.items).mean(axis=1) for each in (x, y)]
        limits = bland_altman(*means)
        ends |= {
            "lower limit": (limits.lower_low, limits.lower_high),
            "upper limit": (limits.upper_low, limits.upper_high),
        }
    return {name: holds(low, high, truth[name]) for name, (low, high) in ends.items()}
