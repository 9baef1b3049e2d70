"""Blocks of four out of eight texts, and people who choose by known merits."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from analysis.stats.choices.choices import Choices

# Popp et al.: the quadruples of 0..7 with XOR 0, a balanced incomplete block design (8, 4, 3):
# every text in 7 of 14 blocks, every pair in 3.
BLOCKS = [(a, b, c, d) for a, b, c, d in combinations(range(8), 4) if a ^ b ^ c ^ d == 0]
MARKS = {0: 1, 3: -1}


def frame_of(rankings):
    """Rankings of four as answers that name the first and the last."""
    rows = [
        (answer, f"t{unit}", MARKS.get(place, 0))
        for answer, ranking in enumerate(rankings)
        for place, unit in enumerate(ranking)
    ]
    return pd.DataFrame(rows, columns=["answer", "unit", "mark"])


@pytest.fixture
def ranked():
    """ranked(merits, times, seed): Plackett-Luce rankings of all blocks, each so many times."""

    def draw(merits, times, seed=0):
        rng = np.random.default_rng(seed)
        merits = np.asarray(merits, dtype=float)
        # the order of merits with Gumbel noise is a Plackett-Luce ranking
        return [
            [block[k] for k in np.argsort(-(merits[list(block)] + rng.gumbel(size=4)))]
            for block in BLOCKS
            for _ in range(times)
        ]

    return draw


@pytest.fixture
def choices(ranked):
    return lambda *args, **options: Choices.from_frame(frame_of(ranked(*args, **options)))
