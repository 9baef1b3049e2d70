"""Cross-fitted C* of small studies over the starts of MACE.

As many raters and votes as of the single responses of the Crowd RAG Corpus: 15 raters in three
questionnaires, 47 responses with five votes each. A rater knows an answer with a probability of
their own, and else guesses out of a habit. The interval over 21 starts is compared with the values
of starts that it has not seen, and with the interval of one start.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.stats.agreement.corrected_agreement import corrected_agreement, spread_over_starts
from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes
from benchmarks.coverage.intervals import coverage_row
from benchmarks.reporting import Row

STUDIES = 500
STARTS, FRESH = 20, 5
MOST_OUTSIDE = 5.0
NOTE = (
    f"Over {STUDIES} simulated studies with {FRESH} fresh starts each: the share of their values "
    "in % that lie outside the interval, where one is offered. The former interval is that of one "
    "start."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """knows: mean probability that a rater knows; five raters to a questionnaire of 16 items.

    common: truth and habits prefer one option, as ratings of good texts do.
    """

    knows: float
    raters: int = 15
    options: int = 4
    common: bool = False


WORLDS = (
    World(knows=0.2),
    World(knows=0.4),
    World(knows=0.6),
    World(knows=0.3, common=True),
)


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        yield of_world(world, studies, np.random.default_rng(number))


def of_world(world: World, studies: int, rng: np.random.Generator) -> Row:
    """Return the row of one world."""
    outside, former, refused, widest = [], [], 0, []
    for _ in range(studies):
        try:
            result = corrected_agreement(
                draw(world, rng), null_draws=0, draws=1, over="workers and items",
                starts=STARTS + FRESH,
            )  # fmt: skip
        except CannotCompute:
            continue
        alpha, spread = result.cross_fitted.alpha, result.spread
        if spread is None or np.isnan(alpha.low):
            continue
        first, fresh = np.split(np.array(spread.values[1:]), [STARTS])
        shown = spread_over_starts(first, alpha)
        former.append(beyond(fresh, alpha.low, alpha.high))
        widest.append(shown.highest - shown.lowest)
        if shown.why:
            refused += 1
        else:
            outside.append(beyond(fresh, shown.low, shown.high))
    return coverage_row(
        "values of other starts outside the interval of C*",
        f"{world.raters} raters, {world.options} options, know {world.knows:.1f}"
        + (", one option preferred" if world.common else ""),
        100 * float(np.mean(outside)),
        least=None,
        most=MOST_OUTSIDE,
        remark=f"an interval in {100 * len(former) / studies:.0f} % of studies, of these "
        f"{100 * refused / len(former):.0f} % refused; the former interval "
        f"{100 * np.mean(former):.0f}; starts spread over {np.median(widest):.2f} (median), "
        f"{np.max(widest):.2f} at most",
    )


def beyond(values: Floats, low: float, high: float) -> float:
    """Return the share of values outside an interval; undefined ones are outside."""
    return float(1 - ((low <= values) & (values <= high)).mean())


def draw(world: World, rng: np.random.Generator) -> Votes:
    """Return the votes of one study."""
    parts = world.raters // 5
    N = parts * 16 - 1
    item = np.repeat(np.arange(N), 5)
    worker = item % parts * 5 + np.tile(np.arange(5), N)
    knows = rng.beta(4 * world.knows, 4 * (1 - world.knows), world.raters)
    weight = np.ones(world.options)
    weight[-1] += 4 * world.common
    truth = rng.choice(world.options, N, p=weight / weight.sum())
    habit = rng.dirichlet(1.5 * weight, world.raters).cumsum(axis=1)
    guess = (rng.random(len(item))[:, None] > habit[worker]).sum(axis=1)
    value = np.where(
        rng.random(len(item)) < knows[worker], truth[item], np.minimum(guess, world.options - 1)
    )
    return Votes.from_indices(item, worker, value, options=range(world.options))
