"""Intervals for these raters of the effect of position, of tau and of Elo ratings.

Teams, and what is true, are those of few_raters.py; worlds are those that are harder than a
balanced one. Tau is that between the texts of a topic, by a judge and by the team; Elo ratings are
those by the team's votes, beside the judge's. A rating depends on how many games are played: what
is true is the mean of the other studies of the team, which lie around it (with 25 studies coverage
comes out .4 points low).
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
from benchmarks.coverage.few_raters import SYSTEMS, TEAMS, WORLDS, draw_study, draw_team
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study

STUDIES, LARGE = 500, 1000  # studies; topics of what is true
TOURNAMENTS = 30
SIZES = ((3, 12), (8, 24))  # raters, topics
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
    for world in WORLDS[1:]:
        for raters, topics in SIZES:
            tally = Tally()
            rng = np.random.default_rng(1000 * raters + topics)
            for _ in range(TEAMS):
                team, lean = draw_team(world, raters, rng), rng.normal(0, 0.4, SYSTEMS)
                large = draw_study(world, team, LARGE, rng)
                truth = {
                    POSITION: position(large)[0],
                    TAU: texts_alike(*beside(large, lean, rng), confidence=0.95).tau,
                }
                rated = []
                for _ in range(max(2, studies // TEAMS)):
                    study = draw_study(world, team, topics, rng)
                    tally.add(covers(study, lean, truth, rng))
                    rated.append(ratings(study, lean, rng))
                for hits in of_ratings(pd.DataFrame(rated)):
                    tally.add(hits)
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
    ends = {POSITION: position(study)[1:], TAU: (tau.low, tau.high)}
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


def of_ratings(rated: pd.DataFrame) -> Iterator[Hits]:
    """Yield whether intervals of a team's studies hold the mean of the others."""
    n = len(rated)
    columns = {RATING: "people_rating", APART: "difference"}
    for row in rated.to_dict("records"):
        yield {
            name: holds(
                row[f"{column}_low"],
                row[f"{column}_high"],
                (rated[column].sum() - row[column]) / (n - 1),
            )
            for name, column in columns.items()
        }
