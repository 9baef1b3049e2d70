"""The one-sided bound where every vote prefers one system.

Units (topics, or workers) prefer A at random, each in all of its votes; the others are as many or
more. The share that prefers A is what the bound would just miss: the worst case, in which a study
of n units that all prefer A has its bound above the truth.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.stats.effects.sweeps import sweeps_of
from benchmarks.coverage.families import ALPHA
from benchmarks.coverage.intervals import coverage_row
from benchmarks.reporting import Row

STUDIES, MOST = 2000, 6.0  # 5 %, and two standard errors above
SIZES = ((10, 10), (10, 30), (30, 30))
NOTE = f"Share of {STUDIES} simulated studies with a bound above the truth, in %; 5 is promised."


def rows(studies: int) -> Iterator[Row]:
    for n, others in SIZES:
        for unit, other in (("topic", "worker"), ("worker", "topic")):
            rng = np.random.default_rng([n, others, unit == "topic"])
            share = ALPHA ** (1 / n) - 1e-6
            wrong = wins = 0
            for _ in range(studies):
                for truth in (share, 0.5):
                    prefers = rng.random(n) < truth
                    if 0 < prefers.sum() < n:
                        continue
                    sweeps = sweeps_of(_votes(prefers, others, unit, other))
                    for sweep in sweeps.values():
                        wrong += truth == share and sweep.winner == "A" and sweep.least() > truth
                        wins += truth == 0.5 and sweep.p <= ALPHA
            size = f"{n} {unit}s of one mind each, {others} {other}s"
            yield coverage_row("bound above the truth", size, 100 * wrong / studies, least=None,
                               most=MOST)  # fmt: skip
            yield coverage_row("a winner of equals", size, 100 * wins / studies, least=None,
                               most=MOST)  # fmt: skip


def _votes(prefers: np.ndarray, others: int, unit: str, other: str) -> pd.DataFrame:
    n = len(prefers)
    return pd.DataFrame(
        {
            "first": "A", "second": "B", "outcome": np.repeat(np.where(prefers, 1, -1), others),
            unit: np.repeat(np.arange(n), others), other: np.tile(np.arange(others), n),
        }
    )  # fmt: skip
