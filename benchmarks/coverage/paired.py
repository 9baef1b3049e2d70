"""Intervals of paired differences.

Differences of topics are drawn normal, with long tails, skewed to either side, in two humps,
evenly, and in steps as of mean grades. What is true is that of very many topics.
"""

from collections.abc import Callable, Iterator

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.effects.paired import PairedResult, paired_test
from analysis.stats.effects.rank_biserial import rank_biserial
from benchmarks.coverage.intervals import LEAST, MOST, Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row

TOPICS = (LEAST_UNITS, 20, 65)
SHIFTS = (0.0, 0.5, 1.0)  # the mean difference, in standard deviations
STUDIES, BESIDE, DRAWS, LARGE = 1000, 100, 200, 200_000
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated sets of topics (standard error "
    f".7), of what stood there before over {BESIDE} (2): for d_z the interval of the noncentral t, "
    "for the rank-biserial the percentile bootstrap over topics. An interval of few topics may "
    "cover more than 97 %: ranks come in steps. Of skewed differences fewer than twenty topics are "
    "promised nothing: the mean itself is skewed."
)
Draw = Callable[[np.random.Generator, int], Floats]


def skewed(rng: np.random.Generator, size: int) -> Floats:
    """With a mean of 0, a standard deviation of 1 and a skewness of 1.41."""
    return np.asarray(rng.gamma(2, size=size) / 2**0.5 - 2**0.5)


WORLDS: dict[str, Draw] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "long tails (t with 6)": lambda rng, size: rng.standard_t(6, size) / 1.5**0.5,
    "skewed to the right": skewed,
    "skewed to the left": lambda rng, size: -skewed(rng, size),
    "two humps": lambda rng, size: rng.choice([-0.9, 0.9], size) + rng.normal(0, 0.44, size),
    "even": lambda rng, size: rng.uniform(-(3**0.5), 3**0.5, size),
    "steps of a half": lambda rng, size: rng.normal(size=size),
}


def rows(studies: int) -> Iterator[Row]:
    for name in WORLDS:
        for topics in TOPICS:
            yield from of_world(name, topics, studies)


def of_world(name: str, topics: int, studies: int) -> Iterator[Row]:
    """Yield the rows of a kind of differences, for each shift of their mean."""
    rng = np.random.default_rng(topics)
    promised = topics >= 20 or "skewed" not in name
    for shift in SHIFTS:
        truth = true_values(draw(name, shift, LARGE, rng))
        tally = Tally()
        for number in range(studies):
            d = draw(name, shift, topics, rng)
            result = paired_test(np.zeros(topics), d)
            tally.add(covers(result, truth))
            if number < BESIDE:
                tally.add(covered_before(d, result, truth, rng), suffix=" before")
        for what, true in truth.items():
            before = f"{what} before"
            beside = f"; before {tally.share(before):.0f}" if before in tally.hits else ""
            yield coverage_row(
                f"{what}: {name}",
                f"{topics} topics",
                tally.share(what),
                least=LEAST if promised else None,
                most=MOST if promised and what == "mean" and "steps" not in name else None,
                remark=f"truth {true:.2f}{beside}",
            )


def draw(name: str, shift: float, size: int, rng: np.random.Generator) -> Floats:
    d = WORLDS[name](rng, size) + shift
    return np.round(2 * d) / 2 if "steps" in name else d


def true_values(d: Floats) -> dict[str, float]:
    return {
        "mean": float(d.mean()),
        "d_z": float(d.mean() / d.std()),
        "rank-biserial": rank_biserial(d),
    }


def covers(result: PairedResult, truth: dict[str, float]) -> Hits:
    """Which intervals hold what is true: 1, 0, or NaN where none is offered."""
    ends = {
        "mean": (result.low, result.high),
        "d_z": (result.d_z_low, result.d_z_high),
        "rank-biserial": (result.rank_biserial_low, result.rank_biserial_high),
    }
    return {name: holds(*each, truth[name]) for name, each in ends.items()}


def covered_before(
    d: Floats, result: PairedResult, truth: dict[str, float], rng: np.random.Generator
) -> Hits:
    """Return the same for the noncentral t and a bootstrap."""
    n = len(d)
    tail = scipy.stats.nct.cdf(result.t, n - 1, truth["d_z"] * n**0.5)
    drawn = [rank_biserial(d[rng.integers(0, n, n)]) for _ in range(DRAWS)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return {
        "d_z": float(0.025 <= tail <= 0.975),
        "rank-biserial": holds(low, high, truth["rank-biserial"]),
    }
