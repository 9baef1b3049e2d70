"""Intervals for these raters: teams of three, five and eight people.

With fewer than ten raters an interval is about these raters on other topics. What is true is
therefore their own: what the same team finds in very many topics. Worlds are not those of
simulated_studies.py: leans of an exponential distribution, cells that are missing by loads that
differ, and a generator of its own (probit votes, Laplace and t effects, personal taste, careless
raters).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.worker_changes import from_merits
from analysis.stats.tournaments.head_to_head import points
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.coverage.votes import fitted
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study

STUDIES, TEAMS, LARGE = 500, 20, 2500  # studies; teams of which they are; topics of what is true
BALANCED, SKEWED, MISSING, OTHER = WORLDS = (
    "balanced",
    "skewed effects",
    "missing cells",
    "another generator",
)
SIZES = ((3, 12), (5, 12), (8, 12), (5, 24))  # raters, topics
SYSTEMS, LEAD = 3, 0.5  # LEAD: of one of them over the two others, in logits
MEAN = "mean of a system, for these raters"
DIFFERENCE = "difference of two systems, for these raters"
POINTS = "points of a system, for these raters"
ALPHA = "alpha, for these raters"
NOTE = (
    f"Coverage in % of intervals at 95 % for the raters who judged, on other topics, over {STUDIES}"
    f" simulated studies of {TEAMS} teams (standard error 1)."
)


@dataclass(frozen=True, eq=False)
class Team:
    """Raters of one team. lean (W, systems), side, tie, tells, load (W,): load: share of pairs."""

    lean: Floats
    side: Floats
    tie: Floats
    tells: Floats
    load: Floats


def spread(world: str, sd: float, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Return effects with mean 0 and this standard deviation."""
    if world == SKEWED:
        return sd * (rng.exponential(1.0, shape) - 1)
    if world == OTHER:
        return sd * rng.standard_t(5, shape) / np.sqrt(5 / 3)
    return rng.normal(0, sd, shape)


def draw_team(world: str, raters: int, rng: np.random.Generator) -> Team:
    tells = np.exp(rng.normal(0, 0.4, raters))
    load = np.ones(raters)
    if world == OTHER:
        tells[rng.random(raters) < 0.15] = 0.05
    if world in (MISSING, OTHER):
        load = np.clip(rng.dirichlet(np.full(raters, 2.0)) * raters * 0.6, 0.15, 1)
    return Team(
        lean=spread(world, 0.45, (raters, SYSTEMS), rng),
        side=spread(world, 0.4, (raters,), rng) - 0.13,
        tie=0.6 * np.exp(rng.normal(0, 0.4, raters)),
        tells=tells,
        load=load,
    )


def draw_study(world: str, team: Team, topics: int, rng: np.random.Generator) -> Study:
    """Draw topics with a text of each system, of which the team judges all pairs."""
    system = np.tile(np.arange(SYSTEMS), topics)
    merit = LEAD * (system == 1) + spread(world, 0.86, (len(system),), rng)
    i, j = np.triu_indices(SYSTEMS, 1)
    first = np.arange(topics)[:, None] * SYSTEMS
    a, b = (first + i).ravel(), (first + j).ravel()
    item, worker = np.nonzero(rng.random((len(a), len(team.load))) < team.load)
    taste = merit[:, None] + team.lean.T[system]
    if world == OTHER:
        taste = taste + rng.normal(0, 0.5, taste.shape)
    left = rng.integers(0, 2, len(item))
    gap = taste[a[item], worker] - taste[b[item], worker]
    x = team.tells[worker] * gap + team.side[worker] * (2 * left - 1)
    value = _votes(world, x, team.tie[worker], rng)
    topic = np.repeat(np.arange(topics), len(i))
    return Study(a, b, topic, system, merit, item, worker, value, left)


def _votes(world: str, x: Floats, tie: Floats, rng: np.random.Generator) -> Ints:
    """Return 0 for the first text, 1 for neither, 2 for the second; x is the lead of the first."""
    noise = rng.normal(0, 1.6, len(x)) if world == OTHER else rng.logistic(0, 1, len(x))
    return np.where(x + noise > tie, 0, np.where(x + noise < -tie, 2, 1))


def rows(studies: int) -> Iterator[Row]:
    for world in WORLDS:
        for raters, topics in SIZES:
            tally = Tally()
            rng = np.random.default_rng(1000 * raters + topics)
            for _ in range(TEAMS):
                team = draw_team(world, raters, rng)
                truth = true_values(draw_study(world, team, LARGE, rng))
                for _ in range(max(1, studies // TEAMS)):
                    tally.add(covers(draw_study(world, team, topics, rng), truth))
            for name in tally.hits:
                size = f"{world}: {raters} raters, {topics} topics"
                offered = tally.offered(name)
                remark = "" if offered > 99.9 else f"offered in {offered:.0f} %"
                yield coverage_row(name, size, tally.share(name), remark=remark)


def true_values(study: Study) -> dict[str, float]:
    """Return what the team of a very large study finds."""
    mean = worth(study)[0].groupby("group")["value"].mean()
    return {
        MEAN: float(mean[1]),
        DIFFERENCE: float(mean[1] - mean[0]),
        POINTS: float(games(study)["score"].mean()),
        ALPHA: krippendorff_alpha(study.all_votes(), draws=0).value,
    }


def covers(study: Study, truth: dict[str, float]) -> Hits:
    """Return 1 for intervals that hold what is true, 0 for others, NaN where none is offered."""
    found = crossed_means(*worth(study))
    mean = found.means.set_index("group").loc[1]
    pairs = found.differences.set_index(["first", "second"])
    turned = (1, 0) not in pairs.index
    pair = pairs.loc[(0, 1) if turned else (1, 0)]
    low, high = (-pair.high, -pair.low) if turned else (pair.low, pair.high)
    alpha = crossed_alpha(study.all_votes(), together=study.topic.tolist())
    point = points(games(study)).set_index("first").loc[1]
    ends = {
        MEAN: (mean.low, mean.high),
        DIFFERENCE: (low, high),
        POINTS: (point.low, point.high),
        ALPHA: (alpha.low, alpha.high),
    }
    return {name: holds(*interval, truth[name]) for name, interval in ends.items()}


def worth(study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return values and changes of systems by merits."""
    _, result = fitted(study)
    errors = merit_errors(result, workers=study.worker.tolist())
    return from_merits(result, errors, dict(enumerate(study.system.tolist())))


def games(study: Study) -> pd.DataFrame:
    """Return the votes between the systems 1 and 0; the score is that of system 1."""
    first, second = (study.system[side[study.item]] for side in (study.a, study.b))
    played = (first + second == 1) & (first != second)
    score = np.where(first == 1, 1 - study.value / 2, study.value / 2)[played]
    return pd.DataFrame(
        {
            "topic": study.topic[study.item][played],
            "worker": study.worker[played],
            "first": 1,
            "second": 0,
            "score": score,
        }
    )
