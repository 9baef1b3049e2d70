"""Intervals of a bank's leaderboard, over topics, where people graded.

The page says that they are for these raters: what is true then is what the same raters find in very
many topics. Whether they would hold for raters like these is counted beside it: then what is true
is the mean over very many teams. Own world: normal effects, equal loads. Skewed: exponential
effects of topics and raters, loads that differ tenfold, a tenth of the grades missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.retrieval.coverage import cover
from analysis.stats.retrieval.entry_values import EntryValues
from analysis.stats.retrieval.leaderboards import with_intervals_that_cover
from analysis.stats.retrieval.rankings import mean_over_topics
from benchmarks.coverage.intervals import Hits, Tally, coverage_row, holds
from benchmarks.reporting import Row

STUDIES, TEAMS, LARGE = 500, 25, 1000  # studies; teams of which they are; topics of what is true
SYSTEMS, ENTRIES, POOL, DEPTH, VOTES = 3, 10, 16, 8, 3
VITAL = np.arange(ENTRIES) % 2 == 0
LEVEL = 4  # of grades from 0 to 5
ANSWERS = ("vital", "strict vital", "all", "strict all")
RANKINGS = ("cover", "n-cover")
LEAST, MOST = 92.0, 97.0
NOTE = (
    f"Coverage in % of intervals at 95 %, over {STUDIES} simulated studies of {TEAMS} teams "
    f"(standard error 1) with {SYSTEMS} systems, {ENTRIES} entries a topic and {VOTES} raters a "
    "topic. For raters like these, beside it, is no claim of the page."
)


@dataclass(frozen=True, kw_only=True)
class World:
    raters: int
    topics: int
    skewed: bool = False

    def __str__(self) -> str:
        kind = "skewed effects, uneven loads" if self.skewed else "normal effects, equal loads"
        return f"{kind}: {self.raters} raters, {self.topics} topics"


WORLDS = [
    World(raters=raters, topics=topics, skewed=skewed)
    for raters, topics in ((3, 30), (10, 30), (30, 30), (90, 30), (10, 12))
    for skewed in (False, True)
]


@dataclass(frozen=True, eq=False)
class Team:
    """Severity of each rater and the share of the work that each takes."""

    severity: Floats
    load: Floats


def effects(world: World, sd: float, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    if world.skewed:
        return np.asarray(sd * (rng.exponential(1.0, shape) - 1))
    return rng.normal(0, sd, shape)


def draw_team(world: World, rng: np.random.Generator) -> Team:
    load = rng.uniform(0.1, 1, world.raters) if world.skewed else np.ones(world.raters)
    return Team(effects(world, 0.5, (world.raters,), rng), load / load.sum())


def severities(team: Team, topics: int, rng: np.random.Generator) -> Floats:
    """Return the severities (topics, VOTES) of the raters of each topic, who are different."""
    keys = rng.gumbel(size=(topics, len(team.load))) + np.log(team.load)
    return np.asarray(team.severity[np.argsort(-keys, axis=1)[:, :VOTES]])


def graded(
    world: World, latent: Floats, severity: Floats, cuts: Floats, rng: np.random.Generator
) -> Floats:
    """Return the grades (T, ..., VOTES) of latent qualities (T, ...); NaN is a missing one."""
    severe = severity.reshape(len(severity), *[1] * (latent.ndim - 1), VOTES)
    x = latent[..., None] - severe + rng.normal(0, 0.5, (*latent.shape, VOTES))
    grades = np.searchsorted(cuts, x).astype(np.float64)
    if world.skewed:
        grades[rng.random(grades.shape) < 0.1] = np.nan
    return grades


def answer_values(world: World, severity: Floats, rng: np.random.Generator) -> Floats:
    """Return the support (T, S, E) of each entry by each answer, averaged over raters."""
    T = len(severity)
    latent = (
        0.3 * np.arange(SYSTEMS)[:, None]
        + effects(world, 0.5, (T, 1, 1), rng)
        + effects(world, 0.4, (T, SYSTEMS, 1), rng)
        + rng.normal(0, 0.8, (T, SYSTEMS, ENTRIES))
    )
    votes = graded(world, latent, severity, np.array([-0.6, 0.2]), rng) / 2
    return mean_of_votes(votes)


def passage_grades(world: World, severity: Floats, rng: np.random.Generator) -> Floats:
    """Return the grades (T, POOL, E) from 0 to 5 of the passages, means rounded half up."""
    T = len(severity)
    latent = (
        effects(world, 0.5, (T, 1, 1), rng)
        + rng.normal(0, 0.6, (T, POOL, 1))
        + rng.normal(0, 0.6, (T, 1, ENTRIES))
        + rng.normal(0, 0.6, (T, POOL, ENTRIES))
    )
    votes = graded(world, latent, severity, np.array([-1.2, -0.5, 0.1, 0.7, 1.5]), rng)
    return (np.nan_to_num(mean_of_votes(votes).round(9)) + 0.5) // 1


def mean_of_votes(votes: Floats) -> Floats:
    """Return the mean over the last axis; NaN where all are missing."""
    n = (~np.isnan(votes)).sum(axis=-1)
    out = np.full(n.shape, np.nan)
    return np.asarray(np.divide(np.nansum(votes, axis=-1), n, out=out, where=n > 0))


def read_passages(topics: int, rng: np.random.Generator) -> Floats:
    """Return the first DEPTH passages (T, S, DEPTH) of each system."""
    keys = rng.random((topics, SYSTEMS, POOL))
    return np.argsort(keys, axis=-1)[..., :DEPTH]


def scores_of(values: Floats, grades: Floats, read: Floats) -> dict[str, Floats]:
    """Return the scores (T, S) of each measure."""
    v = np.nan_to_num(values)
    strict = (v >= 1).astype(np.float64)
    good = grades >= LEVEL
    seen = np.take_along_axis(good[:, None], read[..., None], axis=2).any(axis=2)
    size = good.any(axis=1).sum(axis=1)[:, None]
    normalised = np.full((len(v), SYSTEMS), np.nan)
    return {
        "vital": v[..., VITAL].mean(axis=-1),
        "strict vital": strict[..., VITAL].mean(axis=-1),
        "all": v.mean(axis=-1),
        "strict all": strict.mean(axis=-1),
        "cover": seen.mean(axis=-1),
        "n-cover": np.divide(seen.sum(axis=-1), size, out=normalised, where=size > 0),
    }


def draw(world: World, team: Team, topics: int, rng: np.random.Generator) -> dict[str, Floats]:
    severity = severities(team, topics, rng)
    values, grades = answer_values(world, severity, rng), passage_grades(world, severity, rng)
    read = read_passages(topics, rng)
    scores = scores_of(values, grades, read)
    if topics == CHECKED:
        check(values, grades, read, scores)
    return scores


CHECKED = 11  # topics of the study whose scores are compared with those of the board


def check(values: Floats, grades: Floats, read: Floats, scores: dict[str, Floats]) -> None:
    """Raise AssertionError if the board scores a study otherwise."""
    T = len(values)
    keys = [f"{t}-{e}" for t in range(T) for e in range(ENTRIES)]
    topics = {key: f"{int(key.split('-')[0]):03}" for key in keys}
    flat = values.transpose(1, 0, 2).reshape(SYSTEMS, -1)
    of_entries = EntryValues(tuple("abc"), tuple(keys), tuple(topics.values()), flat)
    importance = {key: ("vital", "okay")[int(key.split("-")[1]) % 2] for key in keys}
    for measure in ANSWERS:
        _, expected = of_entries.by_topic(importance, measure)
        np.testing.assert_allclose(scores[measure], expected.T)
    frame = pd.DataFrame(
        [
            (f"{t:03}", f"p{p}", f"{t}-{e}", grades[t, p, e])
            for t in range(T)
            for p in range(POOL)
            for e in range(ENTRIES)
        ],
        columns=["topic", "passage", "entry", "grade"],
    )
    runs = {
        name: {f"{t:03}": [f"p{p}" for p in read[t, s]] for t in range(T)}
        for s, name in enumerate("abc")
    }
    bank = {f"{t:03}": frozenset(f"{t}-{e}" for e in range(ENTRIES)) for t in range(T)}
    board = cover(runs, frame, bank, level=LEVEL, depth=DEPTH)
    for name, own in (("cover", "cover"), ("normalised", "n-cover")):
        expected = board.loc[board["measure"] == name, "value"].to_numpy()
        np.testing.assert_allclose(np.nanmean(scores[own], axis=0), expected)


def means_of(scores: dict[str, Floats]) -> dict[str, Floats]:
    return {name: np.nanmean(values, axis=0) for name, values in scores.items()}


def covers(scores: dict[str, Floats], these: dict[str, Floats], like: dict[str, Floats]) -> Hits:
    """Return whether intervals of a study cover the second system's true scores and differences."""
    hits: Hits = {}
    for name, values in scores.items():
        mine = values[:, 1]
        row = pd.DataFrame([mean_over_topics(mine[~np.isnan(mine)], 0.95)])
        shown = with_intervals_that_cover(row).iloc[0]
        gap = mean_over_topics((d := values[:, 2] - values[:, 0])[~np.isnan(d)], 0.95)
        for whose, truth in (("these raters", these), ("raters like these", like)):
            hits[f"{name}, for {whose}"] = holds(shown["low"], shown["high"], truth[name][1])
            difference = truth[name][2] - truth[name][0]
            key = f"difference in {name}, for {whose}"
            hits[key] = holds(gap["low"], gap["high"], difference)
    return hits


def rows(studies: int) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    draw(WORLDS[1], draw_team(WORLDS[1], rng), CHECKED, rng)
    for seed, world in enumerate(WORLDS):
        yield from of_world(world, studies, np.random.default_rng(seed))


def of_world(world: World, studies: int, rng: np.random.Generator) -> Iterator[Row]:
    print(world, flush=True)
    tally = Tally()
    teams = [draw_team(world, rng) for _ in range(TEAMS * 2)]  # the mean of those like these
    truths = [means_of(draw(world, team, LARGE, rng)) for team in teams]
    like = {name: np.mean([truth[name] for truth in truths], axis=0) for name in truths[0]}
    for team, truth in list(zip(teams, truths, strict=True))[:TEAMS]:
        for _ in range(max(1, studies // TEAMS)):
            tally.add(covers(draw(world, team, world.topics, rng), truth, like))
    for name in tally.hits:
        if np.isnan(tally.hits[name]).all():
            continue
        claimed = name.endswith("for these raters")
        promise = {"least": LEAST, "most": MOST} if claimed else {"least": None, "most": None}
        shown = tally.offered(name)
        remark = "" if shown == 100 else f"shown in {shown:.0f} %"
        yield coverage_row(name, str(world), tally.share(name), remark=remark, **promise)
