"""Intervals of the agreement with others (the queue of work).

What is true is the chance that a vote of another
person on another item like these says the same: of the people who judged these items, and of people
like them. The interval takes items as its units, so the first is what it promises.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.stats.agreement.rater_agreement import agreement_with_others
from analysis.stats.arrays import Floats
from benchmarks.coverage.intervals import coverage_row
from benchmarks.reporting import Row

STUDIES = 2000
NOTE = (
    f"Coverage in % of intervals at 95 %, over {STUDIES} simulated questionnaires (standard error "
    ".5). “People like them” is beside it and not promised: few others are no sample of all."
)


@dataclass(frozen=True)
class World:
    """A questionnaire whose `items` were judged by `others` on `questions` each.

    A vote agrees with probability `mean`, which varies between items by a Beta distribution of
    `spread` (smaller is wider), and between workers by `people` (standard deviation).
    """

    items: int
    others: int
    questions: int
    mean: float
    spread: float = 10
    people: float = 0.0

    @property
    def named(self) -> str:
        between = f", people differ by {self.people:.2f}" if self.people else ""
        between += ", items differ much" if self.spread < 5 else ""
        return (
            f"{self.items} items, {self.others} others, {self.questions} questions, "
            f"agreement {self.mean:.2f}{between}"
        )


WORLDS = (
    World(15, 4, 7, 0.6),
    World(15, 4, 7, 0.9),
    World(15, 4, 1, 0.6),
    World(15, 4, 7, 0.6, spread=2),
    World(8, 2, 1, 0.5),
    World(6, 4, 7, 0.6),
    World(30, 2, 3, 0.4),
    World(15, 4, 7, 0.6, people=0.1),
    World(15, 9, 1, 0.6, people=0.1),
)


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        theirs, alike = covered(world, studies, np.random.default_rng(number))
        beside = f"people like them {100 * alike:.0f}" if world.people else ""
        yield coverage_row("agreement with others", world.named, 100 * theirs, remark=beside)


def covered(world: World, studies: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the coverage for these workers, and for workers like them."""
    hits = np.zeros(2)
    for _ in range(studies):
        same, true = drawn(world, rng)
        votes = world.others * world.questions
        found = agreement_with_others({item: (int(n), votes) for item, n in enumerate(same)})
        hits += [found.low <= each <= found.high for each in (true, world.mean)]
    theirs, alike = hits / studies
    return float(theirs), float(alike)


def drawn(world: World, rng: np.random.Generator) -> tuple[Floats, float]:
    """How many votes say the same on each item, and the chance of these people on any item."""
    a, b = world.mean * world.spread, (1 - world.mean) * world.spread
    easy = rng.beta(a, b, size=world.items)
    shifts = rng.normal(0, world.people, size=world.others) if world.people else np.zeros(1)
    chances = np.clip(easy[:, None] + shifts, 0, 1)
    many = np.clip(rng.beta(a, b, size=4000)[:, None] + shifts, 0, 1) if world.people else None
    true = world.mean if many is None else float(many.mean())
    votes = world.others * world.questions // len(shifts)
    return rng.binomial(votes, chances).sum(axis=1).astype(float), true
