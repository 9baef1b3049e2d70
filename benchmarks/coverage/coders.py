"""Intervals of kappa and alpha of two coders on one code, where the product shows them.

What is true is kappa, or alpha, of very many comments of the same world. Comments are independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.stats.agreement.code_agreement import code_agreement
from analysis.stats.arrays import Flags
from benchmarks.coverage.intervals import MOST, coverage_row
from benchmarks.reporting import Row

STUDIES = 600
MANY = 400_000
DRAWS = 1000
FEW = 12  # comments about the code: expanded intervals may be wide
NOTE = (
    f"Coverage in % of intervals at 95 %, of {STUDIES} simulated codings (standard error .9), over "
    "those with an interval. With 12 or fewer comments about the code it may be wide."
)


@dataclass(frozen=True)
class World:
    """Comments of which a share is about the code; a coder gives it rightly or by mistake."""

    units: int
    share: float
    right: float = 0.8
    mistaken: float = 0.03

    @property
    def named(self) -> str:
        return (
            f"{self.units} comments, {100 * self.share:.0f}% about the code, "
            f"found in {100 * self.right:.0f}%"
        )


WORLDS = (
    World(30, 0.2),
    World(30, 0.4),
    World(60, 0.1),
    World(60, 0.2),
    World(60, 0.4),
    World(120, 0.1),
    World(120, 0.4),
    World(60, 0.3, right=0.5, mistaken=0.1),
)


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        rng = np.random.default_rng(number)
        true = code_agreement(drawn(world, MANY, rng), draws=0)
        hits: dict[str, list[bool]] = {"kappa": [], "alpha": []}
        for seed in range(studies):
            found = code_agreement(drawn(world, world.units, rng), draws=DRAWS, seed=seed)
            for name in hits:
                measure, value = getattr(found, name), getattr(true, name).value
                if measure.low is not None:
                    hits[name].append(measure.low <= value <= measure.high)
        for name, held in hits.items():
            yield coverage_row(
                f"{name} of two coders",
                world.named,
                100 * float(np.mean(held)) if held else float("nan"),
                most=None if world.units * world.share <= FEW else MOST,
                remark=f"interval in {100 * len(held) / studies:.0f}%",
            )


def drawn(world: World, units: int, rng: np.random.Generator) -> Flags:
    """Return which comments each of two coders gives the code to, (2, N)."""
    about = rng.random(units) < world.share
    chance = np.where(about, world.right, world.mistaken)
    return np.array([rng.random(units) < chance, rng.random(units) < chance])
