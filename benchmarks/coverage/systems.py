"""Intervals of systems.

Systems by merits, by points, by the mixed model of votes, and by scores of single texts, in studies
drawn from a known world (simulated_studies.py). What is true is that of very many topics and
workers of the same world; of the mixed model, what larger studies find on average. Two systems that
differ by exactly the margin are called equivalent by mistake; that share is at most 5 %.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.mixed import MixedResult, fit_mixed
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.equivalence import equivalence
from analysis.stats.effects.worker_changes import from_merits, from_scores
from analysis.stats.tournaments.head_to_head import points
from benchmarks.coverage.intervals import LEAST, MOST, Hits, Tally, coverage_row, holds
from benchmarks.coverage.votes import SIZES, fitted
from benchmarks.reporting import Row
from benchmarks.simulated_studies import ScoreWorld, Study, World, draw, draw_scores

STUDIES, FITS, LARGE = 200, 60, 4  # studies; those with a mixed model; larger ones for its truth
SPARSE = World(topics=30, workers=30, responses=2, votes=3)
MOST_EQUIVALENT = 7.0  # 5 %, and two standard errors below
NOTE = (
    f"Coverage in % of intervals at 95 %, over {STUDIES} simulated studies (standard error 1.5), "
    f"of the mixed model over {FITS} (3)."
)
MERITS = "difference of two systems by merits, topics and workers"
POINTS = "points of a system, topics and workers"
MIXED = "difference of two systems by the mixed model"
EQUIVALENT = "called equivalent at the margin"
WORLDS = (*(World(topics=topics, workers=workers) for topics, workers in SIZES), SPARSE)
SCORED = (
    *(ScoreWorld(topics=topics, workers=workers) for topics, workers in SIZES),
    ScoreWorld(topics=30, workers=30, votes=1),
    ScoreWorld(labels=True),
)


def rows(studies: int) -> Iterator[Row]:
    for world in WORLDS:
        yield from of_world(world, studies)
    for scored in SCORED:
        yield from of_scores(scored, studies)


@dataclass(frozen=True)
class Truth:
    """Of the second system over the first: in merits, in points, by the mixed model."""

    merits: float
    points: float
    mixed: float


def of_world(world: World, studies: int) -> Iterator[Row]:
    """Yield the rows of studies that compare texts."""
    rng = np.random.default_rng(world.topics * 1000 + world.workers + world.responses)
    truth = true_values(world, rng)
    tally = Tally()
    for number in range(studies):
        study = draw(world, rng)
        tally.add(covers(study, truth))
        if number < studies * FITS / STUDIES:
            tally.add(covers_mixed(study, truth))
    size = f"{world.topics} topics, {world.workers} workers"
    if world.responses == SPARSE.responses:
        size += f", one pair and {world.votes} votes a topic"
    for name, hits in tally.hits.items():
        least, most = (None, MOST_EQUIVALENT) if name == EQUIVALENT else (LEAST, MOST)
        few = f"{len(hits)} studies, standard error 3" if len(hits) < studies else ""
        yield coverage_row(name, size, tally.share(name), least=least, most=most, remark=few)


def true_values(world: World, rng: np.random.Generator) -> Truth:
    """Those of 3,000 topics with 16 items a worker; of the mixed model the mean of larger fits."""
    items = world.responses * (world.responses - 1) // 2
    study = draw(replace(world, topics=3000, workers=3000 * items * world.votes // 16), rng)
    values, _ = worth(study)
    means = values.groupby("group")["value"].mean()
    score = games(study)["score"]
    larger = replace(world, topics=200, workers=200 * items * world.votes // 16)
    return Truth(
        merits=float(means[1] - means[0]),
        points=float(score.mean()),
        mixed=float(np.mean([mixed(draw(larger, rng)).difference(1, 0)[0] for _ in range(LARGE)])),
    )


def worth(study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Values and changes of systems by merits."""
    _, result = fitted(study)
    errors = merit_errors(result, workers=study.worker.tolist())
    return from_merits(result, errors, dict(enumerate(study.system.tolist())))


def games(study: Study) -> pd.DataFrame:
    """Return the votes between systems: topic, worker, first (1), second (0), score."""
    first, second = (study.system[side[study.item]] for side in (study.a, study.b))
    score = np.array([1.0, 0.5, 0.0])[study.value]
    frame = pd.DataFrame(
        {
            "topic": study.topic[study.item],
            "worker": study.worker,
            "first": 1,
            "second": 0,
            "score": np.where(first == 1, score, 1 - score),
        }
    )
    return frame[first != second]


def mixed(study: Study) -> MixedResult:
    votes = study.comparisons().rename(columns={"problem": "topic"})
    system = dict(enumerate(study.system.tolist()))
    votes = votes.assign(
        system_a=votes["a"].map(system),
        system_b=votes["b"].map(system),
        left="a",
        outcome=votes["outcome"].map({"a": 1, "tie": 0, "b": -1}),
    )
    return fit_mixed(MixedVotes.from_frame(votes, outcomes={1: 1, 0: 0, -1: -1}))


def covers(study: Study, truth: Truth) -> Hits:
    """Which intervals hold the true value."""
    pair = crossed_means(*worth(study)).differences.iloc[0]
    sign = 1 if pair["first"] == 1 else -1
    point = points(games(study)).set_index("first").loc[1]
    return {
        MERITS: holds(pair["low"], pair["high"], sign * truth.merits),
        POINTS: holds(point["low"], point["high"], truth.points),
    }


def covers_mixed(study: Study, truth: Truth) -> Hits:
    result = mixed(study)
    value, low, high = result.difference(1, 0)
    found = equivalence(
        value, result.error(1, 0), margin=truth.mixed, freedom=float(result.freedom)
    )
    return {MIXED: holds(low, high, truth.mixed), EQUIVALENT: float(found.equivalent)}


def of_scores(world: ScoreWorld, studies: int) -> Iterator[Row]:
    """Yield the rows of studies in which texts get scores from 0 to 100, or labels, one by one."""
    rng = np.random.default_rng(world.topics + world.workers + world.votes)
    large = replace(world, topics=3000, workers=3000 * world.systems * world.votes // 16)
    means = scored_means(*draw_scores(large, rng))
    tally = Tally()
    for _ in range(studies):
        votes, speaks = draw_scores(world, rng)
        found = crossed_means(*from_scores(votes, speaks))
        mean = found.means.set_index("group").loc[1]
        pair = found.differences.iloc[0]
        true = means[pair["first"]] - means[pair["second"]]
        tally.add(
            {
                "mean of a system": holds(mean["low"], mean["high"], means[1]),
                "difference of two systems": holds(pair["low"], pair["high"], true),
            }
        )
    what = "shares of a label" if world.labels else "scores 0 to 100"
    size = f"{world.topics} topics, {world.workers} workers, {world.votes} on a text"
    for name in tally.hits:
        yield coverage_row(f"{name} by {what}, topics and workers", size, tally.share(name))


def scored_means(votes: pd.DataFrame, speaks: pd.DataFrame) -> dict[int, float]:
    of = votes.merge(speaks, on="unit").groupby("group")["score"].mean()
    return {int(group): float(value) for group, value in of.items()}
