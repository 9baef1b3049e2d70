"""Votes of planned studies of any design, drawn from the mixed model (mixed.py).

A draw has fresh texts, topics and workers; all systems but the best are equally good, and the best
one is drawn. Every pair gets one vote a round, and every round has workers of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.tie_models import logistic
from analysis.stats.errors import BadSetting, CannotCompute


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth:
    """True effects from which votes are drawn.

    merits (T, n): of the n responses to T topics; systems (n,): of the responses.
    lean (W, G), habit (W,), scale (W,): of the workers. tie_parameter, side: of all.
    """

    merits: Floats
    systems: Ints
    lean: Floats
    habit: Floats
    scale: Floats
    tie_parameter: float
    side: float

    def vote(
        self, topic: Ints, a: Ints, b: Ints, worker: Ints, left: Floats, rng: np.random.Generator
    ) -> Ints:
        """Return votes 1, 0 or -1 on responses a and b; left is 1 where a is on the left, or -1."""
        gap = self.merits[topic, a] - self.merits[topic, b]
        lean = self.lean[worker, self.systems[a]] - self.lean[worker, self.systems[b]]
        eta = self.scale[worker] * gap + lean + (self.side + self.habit[worker]) * left
        u = rng.random(len(eta))
        win = u < logistic(eta - self.tie_parameter)
        loss = u > 1 - logistic(-eta - self.tie_parameter)
        return win.astype(np.int64) - loss


AT_ONCE = 200_000  # votes that are held at a time
CELLS_AT_ONCE = 8_000_000  # of matrices of a topic's texts, one a vote at most


def _unfit_design(reason: str) -> CannotCompute:
    return CannotCompute("unfit_design", f"Power cannot be computed because {reason}.")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairDesign:
    """The pairs of a study.

    system, topic (R,): of the texts, from 0. a, b (M,): the texts of a pair, a pair and its reverse
    being two. pairs_per_worker: the votes of one worker. Raises CannotCompute (unfit_design).
    """

    system: Ints
    topic: Ints
    a: Ints
    b: Ints
    pairs_per_worker: int

    def __post_init__(self) -> None:
        if len(np.unique(self.system)) < 2:
            raise _unfit_design("all texts are by one system")
        if not len(self.across):
            raise _unfit_design("no pair has texts by two systems")
        if self.topics < 2:
            raise _unfit_design("there is only one topic")

    @property
    def across(self) -> Ints:
        """Indices (N,) of the pairs that compare two systems."""
        return np.flatnonzero(self.system[self.a] != self.system[self.b])

    @property
    def systems(self) -> int:
        return int(self.system.max()) + 1

    @property
    def topics(self) -> int:
        return len(np.unique(self.topic))

    @cached_property
    def entries(self) -> tuple[Ints, Ints]:
        """Texts (R,) that are in a pair, topic by topic, and their topics (R,) from 0."""
        texts = np.unique([self.a, self.b])
        texts = texts[np.argsort(self.topic[texts], kind="stable")]
        return texts, np.unique(self.topic[texts], return_inverse=True)[1]

    @property
    def workers_a_vote(self) -> int:
        """Number of further workers that one more vote on all pairs takes."""
        return -(-len(self.a) // self.pairs_per_worker)


@dataclass(frozen=True, kw_only=True)
class AssumedTruth:
    """Assumed truth of a planned study. Raises BadSetting.

    difference: of the best system from any other, in logits. competence: the share of votes that
    the model gives; the others are given at random.
    """

    components: Components
    tie_parameter: float
    difference: float
    competence: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.competence <= 1:
            raise BadSetting("competence", self.competence, "between 0 and 1")

    @property
    def outcomes(self) -> Ints:
        """Possible outcomes of a random vote."""
        return np.array([-1, 0, 1] if self.tie_parameter > 0 else [-1, 1])


@dataclass(frozen=True, eq=False, kw_only=True)
class SimulatedVotes:
    """n votes in D studies of a design, with the best system of each (D,).

    study, round, pair, worker (n,): worker counts through all studies. outcome (n,): 1 if the first
    text of the pair is preferred, 0 for neither, -1 for the second.
    """

    design: PairDesign
    best: Ints
    study: Ints
    round: Ints
    pair: Ints
    worker: Ints
    outcome: Ints

    def first(self, rounds: int) -> Self:
        """Return the votes of the first rounds."""
        taken = self.round < rounds
        names = ("study", "round", "pair", "worker", "outcome")
        return type(self)(
            design=self.design, best=self.best, **{n: getattr(self, n)[taken] for n in names}
        )

    @property
    def comparisons(self) -> Comparisons:
        """Comparisons of the texts of each topic, a problem being a topic of one study."""
        order, topic = self.design.entries
        D, R, T = len(self.best), len(order), int(topic[-1]) + 1
        place = np.argsort(order)
        sizes = np.bincount(topic)
        within = np.arange(R) - (np.cumsum(sizes) - sizes)[topic]
        return Comparisons(
            a=self.study * R + place[self.design.a[self.pair]],
            b=self.study * R + place[self.design.b[self.pair]],
            outcome=self.outcome.astype(np.int8),
            weight=np.ones(len(self.pair)),
            entry_problem=(np.arange(D)[:, None] * T + topic).ravel(),
            entry_place=np.tile(within, D),
            sizes=np.tile(sizes, D),
            responses=tuple(np.tile(order, D).tolist()),
            problems=tuple(range(D * T)),
        )


def draw_votes(
    design: PairDesign, assumed: AssumedTruth, *, rounds: int, draws: int, rng: np.random.Generator
) -> Iterator[SimulatedVotes]:
    """Yield portions of the draws."""
    n = int(np.bincount(design.entries[1]).max())
    votes = min(AT_ONCE, CELLS_AT_ONCE // n**2)
    many = max(1, votes // (rounds * len(design.a)))
    for start in range(0, draws, many):
        D = min(many, draws - start)
        order = rng.permuted(np.tile(np.arange(design.systems), (D, 1)), axis=1)
        truth = _truth(design, assumed, order, rounds, rng)
        yield _votes(design, assumed, truth, order[:, 0], rounds, rng)


def _truth(
    design: PairDesign, assumed: AssumedTruth, order: Ints, rounds: int, rng: np.random.Generator
) -> Truth:
    """Return the truth of some draws, their texts in the place of topics' responses."""
    D, G = order.shape
    components, T, W = (
        assumed.components,
        int(design.topic.max()) + 1,
        rounds * design.workers_a_vote * D,
    )
    merit = np.zeros((D, G))
    merit[np.arange(D), order[:, 0]] = assumed.difference
    of_topic = components.system_topic * rng.normal(size=(D, T, G))
    response_merit = components.response * rng.normal(size=(D, len(design.system)))
    return Truth(
        merits=merit[:, design.system] + of_topic[:, design.topic, design.system] + response_merit,
        systems=design.system,
        lean=components.lean / np.sqrt(2) * rng.normal(size=(W, G)),
        habit=components.habit * rng.normal(size=W),
        scale=np.exp(components.discrimination * rng.normal(size=W)),
        tie_parameter=assumed.tie_parameter,
        side=0.0,
    )


def _votes(
    design: PairDesign,
    assumed: AssumedTruth,
    truth: Truth,
    best: Ints,
    rounds: int,
    rng: np.random.Generator,
) -> SimulatedVotes:
    """Return the votes of all rounds, dealt to workers by lot."""
    D, M = len(best), len(design.a)
    dealt = rng.permuted(np.tile(np.arange(M), (D * rounds, 1)), axis=1)
    first_worker = np.arange(D * rounds)[:, None] * design.workers_a_vote
    worker = (first_worker + dealt // design.pairs_per_worker).ravel()
    study, pair = np.repeat(np.arange(D), rounds * M), np.tile(np.arange(M), D * rounds)
    left = rng.choice([-1.0, 1.0], len(pair))
    outcome = truth.vote(study, design.a[pair], design.b[pair], worker, left, rng)
    if assumed.competence < 1:
        careless = rng.random(len(pair)) >= assumed.competence
        outcome[careless] = rng.choice(assumed.outcomes, int(careless.sum()))
    return SimulatedVotes(
        design=design,
        best=best,
        study=study,
        round=np.tile(np.repeat(np.arange(rounds), M), D),
        pair=pair,
        worker=worker,
        outcome=outcome,
    )
