"""Intervals of the mean agreement rate (MAR) of a score with preferences, over topics.

Summaries of a topic differ by amounts of the topic's own size; the score predicts the sign of a
difference with an error, and each rater prefers the better one by a logit of the difference. What
is true is the MAR of very many topics.

In the rows of choix, that package draws qualities and votes (a Bradley-Terry model, Maystre), so
that nothing of the generator is ours; what is true is the probability that it names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import choix
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
    for number, strangers in enumerate(STRANGERS, start=len(WORLDS)):
        np.random.seed(number)  # noqa: NPY002  # choix draws from it
        tally, true = Tally(), strangers.truth()
        for _ in range(studies):
            rates = np.array(strangers.topic_rates())
            tally.add(_covers(rates, true))
        remark = f"truth {true:.3f}; offered in {tally.offered(NAME):.0f} %"
        yield coverage_row(NAME, str(strangers), tally.share(NAME), remark=remark)


def draw(world: World, rng: np.random.Generator) -> Floats:
    """Return AR of each pair, (topics, pairs)."""
    size = world.size * rng.gamma(2, 0.5, size=(world.topics, 1))
    difference = size * rng.normal(size=(world.topics, world.pairs))
    ahead = difference + rng.normal(scale=ERROR, size=difference.shape) > 0
    p = scipy.special.expit(np.where(ahead, difference, -difference))
    return np.asarray(rng.binomial(world.raters, p) / world.raters)


@dataclass(frozen=True, kw_only=True)
class ChoixWorld:
    """Topics of three summaries whose qualities and votes the package choix draws."""

    topics: int
    raters: int
    spread: float  # of qualities, in logits

    def __str__(self) -> str:
        return (
            f"choix: {self.topics} topics of 3 pairs, {self.raters} raters, spread {self.spread:g}"
        )

    def truth(self) -> float:
        """Return the mean probability that a vote is as predicted, over very many topics."""
        expected = [
            choix.probabilities(pair, q)[0] for _ in range(20_000) for pair, q in self._pairs()
        ]
        return float(np.mean(expected))

    def topic_rates(self) -> list[list[float]]:
        """Return AR of each pair by topic."""
        return [
            [
                float(np.mean([choix.compare(pair, q) == pair[0] for _ in range(self.raters)]))
                for pair, q in self._pairs()
            ]
            for _ in range(self.topics)
        ]

    def _pairs(self) -> list[tuple[list[int], Floats]]:
        """Return the pairs of a new topic, first the summary that the score prefers."""
        qualities = choix.generate_params(3, interval=self.spread)
        score = qualities + np.random.normal(scale=ERROR, size=3)  # noqa: NPY002
        return [
            (sorted(pair, key=lambda each: -score[each]), qualities)
            for pair in ([0, 1], [0, 2], [1, 2])
        ]


STRANGERS = [
    ChoixWorld(topics=12, raters=raters, spread=spread)
    for raters in (3, 5)
    for spread in (1.0, 3.0)
]


def covers(world: World, true: float, rng: np.random.Generator) -> Hits:
    """Return whether the interval holds what is true: 1, 0, or NaN where none is offered."""
    return _covers(draw(world, rng), true)


def _covers(rates: Floats, true: float) -> Hits:
    """Return the same of the AR of pairs, (topics, pairs)."""
    topics = np.repeat(np.arange(len(rates)), rates.shape[1]).tolist()
    found = mean_agreement(rates.ravel(), topics)
    if found.low is None or found.high is None:
        return {NAME: np.nan}
    return {NAME: holds(found.low, found.high, true)}
