"""Intervals for these raters of the effect of position, of tau and of Elo ratings.

Teams, worlds and what is true are those of few_raters.py. Tau is that between the texts of a topic,
by a judge and by the team; Elo ratings are those by the team's votes, beside the judge's. A rating
depends on how many games are played: what is true is the mean of many studies of the same size.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.position_effect import position_effect
from analysis.stats.bradley_terry.position_errors import position_errors
from analysis.stats.design_checks import About
from analysis.stats.judges.system_ranking import texts_alike, worth_of
from analysis.stats.tournaments.elo_comparison import elo_beside
from benchmarks.coverage.few_raters import SYSTEMS, TEAMS, WORLDS, Team, draw_study, draw_team
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study

STUDIES, LARGE = 500, 1000  # studies; topics of what is true
ALIKE, TOURNAMENTS = 30, 30  # studies and tournaments of which the true Elo rating is the mean
SIZES = ((3, 12), (4, 24), (8, 12))  # raters, topics
NUMBERS = {0: 1.0, 1: 0.5, 2: 0.0}
POSITION = "effect of position, for these raters"
TAU = "tau between the texts of a topic, for these raters"
RATING = "Elo rating by people, for these raters"
APART = "Elo rating of a judge less that by people, for these raters"
NOTE = (
    f"Coverage in % of intervals at 95 % for the raters who judged, on other topics, over {STUDIES}"
    f" simulated studies of {TEAMS} teams (standard error 1). From five raters on the interval of "
    "the effect of position is over raters (coverage votes)."
)


def rows(studies: int) -> Iterator[Row]:
    for world in WORLDS:
        for raters, topics in SIZES:
            tally = Tally()
            rng = np.random.default_rng(1000 * raters + topics)
            for _ in range(TEAMS):
                team, lean = draw_team(world, raters, rng), rng.normal(0, 0.4, SYSTEMS)
                large = draw_study(world, team, LARGE, rng)
                truth = {
                    POSITION: position(large)[0],
                    TAU: texts_alike(*beside(large, lean, rng), confidence=0.95).tau,
                    **true_ratings(world, team, lean, topics, rng),
                }
                for _ in range(max(1, studies // TEAMS)):
                    study = draw_study(world, team, topics, rng)
                    tally.add(covers(study, lean, truth, rng))
            yield from of_size(f"{world}: {raters} raters, {topics} topics", tally)


def of_size(size: str, tally: Tally) -> Iterator[Row]:
    for name in tally.hits:
        offered = tally.offered(name)
        if offered:
            remark = "" if offered > 99.9 else f"offered in {offered:.0f} %"
            yield coverage_row(name, size, tally.share(name), remark=remark)


def covers(study: Study, lean: Floats, truth: dict[str, float], rng: np.random.Generator) -> Hits:
    """Return 1 for intervals that hold what is true, 0 for others, NaN where none is offered."""
    judge, people = beside(study, lean, rng)
    tau = texts_alike(judge, people, confidence=0.95)
    elo = ratings(study, lean, rng)
    ends = {
        POSITION: position(study)[1:],
        TAU: (tau.low, tau.high),
        RATING: (elo["people_rating_low"], elo["people_rating_high"]),
        APART: (elo["difference_low"], elo["difference_high"]),
    }
    return {name: holds(*interval, truth[name]) for name, interval in ends.items()}


def position(study: Study) -> tuple[float, float, float]:
    """Return the effect of position and its interval for these raters."""
    frame = study.comparisons()
    comparisons = Comparisons.from_frame(frame)
    workers = frame["worker"].tolist()
    effect = position_effect(comparisons, clusters=workers)
    errors = position_errors(comparisons, effect, workers=workers)
    if errors.about[0] is not About.THESE:
        return float(effect.effect[0]), np.nan, np.nan
    return float(effect.effect[0]), float(errors.low[0]), float(errors.high[0])


def labels(study: Study, value: Floats, worker: Floats, item: Floats) -> pd.DataFrame:
    """Return labels on pairs, as worth_of reads them."""
    return pd.DataFrame(
        {
            "worker": worker, "unit": item.astype(str), "topic": study.topic[item], "value": value,
            "first": study.a[item].astype(str), "second": study.b[item].astype(str),
        }
    )  # fmt: skip


def by_judge(study: Study, lean: Floats, rng: np.random.Generator) -> Floats:
    """Return the score that a judge with leans gives the first text of each pair."""
    worth = study.merit + lean[study.system]
    gap = worth[study.a] - worth[study.b] + rng.logistic(0, 1, len(study.a))
    return np.where(gap > 0, 1.0, 0.0)


def beside(
    study: Study, lean: Floats, rng: np.random.Generator
) -> tuple[pd.DataFrame, pd.DataFrame]:
    items = np.arange(len(study.a))
    judge = labels(study, 2 - 2 * by_judge(study, lean, rng), np.zeros(len(items)), items)
    people = labels(study, study.value, study.worker, study.item)
    made = [worth_of(frame, NUMBERS, is_pair=True) for frame in (judge, people)]
    return made[0], made[1]


def ratings(study: Study, lean: Floats, rng: np.random.Generator) -> "pd.Series[float]":
    """Return ratings of the second system."""
    games = pd.DataFrame(
        {
            "item": np.arange(len(study.a)), "topic": study.topic,
            "first": study.system[study.a], "second": study.system[study.b],
            "score": by_judge(study, lean, rng),
        }
    )  # fmt: skip
    votes = pd.DataFrame({"item": study.item, "worker": study.worker, "score": 1 - study.value / 2})
    frame = elo_beside(games, votes, tournaments=TOURNAMENTS, seed=int(rng.integers(1e9))).frame
    return frame.set_index("system").loc[1]


def true_ratings(
    world: str, team: Team, lean: Floats, topics: int, rng: np.random.Generator
) -> dict[str, float]:
    """Return mean ratings of many studies of the team."""
    made = pd.DataFrame(
        [ratings(draw_study(world, team, topics, rng), lean, rng) for _ in range(ALIKE)]
    )
    return {RATING: made["people_rating"].mean(), APART: made["difference"].mean()}
