"""Studies with workers who copy each other or a judge, by a generator of its own.

Preferences are logistic, texts have a feature beside their merit, and crowds differ in what workers
like and in how well they tell texts apart.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.stats.arrays import Flags, Floats, Ints
from benchmarks.coverage.audited_worlds import AuditedStudy, AuditedWorld

Crowd = Literal["alike", "skills", "tastes", "features", "camps", "experts", "lazy"]
NOISE = 0.12  # of the votes of a name, drawn at random
FEATURE = 0.3  # logits, for all


@dataclass(frozen=True, kw_only=True)
class CopiedWorld:
    """All pairs of texts of each topic, judged by so many workers each.

    alike: workers differ by noise alone. skills: sharpness is log-normal with SD .9. tastes: of
    systems, t with 4 degrees of freedom. features: for a feature of texts, normal with SD 1.
    camps: half like the feature, half dislike it. experts: a third tells texts apart and the others
    guess. lazy: three of ten workers vote for neither, or for the left. text_sd: in logits.
    """

    crowd: Crowd = "tastes"
    text_sd: float = 0.5
    topics: int = 20
    systems: int = 6
    workers: int = 20
    votes: int = 6
    missing: float = 0.1


@dataclass(frozen=True, eq=False)
class _Crowd:
    """Sharpness, habits of side and ties (W,), tastes (W, S), likes for the feature (W,)."""

    tells: Floats
    side: Floats
    tie: Floats
    tastes: Floats
    likes: Floats


def draw_copied(world: CopiedWorld, rng: np.random.Generator) -> tuple[AuditedStudy, Floats]:
    """Return a study of honest workers, and the latent gap of each vote for a judge (N,)."""
    T, S, W = world.topics, world.systems, world.workers
    i, j = np.triu_indices(S, 1)
    first = np.arange(T)[:, None] * S
    pair_a, pair_b = (first + i).ravel(), (first + j).ravel()
    N = len(pair_a)
    system, feature = rng.normal(0, 0.3, S), rng.normal(0, 1, T * S)
    merit = np.tile(system, T) + rng.normal(0, world.text_sd, T * S) + FEATURE * feature
    wish = np.log(rng.gamma(4, 1, W)) + rng.gumbel(size=(N, W))
    worker = np.argsort(-wish, axis=1)[:, : world.votes].ravel()
    item = np.repeat(np.arange(N), world.votes)
    kept = rng.random(len(item)) >= world.missing
    item, worker = item[kept], worker[kept]
    crowd = _drawn_crowd(world, rng)
    a, b = pair_a[item], pair_b[item]
    left = rng.choice([-1.0, 1.0], len(item))
    gap = merit[a] - merit[b] + crowd.tastes[worker, a % S] - crowd.tastes[worker, b % S]
    gap += crowd.likes[worker] * (feature[a] - feature[b])
    latent = crowd.tells[worker] * gap + crowd.side[worker] * left
    latent += rng.logistic(0, 1, len(item))
    outcome = np.where(np.abs(latent) < crowd.tie[worker], 0, np.sign(latent)).astype(np.int64)
    size = AuditedWorld(topics=T, systems=S, workers=W, votes=world.votes)
    study = AuditedStudy(
        world=size, item=item, worker=worker, a=a, b=b, outcome=outcome, left=left, merit=system
    )
    judged = merit + rng.normal(0, 0.3, S)[np.arange(T * S) % S] + feature
    return study, np.asarray(judged[pair_a] - judged[pair_b])


def _drawn_crowd(world: CopiedWorld, rng: np.random.Generator) -> _Crowd:
    W, S = world.workers, world.systems
    tells, side = np.exp(rng.normal(0, 0.4, W)), rng.normal(-0.1, 0.4, W)
    tie, likes = 0.5 * np.exp(rng.normal(0, 0.4, W)), np.zeros(W)
    tastes = rng.standard_t(4, (W, S)) * 0.3
    if world.crowd == "alike":
        tells, side, tie, tastes = np.ones(W), np.zeros(W), np.full(W, 0.5), np.zeros((W, S))
    elif world.crowd == "skills":
        tells = np.exp(rng.normal(0, 0.9, W))
    elif world.crowd == "features":
        likes = rng.normal(0, 1, W)
    elif world.crowd == "camps":
        likes = rng.choice([-1.0, 1.0], W)
    elif world.crowd == "experts":
        tells = np.where(rng.random(W) < 1 / 3, 5.0, 0.0)
    elif world.crowd == "lazy":
        some = rng.permutation(W)[: round(0.3 * W)]
        tie[some[::2]], side[some[1::2]] = 4.0, 5.0
    return _Crowd(tells, side, tie, tastes, likes)


def with_names(
    study: AuditedStudy,
    rng: np.random.Generator,
    *,
    items: int,
    names: int = 3,
    noise: float = NOISE,
) -> tuple[AuditedStudy, set[int]]:
    """Return the study in which names of one person share items, and these names.

    A worker with enough items is the person; other workers give their names to it. A share `noise`
    of the votes of every name is drawn at random.
    """
    load = np.bincount(study.worker, minlength=study.world.workers)
    enough = np.flatnonzero(load >= items)
    person = int(rng.choice(enough)) if len(enough) else int(load.argmax())
    rest = np.setdiff1d(np.arange(study.world.workers), [person])
    others = rng.choice(rest, names - 1, replace=False)
    own = rng.permutation(np.flatnonzero(study.worker == person))[:items]
    rows = np.concatenate([np.flatnonzero(~np.isin(study.worker, others)), *[own] * (names - 1)])
    worker = study.worker[rows].copy()
    if names > 1:
        worker[-len(own) * (names - 1) :] = np.repeat(others, len(own))
    members = [person, *others.tolist()]
    left = np.where(np.isin(worker, others), rng.choice([-1.0, 1.0], len(rows)), study.left[rows])
    outcome = _noisy(study.outcome[rows], np.isin(worker, members), noise, rng)
    copied = replace(
        study, worker=worker, left=left, outcome=outcome,
        item=study.item[rows], a=study.a[rows], b=study.b[rows],
    )  # fmt: skip
    return copied, set(members)


def with_judge(
    study: AuditedStudy,
    gap: Floats,
    rng: np.random.Generator,
    *,
    share: float = 0.0,
    noise: float = NOISE,
) -> tuple[AuditedStudy, set[int]]:
    """Return the study with a judge as the last worker, and the workers who copy it.

    The judge likes the feature of texts as much as their merit. Copying workers give its label but
    for a share `noise`.
    """
    N, W = len(gap), study.world.workers
    latent = 1.5 * gap + rng.logistic(0, 1, N)
    label = np.where(np.abs(latent) < 0.3, 0, np.sign(latent)).astype(np.int64)
    members = rng.choice(W, round(share * W), replace=False)
    copies = np.isin(study.worker, members)
    outcome = np.where(copies, label[study.item], study.outcome)
    outcome = _noisy(outcome, copies, noise, rng)
    item, first = np.unique(study.item, return_index=True)
    more = {
        "item": item, "worker": np.full(len(item), W), "a": study.a[first], "b": study.b[first],
        "outcome": label[item], "left": np.zeros(len(item)),
    }  # fmt: skip
    own = {**{name: getattr(study, name) for name in more}, "outcome": outcome}
    joined = {name: np.concatenate([own[name], more[name]]) for name in more}
    world = replace(study.world, workers=W + 1)
    return replace(study, world=world, **joined), set(members.tolist())


def _noisy(outcome: Ints, on: Flags, noise: float, rng: np.random.Generator) -> Ints:
    random = on & (rng.random(len(outcome)) < noise)
    return np.where(random, rng.integers(-1, 2, len(outcome)), outcome)
