"""Honest workers who are flagged, and careless workers who are found, at any closeness of texts.

35 workers judge 30 items each, an item has five votes. Preferences of a pair are logistic in the
gap of its texts, with ties. Honest workers differ in skill, in their use of ties, in their lean to
a system and to a side; a vote of one item helps or hurts all its questions. Careless workers click
at random, always on one side, or out of a habit of their own for each question. The generator
shares nothing with the model behind the flags.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.agreement.rater_agreement import (
    RaterAgreement,
    agreement_with_others,
    lower_limit,
)
from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.honest_comparison import compare_with_honest
from analysis.stats.labels.pooled_competence import pooled_competence
from analysis.stats.votes import Votes
from benchmarks.coverage.intervals import coverage_row
from benchmarks.reporting import Row
from benchmarks.simulated_studies import OPTIONS

STUDIES = 500
FORMER = 50  # studies whose workers the former cut is applied to
MOST_HONEST, LEAST_FOUND = 5.0, 80.0
OFTEN = 50.0  # % of workers compared; with fewer the texts count as too close
NOTE = (
    f"Share of workers in %, over {STUDIES} simulated studies (standard error below 1). Found is "
    "the share among careless workers who can be compared; where less than half of them can, the "
    "share of all, and nothing is promised. The former cut flagged a worker whose interval of "
    "competence was below one half."
)


@dataclass(frozen=True, kw_only=True)
class World:
    """How studies are drawn; gaps, leans and sides are in logits.

    gap: standard deviation of the gap between the texts of a pair. skill: that of the log of how
    sharply workers judge. shuffled: items go to workers one by one, else in questionnaires of five
    workers. heavy: gaps are from a t distribution with 3 degrees of freedom.
    """

    closeness: str
    gap: float
    questions: int = 7
    careless: int = 7
    workers: int = 35
    items: int = 30
    votes: int = 5
    skill: float = 0.4
    shuffled: bool = True
    heavy: bool = False

    @property
    def size(self) -> str:
        parts = [self.closeness, f"{self.questions} questions", f"{self.careless} careless"]
        parts += ["questionnaires"] * (not self.shuffled)
        parts += ["heavy tails, very unequal skill"] * self.heavy
        return ", ".join(parts)


WORLDS = (
    World(closeness="far apart", gap=3.0),
    World(closeness="far apart", gap=3.0, shuffled=False),
    World(closeness="far apart", gap=3.0, careless=0),
    World(closeness="apart", gap=2.0),
    World(closeness="apart", gap=2.0, shuffled=False),
    World(closeness="apart", gap=2.0, questions=4),
    World(closeness="apart", gap=2.0, heavy=True, skill=0.8),
    World(closeness="as in the corpus", gap=1.4),
    World(closeness="as in the corpus", gap=1.4, shuffled=False),
    World(closeness="as in the corpus", gap=1.4, questions=4),
    World(closeness="as in the corpus", gap=1.4, careless=0),
    World(closeness="near", gap=0.8),
    World(closeness="near", gap=0.8, careless=0),
    World(closeness="close", gap=0.1),
    World(closeness="close", gap=0.1, shuffled=False),
)

UNEQUAL = tuple(
    world
    for world in WORLDS
    if world.closeness != "near" and (not world.careless or not world.shuffled)
)


def rows(studies: int) -> Iterator[Row]:
    for number, world in enumerate(WORLDS):
        yield from of_world(world, studies, np.random.default_rng(number))
    for number, world in enumerate(UNEQUAL):
        yield of_agreement(world, studies, np.random.default_rng(number))


def of_world(world: World, studies: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the rows of honest workers flagged and of careless workers found."""
    marks, comparable, careless, alphas, former = [], [], [], [], []
    for number in range(studies):
        questions, is_careless = draw(world, rng)
        frame = compare_with_honest(questions).frame.set_index("worker").loc[range(world.workers)]
        marks.append(frame["mark"].to_numpy(dtype=bool))
        comparable.append(frame["comparable"].to_numpy(dtype=bool))
        careless.append(is_careless)
        if number < FORMER:
            alphas.append(np.mean([krippendorff_alpha(v, draws=0).value for v in questions]))
            former.append(formerly(questions, world.workers))
    mark, compared, bad = np.array(marks), np.array(comparable), np.array(careless)
    old = np.array(former)
    some = (mark & ~bad).any(axis=1)
    yield coverage_row(
        "honest workers flagged",
        world.size,
        100 * float(mark[~bad].mean()),
        least=None,
        most=MOST_HONEST,
        remark=f"alpha {np.mean(alphas):.2f}; a study flags an honest worker in "
        f"{100 * some.mean():.0f} %; the former cut flagged {100 * old[~bad[:FORMER]].mean():.0f}",
    )
    if world.careless:
        yield found_row(world, mark[bad], compared[bad], old[bad[:FORMER]])


def of_agreement(world: World, studies: int, rng: np.random.Generator) -> Row:
    """Return the row of honest questionnaires that the queue of work flags for low agreement."""
    low, former = [], []
    for _ in range(studies):
        questions, careless = draw(world, rng)
        found = with_others(questions, world.workers)
        values = [each.value for each in found]
        high = np.array([each.high for each in found])[~careless]
        limit = lower_limit(values)
        low.append((high < limit).mean() if limit is not None else 0.0)
        former.append((high < np.median(values)).mean())
    return coverage_row(
        "honest questionnaires flagged for low agreement",
        world.size,
        100 * float(np.mean(low)),
        least=None,
        most=MOST_HONEST,
        remark=f"below the median {100 * np.mean(former):.0f}",
    )


def with_others(questions: list[Votes], workers: int) -> list[RaterAgreement]:
    """Return the agreement of each worker with the others."""
    shared: list[dict[int, tuple[int, int]]] = [{} for _ in range(workers)]
    for votes in questions:
        counts = votes.counts()
        equal = counts[votes.item, votes.value] - 1
        others = counts.sum(axis=1)[votes.item] - 1
        columns = (column.tolist() for column in (votes.worker, votes.item, equal, others))
        for worker, item, same, of in zip(*columns, strict=True):
            before = shared[worker].get(item, (0, 0))
            shared[worker][item] = (before[0] + same, before[1] + of)
    return [agreement_with_others(pairs) for pairs in shared]


def found_row(world: World, mark: Flags, compared: Flags, old: Flags) -> Row:
    """Return the row of careless workers."""
    offered = 100 * float(compared.mean())
    often = offered >= OFTEN
    return coverage_row(
        "careless workers found",
        world.size,
        100 * float((mark[compared] if often else mark).mean()),
        least=LEAST_FOUND if often else None,
        most=None,
        remark=f"{offered:.0f} % can be compared, {100 * mark.mean():.0f} of all are found; the "
        f"former cut found {100 * old.mean():.0f}" + ("" if often else "; too close: no promise"),
    )


def formerly(questions: list[Votes], workers: int) -> Flags:
    """Return who was flagged by the former cut (W,)."""
    mark = np.zeros(workers, dtype=bool)
    try:
        frame = pooled_competence(questions).frame
    except CannotCompute:
        return mark
    mark[frame["worker"][frame["high"] < 0.5].to_numpy(dtype=np.int64)] = True
    return mark


def draw(world: World, rng: np.random.Generator) -> tuple[list[Votes], Flags]:
    """Return the votes on each question, and who is careless (W,)."""
    W, N = world.workers, world.workers * world.items // world.votes
    item, worker = dealt(world, N, rng)
    careless = np.zeros(W, dtype=bool)
    careless[rng.permutation(W)[: world.careless]] = True
    manner = rng.integers(0, 3, W)
    skill, tie = (np.exp(rng.normal(0, sd, W)) for sd in (world.skill, 0.4))
    lean, side = rng.normal(0, 0.45, W), rng.normal(0, 0.3, W)
    common, system = gaps(world, N, rng), rng.choice([-1, 1], N)
    left, luck = rng.choice([-1, 1], len(item)), rng.normal(0, 1, len(item))
    questions = []
    for _ in range(world.questions):
        gap = world.gap * (0.6**0.5 * common + 0.4**0.5 * gaps(world, N, rng))
        x = skill[worker] * (gap[item] + lean[worker] * system[item]) + side[worker] * left
        u = scipy.special.ndtr(0.6 * luck + 0.8 * rng.normal(0, 1, len(item)))
        for_a, for_b = (scipy.special.expit(sign * x - 0.6 * tie[worker]) for sign in (1, -1))
        honest = np.where(u < for_a, 0, np.where(u < 1 - for_b, 1, 2))
        value = np.where(careless[worker], clicked(manner, worker, left, rng), honest)
        questions.append(
            Votes.from_indices(
                item, worker, value, options=OPTIONS, items=range(N), workers=range(W)
            )
        )
    return questions, careless


def gaps(world: World, N: int, rng: np.random.Generator) -> Floats:
    return rng.standard_t(3, N) / 3**0.5 if world.heavy else rng.normal(0, 1, N)


def dealt(world: World, N: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the item and the worker of each vote, at most one vote of a worker on an item."""
    W, votes = world.workers, world.votes
    if not world.shuffled:
        part, order = rng.permutation(N) % (W // votes), rng.permutation(W)
        return np.repeat(np.arange(N), votes), order[
            (part[:, None] * votes + np.arange(votes)).ravel()
        ]
    item = np.concatenate([rng.permutation(N) for _ in range(votes)])
    worker = np.concatenate([rng.permutation(np.arange(N) % W) for _ in range(votes)])
    pairs = np.unique(item * W + worker)
    return pairs // W, pairs % W


def clicked(manner: Ints, worker: Ints, left: Ints, rng: np.random.Generator) -> Ints:
    """Return answers without reading: at random, on the left in 95 %, or by a habit (n,)."""
    n = len(worker)
    at_random = rng.integers(0, 3, n)
    one_side = np.where(rng.random(n) < 0.95, 1 - left, at_random)
    habit = rng.dirichlet([1, 1, 1], int(worker.max()) + 1).cumsum(axis=1)[worker]
    by_habit = np.minimum((rng.random(n)[:, None] > habit).sum(axis=1), 2)
    return np.asarray(np.choose(manner[worker], [at_random, one_side, by_habit]))
