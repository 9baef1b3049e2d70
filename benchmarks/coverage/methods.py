"""Intervals of tau-b between two methods, from as many topics and texts as they need.

One method grades texts in four steps, the other counts who says yes. Texts are skewed, of unequal
spread between topics. Each method has its own raters, lenient and careful to different degrees, who
do unequal shares. A tenth of the texts lack one of the methods. What is true is the mean of very
many topics with the same raters; beside it is the mean over other raters, which is not promised.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.effects.method_agreement import LEAST_TEXTS, method_agreement
from analysis.stats.effects.method_comparison import LEAST_GROUPS
from benchmarks.coverage.intervals import Tally, coverage_row, holds
from benchmarks.reporting import Row

STUDIES = 400
LARGE = 1500  # topics with the raters of a study, which say what is true
MISSING = 0.1
CUTS = (-0.7, 0.3, 1.2)  # between four grades
THESE, OTHERS = "tau-b of two methods, these raters", "tau-b of two methods, raters like these"
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated studies (standard error 1.1), "
    f"over topics. They need {LEAST_GROUPS} topics with {LEAST_TEXTS} texts. Other raters are "
    "beside and not promised."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """Topics with texts, of which `r` is the correlation of the qualities that methods ask for."""

    topics: int
    texts: int
    r: float
    votes: int = 3  # on a text, and up to three more

    def __str__(self) -> str:
        return f"{self.topics} topics of {self.texts}, qualities correlated {self.r:g}"


@dataclass(frozen=True)
class Raters:
    """Raters of a method: the logarithm of their shares of the work, leniency and noise."""

    share: Floats
    leniency: Floats
    noise: Floats

    @classmethod
    def drawn(cls, rng: np.random.Generator, *, number: int = 30) -> "Raters":
        share = np.log(rng.pareto(1.5, number) + 0.2)
        return cls(share, rng.normal(0, 0.4, number), rng.gamma(4, 0.2, number))


WORLDS = [
    World(topics=topics, texts=texts, r=r)
    for topics in (24, 60)
    for texts in (8, 16)
    for r in (0.3, 0.95)
]


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        rng, ends, truths = np.random.default_rng(number), [], []
        for _ in range(studies):
            raters = Raters.drawn(rng), Raters.drawn(rng)
            x, y, topic = drawn(world, raters, rng)
            found = method_agreement(x, y, topics=topic.tolist())
            ends.append((found.low, found.high))
            truths.append(mean_tau(*drawn(replace(world, topics=LARGE), raters, rng)))
        tally, others = Tally(), float(np.mean(truths))
        for (low, high), true in zip(ends, truths, strict=True):
            tally.add({THESE: holds(low, high, true), OTHERS: holds(low, high, others)})
        remark = f"truth {others:.3f}, sd {np.std(truths):.3f} between raters"
        yield coverage_row(THESE, str(world), tally.share(THESE), remark=remark)
        yield coverage_row(OTHERS, str(world), tally.share(OTHERS), least=None, most=None)


def drawn(
    world: World, raters: tuple[Raters, Raters], rng: np.random.Generator
) -> tuple[Floats, Floats, Ints]:
    """Return the values of texts by both methods, and their topics."""
    n = world.topics * world.texts
    topic = np.repeat(np.arange(world.topics), world.texts)
    common, own = (rng.exponential(size=shape) - 1 for shape in (n, (2, n)))
    spread = rng.uniform(0.5, 1.5, world.topics)[topic]
    quality = spread * (world.r**0.5 * common + (1 - world.r) ** 0.5 * own)
    (seen, is_vote), (impression, is_answer) = (
        rated(of_method, people, world.votes, rng)
        for of_method, people in zip(quality, raters, strict=True)
    )
    grade = np.average(np.digitize(seen, CUTS), axis=1, weights=is_vote)
    yes = ((impression > 0) & is_answer).sum(axis=1).astype(float)
    kept = rng.random(n) >= MISSING
    return grade[kept], yes[kept], topic[kept]


def rated(
    quality: Floats, raters: Raters, votes: int, rng: np.random.Generator
) -> tuple[Floats, Flags]:
    """Return the impressions of raters (texts, votes), and which of them there are."""
    n, most = len(quality), votes + 3
    # By Gumbel's trick, raters without repetition, in proportion to their shares.
    keys = raters.share + rng.gumbel(size=(n, len(raters.share)))
    rater = np.argpartition(-keys, most, axis=1)[:, :most]
    seen = quality[:, None] + raters.leniency[rater]
    seen += raters.noise[rater] * rng.normal(size=rater.shape)
    return seen, np.arange(most) < rng.integers(votes, most + 1, n)[:, None]


def mean_tau(x: Floats, y: Floats, topic: Ints) -> float:
    """Return the mean tau-b of topics in which neither method ties all texts, by its definition."""
    size = np.bincount(topic)
    first = np.concatenate([[0], np.cumsum(size)[:-1]])
    i, j = np.triu_indices(int(size.max()), 1)
    of, pair = np.nonzero(j < size[:, None])
    a, b = first[of] + i[pair], first[of] + j[pair]
    signs = [np.sign(each[a].round(9) - each[b].round(9)) for each in (x, y)]
    s, untied_x, untied_y = (
        np.bincount(of, product)
        for product in (signs[0] * signs[1], np.abs(signs[0]), np.abs(signs[1]))
    )
    told_apart = (untied_x > 0) & (untied_y > 0)
    return float((s[told_apart] / np.sqrt(untied_x * untied_y)[told_apart]).mean())
