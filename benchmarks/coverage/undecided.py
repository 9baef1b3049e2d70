"""Studies that ask their undecided items again (judging/design/undecided.py).

The first batch decides which items get more votes, so its votes are no random sample of all. A
study has a first batch of equally many votes on each pair; pairs without an answer that has three
fifths of their votes are then asked again, of other workers. What is true is the mean of numbers
of first batches alone, over as many other studies, as they are drawn without regard to outcomes.
Workers and texts are those of few_raters.py.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.arrays import Flags
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.tournaments.head_to_head import points
from benchmarks.coverage.few_raters import BALANCED, OTHER, draw_study, draw_team, games, worth
from benchmarks.coverage.intervals import coverage_row, holds
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study

STUDIES = 500
TOPICS, WORKERS = 30, 30
VOTES = ((5, 5), (2, 4))  # of the first batch, and more on undecided items
SHARE = 3 / 5
POINTS, DIFFERENCE, ALPHA = "win rate of a system", "difference in strength", "alpha"
NOTE = (
    f"Coverage in % of intervals at 95 % over {STUDIES} simulated studies (standard error 1) of "
    f"{TOPICS} topics and {WORKERS} workers. Bias in standard deviations of the first batch's "
    "number (standard error .06)."
)
Found = dict[str, tuple[float, float, float]]  # value, low, high


def rows(studies: int) -> Iterator[Row]:
    for world in (BALANCED, OTHER):
        for first, more in VOTES:
            rng = np.random.default_rng(10 * first + more)
            alone, both, again = [], [], []
            for _ in range(studies):
                study = _complete(world, rng)
                batch = _batch(study, first, rng)
                undecided = _undecided(study, batch)
                later = ~batch & undecided[study.item]
                followed = batch | (later & _batch(study, more, rng, among=later))
                alone.append(found(_only(study, batch)))
                both.append(found(_only(study, followed)))
                again.append(undecided.mean())
            size = f"{world}: {first} votes, {more} more on {100 * np.mean(again):.0f} % of pairs"
            yield from _rows(size, alone, both)


def _rows(size: str, alone: list[Found], both: list[Found]) -> Iterator[Row]:
    for name in (POINTS, DIFFERENCE, ALPHA):
        numbers = [np.array([study[name] for study in studies]) for studies in (alone, both)]
        truth, spread = numbers[0][:, 0].mean(), numbers[0][:, 0].std(ddof=1)
        for when, values in zip(("first batch", "with the second batch"), numbers, strict=True):
            held = [holds(low, high, truth) for _, low, high in values]
            bias = (values[:, 0].mean() - truth) / spread
            yield coverage_row(
                f"{name}, {when}",
                size,
                100 * float(np.nanmean(held)),
                remark=f"bias {bias:+.2f} sd: {values[:, 0].mean():.3f}, truth {truth:.3f}",
            )


def _complete(world: str, rng: np.random.Generator) -> Study:
    """Return a study in which each worker answers each pair."""
    team = draw_team(world, WORKERS, rng)
    return draw_study(world, replace(team, load=np.ones(WORKERS)), TOPICS, rng)


def _batch(study: Study, votes: int, rng: np.random.Generator, among: Flags | None = None) -> Flags:
    """Return a mask that keeps this number of votes on each pair, from random workers."""
    chance = rng.random(len(study.item))
    if among is not None:
        chance[~among] = 2.0
    order = np.lexsort((chance, study.item))
    rank = np.empty(len(order), dtype=np.int64)
    starts = np.searchsorted(study.item[order], np.arange(len(study.a)))
    rank[order] = np.arange(len(order)) - starts[study.item[order]]
    return np.asarray(rank < votes)


def _undecided(study: Study, batch: Flags) -> Flags:
    counts = np.zeros((len(study.a), 3))
    np.add.at(counts, (study.item[batch], study.value[batch]), 1)
    return np.asarray(counts.max(axis=1) < SHARE * counts.sum(axis=1) - 1e-9)


def _only(study: Study, votes: Flags) -> Study:
    names = ("item", "worker", "value", "left")
    return replace(study, **{name: getattr(study, name)[votes] for name in names})


def found(study: Study) -> Found:
    pairs = crossed_means(*worth(study)).differences.set_index(["first", "second"])
    columns = ["difference", "low", "high"]
    if (1, 0) in pairs.index:
        value, low, high = pairs.loc[(1, 0), columns]
    else:
        value, high, low = -pairs.loc[(0, 1), columns].astype(float)
    point = points(games(study)).set_index("first").loc[1]
    alpha = crossed_alpha(study.all_votes())
    return {
        POINTS: (point["points"], point.low, point.high),
        DIFFERENCE: (float(value), float(low), float(high)),
        ALPHA: (alpha.value, alpha.low, alpha.high),
    }
