"""Studies with and without manipulation, by a generator that is not the product's own.

Latent preferences are probit, systems differ by t with 5 degrees of freedom, texts by Laplace,
tastes of workers are normal, Laplace or exponential, and workers do unequal shares of the items.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.manipulation.compared_votes import ComparedVotes

Tastes = Literal["normal", "Laplace", "exponential"]
NOISE_SD = 1.6  # of a probit that is about a logistic
CARELESS = 0.1


@dataclass(frozen=True, kw_only=True)
class AuditedWorld:
    """All pairs of the texts of each topic are judged, by so many workers each.

    system_sd, text_sd and taste_sd are in logits; missing: the share of votes that are lost.
    """

    topics: int = 20
    systems: int = 6
    workers: int = 30
    votes: int = 5
    system_sd: float = 0.3
    text_sd: float = 0.5
    taste_sd: float = 0.45
    tastes: Tastes = "normal"
    missing: float = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditedStudy:
    """n votes: item, worker, a, b (texts), outcome, left (n,); merit (S,) of the systems."""

    world: AuditedWorld
    item: Ints
    worker: Ints
    a: Ints
    b: Ints
    outcome: Ints
    left: Floats
    merit: Floats

    def votes(self) -> ComparedVotes:
        world, S = self.world, self.world.systems
        return ComparedVotes(
            worker=self.worker,
            topic=self.a // S,
            a=self.a,
            b=self.b,
            system_a=self.a % S,
            system_b=self.b % S,
            left=self.left,
            outcome=self.outcome.astype(np.float64),
            workers=range(world.workers),
            topics=range(world.topics),
            systems=range(S),
            texts=world.topics * S,
        )

    def frame(self) -> pd.DataFrame:
        """One row a vote: item, worker, value."""
        value = np.array(["b", "n", "a"], dtype=object)[self.outcome + 1]
        return pd.DataFrame({"item": self.item, "worker": self.worker, "value": value})


def draw_audited(world: AuditedWorld, rng: np.random.Generator) -> AuditedStudy:
    """Draw a study of honest workers, a tenth of them careless."""
    T, S, W = world.topics, world.systems, world.workers
    i, j = np.triu_indices(S, 1)
    first = np.arange(T)[:, None] * S
    pair_a, pair_b = (first + i).ravel(), (first + j).ravel()
    N = len(pair_a)
    system = rng.standard_t(5, S) * world.system_sd / np.sqrt(5 / 3)
    merit = np.tile(system, T) + rng.laplace(0, world.text_sd / np.sqrt(2), T * S)
    wish = np.log(rng.gamma(4, 1, W)) + rng.gumbel(size=(N, W))  # workers take unequal shares
    worker = np.argsort(-wish, axis=1)[:, : world.votes].ravel()
    item = np.repeat(np.arange(N), world.votes)
    kept = rng.random(len(item)) >= world.missing
    item, worker = item[kept], worker[kept]
    taste = world.taste_sd * _tastes(world, rng)
    tells = np.exp(rng.normal(0, 0.4, W)) * (rng.random(W) >= CARELESS)
    side, tie = rng.normal(-0.1, 0.4, W), 0.5 * np.exp(rng.normal(0, 0.4, W))
    a, b = pair_a[item], pair_b[item]
    left = rng.choice([-1.0, 1.0], len(item))
    gap = merit[a] - merit[b] + taste[worker, a % S] - taste[worker, b % S]
    latent = tells[worker] * gap + side[worker] * left + rng.normal(0, NOISE_SD, len(item))
    outcome = np.where(np.abs(latent) < tie[worker], 0, np.sign(latent)).astype(np.int64)
    return AuditedStudy(
        world=world, item=item, worker=worker, a=a, b=b, outcome=outcome, left=left, merit=system
    )


def _tastes(world: AuditedWorld, rng: np.random.Generator) -> Floats:
    shape = (world.workers, world.systems)
    if world.tastes == "normal":
        return rng.standard_normal(shape)
    if world.tastes == "Laplace":
        return rng.laplace(0, 0.5**0.5, shape)
    return rng.exponential(1, shape) - 1


def with_colluders(
    study: AuditedStudy,
    rng: np.random.Generator,
    *,
    share: float = 0.2,
    obeys: float = 0.9,
    sign: int = 1,
) -> tuple[AuditedStudy, set[int], int]:
    """Return the study in which a share of the workers favours one system, these, and it.

    In pairs with the system they choose it with probability `obeys` (sign -1: the other text), and
    else answer as before.
    """
    world, S = study.world, study.world.systems
    members = rng.choice(world.workers, round(share * world.workers), replace=False)
    system = int(rng.integers(S))
    bought = np.isin(study.worker, members) & (rng.random(len(study.item)) < obeys)
    own, other = study.a % S == system, study.b % S == system
    outcome = np.where(bought & own, sign, np.where(bought & other, -sign, study.outcome))
    return replace(study, outcome=outcome), set(members.tolist()), system
