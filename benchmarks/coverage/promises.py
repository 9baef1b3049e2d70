"""Power that Plan promises, beside how often Results name the best system the winner.

The promise is that of simulate_power (the page Plan). The studies are drawn from its own model, or
with skewed effects (exponential, of the same standard deviations) and uneven loads, which Plan does
not know. Results name a winner as on their page: the only system that no other beats, all pairs
taken together, for raters like these.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.simulated_power import difference_for, simulate_power
from analysis.stats.bradley_terry.simulated_votes import AssumedTruth, PairDesign, Truth
from analysis.stats.design_checks import About
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.worker_changes import from_merits
from benchmarks.reporting import Row

STUDIES, DRAWS = 500, 1000  # studies of results; of the promise
NEAR = 6.0  # points: two standard errors of a share of 500 less one of 1,000
ALPHA = 0.05
# Those that Plan takes (analysis/pages/planning/assumptions.py), from the Crowd RAG Corpus 2025.
PUBLISHED = Components(response=0.53, system_topic=0.30, lean=0.41, habit=0.34, discrimination=0.41)
TIE = 0.78
NOTE = (
    f"Share in % of {STUDIES} simulated studies in which Results name the best system the winner, "
    f"beside the promise of Plan ({DRAWS:,} draws; standard error of the difference 2.7 points at "
    "most). One other: the promise of a clear difference from one other system, which was Plan's "
    "before. Skewed: exponential effects and uneven loads, which Plan does not know."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """A design of all pairs of systems; share: of votes that the best wins against another."""

    systems: int
    topics: int
    pairs_per_worker: int
    votes: int
    share: float
    skewed: bool = False

    def __str__(self) -> str:
        kind = "skewed" if self.skewed else "own"
        return (
            f"{kind}: {self.systems} systems, {self.topics} topics, {self.votes} votes, "
            f"{self.workers} workers"
        )

    @property
    def workers(self) -> int:
        return self.votes * self.design.workers_a_vote

    @property
    def design(self) -> PairDesign:
        pairs = np.array(list(combinations(range(self.systems), 2)))
        first = self.systems * np.arange(self.topics)[:, None]
        return PairDesign(
            system=np.tile(np.arange(self.systems), self.topics),
            topic=np.repeat(np.arange(self.topics), self.systems),
            a=(first + pairs[:, 0]).ravel(),
            b=(first + pairs[:, 1]).ravel(),
            pairs_per_worker=self.pairs_per_worker,
        )

    @property
    def assumed(self) -> AssumedTruth:
        return AssumedTruth(
            components=PUBLISHED,
            tie_parameter=TIE,
            difference=difference_for(self.share, PUBLISHED, TIE),
        )


PLANNED = (
    World(systems=3, topics=24, pairs_per_worker=36, votes=6, share=0.67),
    World(systems=5, topics=16, pairs_per_worker=80, votes=6, share=0.72),
    World(systems=3, topics=24, pairs_per_worker=6, votes=4, share=0.67),
    World(systems=5, topics=16, pairs_per_worker=10, votes=4, share=0.72),
)
WORLDS = [replace(world, skewed=skewed) for world in PLANNED for skewed in (False, True)]


def rows(studies: int) -> Iterator[Row]:
    for seed, world in enumerate(WORLDS):
        power = simulate_power(
            world.design, world.assumed, votes=[world.votes], draws=DRAWS, seed=seed
        )[0]
        rng = np.random.default_rng(100 + seed)
        named = 100 * float(np.mean([is_named(draw(world, rng), world) for _ in range(studies)]))
        promised = 100 * power.named
        yield Row(
            what="the best system is named the winner",
            n=str(world),
            ours=named,
            unit="%",
            least=promised - NEAR,
            most=promised + NEAR,
            remark=f"Plan promises {promised:.1f}; one other {100 * power.apart:.1f}",
        )


def draw(world: World, rng: np.random.Generator) -> pd.DataFrame:
    """Return one row a vote: problem, a, b, outcome, worker; the first system is the best."""
    design, components = world.design, world.assumed.components
    W, G, T = world.workers, world.systems, world.topics

    def effects(sd: float, *shape: int) -> Floats:
        drawn = rng.exponential(size=shape) - 1 if world.skewed else rng.normal(size=shape)
        return np.asarray(sd * drawn)

    merit = np.where(np.arange(G) == 0, world.assumed.difference, 0.0)
    truth = Truth(
        merits=(
            merit + effects(components.system_topic, T, G) + effects(components.response, T, G)
        ).reshape(1, -1),
        systems=design.system,
        lean=effects(components.lean / np.sqrt(2), W, G),
        habit=effects(components.habit, W),
        scale=np.exp(components.discrimination * rng.normal(size=W)),
        tie_parameter=world.assumed.tie_parameter,
        side=0.0,
    )
    worker = uneven(world, rng) if world.skewed else even(world, rng)
    a, b = np.tile(design.a, world.votes), np.tile(design.b, world.votes)
    left = rng.choice([-1.0, 1.0], len(a))
    outcome = truth.vote(np.zeros(len(a), dtype=np.int64), a, b, worker, left, rng)
    return pd.DataFrame(
        {"problem": design.topic[a], "a": a, "b": b, "outcome": outcome, "worker": worker}
    )


def even(world: World, rng: np.random.Generator) -> Ints:
    """Return the worker of each vote, in rounds over all pairs, each worker with as many pairs."""
    pairs, each = len(world.design.a), world.design.workers_a_vote
    dealt = np.array([rng.permutation(pairs) for _ in range(world.votes)])
    worker = np.arange(world.votes)[:, None] * each + dealt // world.pairs_per_worker
    return np.asarray(worker.ravel())


def uneven(world: World, rng: np.random.Generator) -> Ints:
    """Return the same with loads that differ by a factor of ten, different workers on a pair."""
    weight = rng.gamma(1.0, size=world.workers) + 0.2
    keys = np.log(weight) + rng.gumbel(size=(len(world.design.a), world.workers))
    return np.asarray(np.argsort(-keys, axis=1)[:, : world.votes].T.ravel())


def is_named(votes: pd.DataFrame, world: World) -> bool:
    """Return whether Results name the first system the winner."""
    comparisons = Comparisons.from_frame(votes, outcomes={1: 1, 0: 0, -1: -1})
    fit = fit_merits(comparisons, tie_parameter="estimated", ridge="firth")  # as runs do
    errors = merit_errors(fit, workers=votes["worker"].tolist())
    groups = dict(enumerate(world.design.system.tolist()))
    pairs = crossed_means(*from_merits(fit, errors, groups)).differences
    clear = pairs[pairs["p_adjusted"] <= ALPHA]
    ahead = clear["difference"] > 0
    beaten = set(clear["second"].where(ahead, clear["first"]))
    return beaten == set(range(1, world.systems)) and (pairs["about"] == About.LIKE_THESE).all()
