"""Intervals of the mean agreement rate (MAR) of a score with preferences, over topics.

Summaries of a topic differ by amounts of the topic's own size; the score predicts the sign of a
difference with an error, and each rater prefers the better one by a logit of the difference. What
is true is the MAR of very many topics.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.summaries.preference_weights import mean_agreement
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row

STUDIES, LARGE = 1000, 100_000  # simulated studies; topics of the one that says what is true
ERROR = 0.7  # of the score
NAME = "MAR"
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated studies (standard error 0.7), "
    "over topics of the test."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """A simulated population: topics of a test, pairs of each, raters of each pair.

    `size` is the mean difference of two summaries in logits.
    """

    topics: int
    pairs: int
    raters: int
    size: float

    def __str__(self) -> str:
        return (
            f"{self.topics} topics of {self.pairs} pairs, {self.raters} raters, "
            f"differences of {self.size:g}"
        )


WORLDS = [
    World(topics=topics, pairs=pairs, raters=raters, size=size)
    for topics, pairs in ((6, 3), (15, 1), (10, 3), (20, 3))
    for raters in (3, 5)
    for size in (0.5, 2.0, 5.0)
]


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        rng = np.random.default_rng(number)
        true = float(draw(replace(world, topics=LARGE), rng).mean())
        tally = Tally()
        for _ in range(studies):
            tally.add(covers(world, true, rng))
        remark = f"truth {true:.3f}; offered in {tally.offered(NAME):.0f} %"
        yield coverage_row(NAME, str(world), tally.share(NAME), remark=remark)


def draw(world: World, rng: np.random.Generator) -> Floats:
    """Return AR of each pair, (topics, pairs)."""
    size = world.size * rng.gamma(2, 0.5, size=(world.topics, 1))
    difference = size * rng.normal(size=(world.topics, world.pairs))
    ahead = difference + rng.normal(scale=ERROR, size=difference.shape) > 0
    p = scipy.special.expit(np.where(ahead, difference, -difference))
    return np.asarray(rng.binomial(world.raters, p) / world.raters)


def covers(world: World, true: float, rng: np.random.Generator) -> Hits:
    """Return whether the interval holds what is true: 1, 0, or NaN where none is offered."""
    rates = draw(world, rng)
    topics = np.repeat(np.arange(world.topics), world.pairs).tolist()
    found = mean_agreement(rates.ravel(), topics)
    if found.low is None or found.high is None:
        return {NAME: np.nan}
    return {NAME: holds(found.low, found.high, true)}
