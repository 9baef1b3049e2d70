"""Error rates of the alternative annotator test.

People and a judge find the one right of three answers more or less often, by topic: some topics are
hard for all, and some for the judge. Not all people judge all items. At the margin the judge's
advantage is that of people less epsilon, so no annotator should be won: each that is, is an error.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.families import holm
from analysis.stats.judges.alternative_annotator import (
    FALSE_DISCOVERIES,
    AlternativeAnnotator,
    alternative_annotator,
)
from benchmarks.coverage.intervals import coverage_row
from benchmarks.reporting import Row

STUDIES, LARGE = 500, 40  # studies; larger ones that say where the margin is
EPSILON, SKILL = 0.15, 1.0  # of people, in logits of knowing
JUDGES = 3
MOST_ERRORS = 7.0  # %: 5 and two standard errors
NOTE = (
    f"Shares in % of {STUDIES} simulated studies (standard error 1 at 5 %), epsilon {EPSILON:g}, "
    "four items a topic."
)


@dataclass(frozen=True, kw_only=True)
class JudgedWorld:
    """topic_sd: of the difficulty for all, in logits; own_sd: for the judge alone."""

    topics: int
    people: int
    kept: float = 1.0  # share of the items that a person judges, on average
    topic_sd: float = 0.7
    own_sd: float = 0.7

    def __str__(self) -> str:
        uneven = "" if self.kept == 1 else ", uneven loads"
        return f"{self.topics} topics, {self.people} people{uneven}"


WORLDS = (
    JudgedWorld(topics=25, people=3),
    JudgedWorld(topics=25, people=8),
    JudgedWorld(topics=40, people=12, kept=0.5),
)


def rows(studies: int) -> Iterator[Row]:
    for seed, world in enumerate(WORLDS):
        rng = np.random.default_rng(seed)
        at_margin = margin(world, rng)
        for name, skill, most in (
            ("an annotator is won at the margin", at_margin, MOST_ERRORS),
            ("a judge at the margin passes", at_margin, MOST_ERRORS),
            ("a judge as good as people passes", SKILL, None),
            ("a judge that guesses passes", -9.0, MOST_ERRORS),
        ):
            tests = [tested(world, skill, rng) for _ in range(studies)]
            if "is won" in name:
                share = float(np.mean([len(test.won) > 0 for test in tests]))
            else:
                share = float(np.mean([test.passes is True for test in tests]))
            yield coverage_row(name, str(world), 100 * share, least=None, most=most)
        several = [several_pass(world, at_margin, rng) for _ in range(studies)]
        yield coverage_row(
            f"any of {JUDGES} judges at the margin passes", str(world),
            100 * float(np.mean(several)), least=None, most=MOST_ERRORS,
        )  # fmt: skip


def several_pass(world: JudgedWorld, skill: float, rng: np.random.Generator) -> bool:
    """Return whether any of several judges passes, with all taken together as on the page."""
    p = [tested(world, skill, rng).p_passes for _ in range(JUDGES)]
    return bool((holm(np.array(p)) <= FALSE_DISCOVERIES).any())


def margin(world: JudgedWorld, rng: np.random.Generator) -> float:
    """Return the skill at which people are ahead of the judge by epsilon, by bisection."""
    low, high = -6.0, SKILL
    seed = int(rng.integers(2**31))
    for _ in range(12):
        middle = (low + high) / 2
        again = np.random.default_rng(seed)
        tests = [tested(world, middle, again) for _ in range(LARGE)]
        gap = np.mean([(test.advantage - test.opponent).mean() for test in tests])
        low, high = (middle, high) if gap < -EPSILON else (low, middle)
    return (low + high) / 2


def tested(world: JudgedWorld, skill: float, rng: np.random.Generator) -> AlternativeAnnotator:
    topic = np.repeat(np.arange(world.topics), 4)
    n = len(topic)
    hard = world.topic_sd * rng.normal(size=world.topics)[topic]
    own = world.own_sd * rng.normal(size=world.topics)[topic]
    truth = rng.integers(0, 3, n)
    judge = _answers(truth, skill + hard + own, rng)
    people = _answers(np.repeat(truth, world.people), np.repeat(SKILL + hard, world.people), rng)
    item, worker = (each.ravel() for each in np.indices((n, world.people)))
    load = world.kept * rng.uniform(0.6, 1.4, world.people) if world.kept < 1 else 1.0
    kept = rng.random(len(item)) < np.broadcast_to(load, world.people)[worker]
    return alternative_annotator(
        judge=judge, item=item[kept], worker=worker[kept], value=people[kept], topic=topic,
        epsilon=EPSILON,
    )  # fmt: skip


def _answers(truth: Ints, skill: Floats, rng: np.random.Generator) -> Ints:
    knows = rng.random(len(truth)) < 1 / (1 + np.exp(-skill))
    return np.asarray(np.where(knows, truth, rng.integers(0, 3, len(truth))))
