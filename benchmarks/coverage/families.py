"""False claims about systems, with all pairs taken together.

Studies of six systems with one text each in every topic: all equal, three equal leaders, or one
winner. "own" draws logistic votes with normal effects and even loads; "other" draws probit votes
with effects of Student's t (5 degrees), a skewed worker sharpness and uneven loads (some workers
give ten times the votes of others). A claim is false if it says that one of two equal systems is
better. The best set errs if it leaves out one of the equal leaders.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.mixed import fit_mixed
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.worker_changes import from_merits
from benchmarks.coverage.intervals import Hits, Tally, coverage_row
from benchmarks.reporting import Row

STUDIES = 500
ALPHA, MOST = 0.05, 7.0  # 5 %, and two standard errors above
NOTE = (
    f"Share of {STUDIES} simulated studies with a false claim anywhere, in % (standard error 1); 5 "
    "is promised. Before: by the rule of earlier versions."
)
EQUAL, LEADERS, WINNER = "six equal systems", "three equal leaders of six", "one winner of six"
MERITS = {EQUAL: (0.0,) * 6, LEADERS: (1.0,) * 3 + (0.0,) * 3, WINNER: (1.5,) + (0.0,) * 5}


@dataclass(frozen=True)
class World:
    """Systems, topics and workers of a study; `other`: not the product's own generator."""

    systems: str
    topics: int
    workers: int
    other: bool = False
    mixed: bool = False


WORLDS = (
    World(EQUAL, 10, 10, mixed=True),
    World(EQUAL, 10, 10, other=True, mixed=True),
    World(EQUAL, 30, 30, other=True, mixed=True),
    World(LEADERS, 10, 10, mixed=True),
    World(LEADERS, 30, 30, mixed=True),
    World(LEADERS, 30, 30, other=True),
    World(WINNER, 10, 10),
    World(WINNER, 30, 30, other=True, mixed=True),
)


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        rng = np.random.default_rng(number)
        tally = Tally()
        for _ in range(studies):
            votes = draw(world, rng)
            tally.add(by_means(votes, world))
            if world.mixed:
                tally.add(by_model(votes, world))
        yield from of_world(world, tally)


def of_world(world: World, tally: Tally) -> Iterator[Row]:
    size = f"{world.topics} topics, {world.workers} workers, {'other' if world.other else 'own'}"
    for name in tally.hits:
        if name.endswith(" before"):
            continue
        before = f"{name} before"
        remark = f"before {tally.share(before):.1f}" if before in tally.hits else ""
        limit = None if name == NAMED else MOST
        yield coverage_row(
            f"{name}: {world.systems}", size, tally.share(name), least=None, most=limit,
            remark=remark,
        )  # fmt: skip


def draw(world: World, rng: np.random.Generator, votes: int = 3) -> pd.DataFrame:
    """Return one row a vote, as MixedVotes reads them; all pairs of systems in each topic."""
    merit = np.array(MERITS[world.systems])
    G = len(merit)
    i, j = np.triu_indices(G, 1)
    topic = np.repeat(np.arange(world.topics), len(i) * votes)
    a, b = (np.tile(np.repeat(side, votes), world.topics) for side in (i, j))
    worker = _loads(world, world.topics * len(i), votes, rng)

    def effects(sd: float, *shape: int) -> Floats:
        drawn = rng.standard_t(5, shape) * 0.6**0.5 if world.other else rng.normal(size=shape)
        return np.asarray(sd * drawn)

    text = merit + effects(0.86, world.topics, G)
    lean = effects(0.45, world.workers, G)
    sharp = rng.gamma(4, 0.25, world.workers) if world.other else np.ones(world.workers)
    left = rng.integers(0, 2, len(topic)) * 2 - 1
    eta = sharp[worker] * (text[topic, a] - text[topic, b]) + lean[worker, a] - lean[worker, b]
    eta += left * (effects(0.4, world.workers)[worker] - 0.13)
    noise = rng.normal(0, 1.7, len(eta)) if world.other else rng.logistic(size=len(eta))
    outcome = np.where(np.abs(eta + noise) < 0.6, 0, np.sign(eta + noise)).astype(np.int64)
    return pd.DataFrame(
        {
            "topic": topic, "a": topic * G + a, "b": topic * G + b, "worker": worker,
            "outcome": outcome, "system_a": a, "system_b": b,
            "left": np.where(left > 0, "a", "b"),
        }
    )  # fmt: skip


def _loads(world: World, items: int, votes: int, rng: np.random.Generator) -> Ints:
    """Return the worker of each vote, `votes` different ones an item."""
    if not world.other:
        start = rng.permutation(items)[:, None] * votes
        return np.asarray((start + np.arange(votes)) % world.workers).ravel()
    weight = rng.gamma(1.0, size=world.workers) + 0.3
    keys = np.log(weight) + rng.gumbel(size=(items, world.workers))
    return np.asarray(np.argsort(-keys, axis=1)[:, :votes]).ravel()


DIFFERENT, LEFT_OUT = "a false difference of means (letters)", "a best system is left out"
CELLS, NAMED = "a false mark in the win matrix", "the winner is named alone"
MODEL = "a false difference by the mixed model"


def by_means(votes: pd.DataFrame, world: World) -> Hits:
    comparisons = Comparisons.from_frame(
        votes.assign(problem=votes["topic"]), outcomes={1: 1, 0: 0, -1: -1}
    )
    fitted = fit_merits(comparisons, tie_parameter="estimated", ridge="firth")  # as runs do
    errors = merit_errors(fitted, workers=votes["worker"].tolist())
    G = len(MERITS[world.systems])
    groups = {response: int(response) % G for response in comparisons.responses}
    pairs = crossed_means(*from_merits(fitted, errors, groups)).differences
    first, second = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    ahead = pairs["difference"].to_numpy() > 0
    winner, loser = np.where(ahead, first, second), np.where(ahead, second, first)
    hits = claims(world, winner, loser, pairs["p_adjusted"].to_numpy() <= ALPHA)
    before = claims(world, winner, loser, pairs["q"].to_numpy() <= ALPHA)
    p = pairs["p"].to_numpy()
    merit = np.array(MERITS[world.systems])
    hits[CELLS] = hits[DIFFERENT]
    before[CELLS] = float(((p <= 2 * ALPHA) & (merit[first] == merit[second])).any())
    return hits | {f"{name} before": hit for name, hit in before.items()}


def by_model(votes: pd.DataFrame, world: World) -> Hits:
    model = fit_mixed(MixedVotes.from_frame(votes, outcomes={1: 1, 0: 0, -1: -1}))
    pairs = list(combinations(model.votes.systems, 2))
    merit = np.array(MERITS[world.systems])
    equal = np.array([merit[i] == merit[j] for i, j in pairs])
    gaps = np.array([model.difference(i, j)[0] for i, j in pairs])
    errors = np.array([model.error(i, j) for i, j in pairs])
    p = 2 * scipy.stats.t.sf(np.abs(gaps) / errors, model.freedom)
    return {
        MODEL: float((equal & (model.adjusted(pairs) <= ALPHA)).any()),
        f"{MODEL} before": float((equal & (p <= ALPHA)).any()),
    }


def claims(world: World, winner: Ints, loser: Ints, different: Floats) -> Hits:
    """Return what is claimed wrongly, or named, where these pairs differ."""
    merit = np.array(MERITS[world.systems])
    leaders = set(np.flatnonzero(merit == merit.max()).tolist())
    beaten = set(loser[different].tolist())
    hits = {DIFFERENT: float((different & (merit[winner] == merit[loser])).any())}
    if world.systems != EQUAL:
        hits[LEFT_OUT] = float(bool(leaders & beaten))
    if world.systems == WINNER:
        hits[NAMED] = float(beaten == set(range(len(merit))) - leaders)
    return hits
