"""Power of a planned study, by drawing it many times and analysing each draw.

A draw has fresh texts, topics and workers, of the mixed model (mixed_simulation.py); all systems
but the best are equally good, and the best one is drawn. Its votes are summed by pairs of systems,
and merits of systems fitted to them (merits.py). The spread of these estimates over draws is their
error, which gives the width of the interval; Student's t has the smaller of topics and workers,
less one, for degrees of freedom, as in study_plan.py, whose formula this is for designs of any
shape and for votes that were given without care.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.mixed_effects import vote_share
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.mixed_simulation import Truth
from analysis.stats.bradley_terry.tie_models import logistic
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import check_confidence
from analysis.stats.verdicts import Limit, limit_of

AT_ONCE = 1_000_000  # votes that are held at a time
FARTHEST = 8.0  # logits


def _unfit_design(reason: str) -> CannotCompute:
    return CannotCompute(
        "unfit_design", f"How sure a study would be cannot be said because {reason}."
    )


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
            raise _unfit_design("all texts are of one system")
        if not len(self.across):
            raise _unfit_design("no pair has texts of two systems")
        if self.topics < 2:
            raise _unfit_design("there is one topic, and what it has is no other topic's")

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


@dataclass(frozen=True, kw_only=True)
class SimulatedPower:
    """Findings expected of a study with `votes` votes on each pair, about its two best systems.

    apart: the probability that the interval of their difference excludes 0, 0 where results name no
    winner with so few topics or workers (`limit`, one of verdicts.Limit); ahead: that the better
    one comes out ahead. share: of votes that it wins, ties counting half; half_width: of its
    interval.
    """

    votes: int
    workers: int
    apart: float
    ahead: float
    share: float
    half_width: float
    draws: int
    confidence: float
    limit: str = Limit.NONE


def difference_for(share: float, components: Components, tie_parameter: float) -> float:
    """Return the lead, in logits, of a system that wins this share of votes. Raises BadSetting."""
    if not 0.5 <= share < vote_share(components, tie_parameter, FARTHEST):
        raise BadSetting("share", share, "from .5 to what the best of systems can win")

    def missing(gap: float) -> float:
        return vote_share(components, tie_parameter, gap) - share

    return float(scipy.optimize.brentq(missing, 0.0, FARTHEST)) if share > 0.5 else 0.0


def simulate_power(
    design: PairDesign,
    assumed: AssumedTruth,
    *,
    votes: Sequence[int],
    draws: int,
    seed: int,
    confidence: float = 0.95,
    tell: Callable[[float], object] = lambda _: None,
) -> list[SimulatedPower]:
    """Return one result for each number of votes on a pair, from the same draws.

    `tell` is called now and then with the share of draws done. Raises BadSetting.
    """
    check_confidence(confidence)
    if draws < 2 or not votes or min(votes) < 1:
        raise BadSetting("draws", draws, "2 or more, and 1 vote or more")
    rng = np.random.default_rng(seed)
    parts = []
    for part in _draws(design, assumed, rounds=max(votes), draws=draws, rng=rng):
        parts.append(part)
        tell(sum(len(order) for _, order in parts) / draws)
    counts = np.concatenate([counted for counted, _ in parts]).cumsum(axis=1)
    first = np.concatenate([order for _, order in parts])
    return [_found(design, counts[:, number - 1], first, number, confidence) for number in votes]


def _draws(
    design: PairDesign, assumed: AssumedTruth, *, rounds: int, draws: int, rng: np.random.Generator
) -> Iterator[tuple[Ints, Ints]]:
    """Yield portions of draws: votes (D, rounds, pairs of systems, 3), order of systems (D, G).

    Outcomes are -1, 0, 1 for the system of the smaller number.
    """
    many = max(1, AT_ONCE // (rounds * len(design.a)))
    for start in range(0, draws, many):
        D = min(many, draws - start)
        order = rng.permuted(np.tile(np.arange(design.systems), (D, 1)), axis=1)
        truth = _truth(design, assumed, order, rounds, rng)
        yield _votes(design, assumed, truth, D, rounds, rng), order


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
    D: int,
    rounds: int,
    rng: np.random.Generator,
) -> Ints:
    """Return the votes of all rounds: every pair gets one a round, dealt to workers by lot."""
    M, across = len(design.a), design.across
    dealt = rng.permuted(np.tile(np.arange(M), (D * rounds, 1)), axis=1)[:, across]
    first_worker = np.arange(D * rounds)[:, None] * design.workers_a_vote
    worker = (first_worker + dealt // design.pairs_per_worker).ravel()
    draw = np.repeat(np.arange(D), rounds * len(across))
    a, b = (np.tile(side[across], D * rounds) for side in (design.a, design.b))
    left = rng.choice([-1.0, 1.0], len(a))
    outcome = truth.vote(draw, a, b, worker, left, rng)
    if assumed.competence < 1:
        careless = rng.random(len(a)) >= assumed.competence
        outcome[careless] = rng.choice(assumed.outcomes, int(careless.sum()))
    place, turned = _places(design)
    outcome = np.where(np.tile(turned, D * rounds), -outcome, outcome)
    S = design.systems * (design.systems - 1) // 2
    row = np.repeat(np.arange(D * rounds), len(across))
    cell = (row * S + np.tile(place, D * rounds)) * 3 + outcome + 1
    return np.bincount(cell, minlength=D * rounds * S * 3).reshape(D, rounds, S, 3)


def _places(design: PairDesign) -> tuple[Ints, Flags]:
    """Return the pair of systems of each pair of texts, and whether it is reversed: (N,)."""
    number = {pair: k for k, pair in enumerate(combinations(range(design.systems), 2))}
    sides = zip(
        design.system[design.a[design.across]].tolist(),
        design.system[design.b[design.across]].tolist(),
        strict=True,
    )
    places = [(number[min(a, b), max(a, b)], a > b) for a, b in sides]
    place, turned = zip(*places, strict=True)
    return np.array(place), np.array(turned)


def _found(
    design: PairDesign, counts: Ints, order: Ints, votes: int, confidence: float
) -> SimulatedPower:
    """Return the result from the votes of all draws, counts (D, S, 3)."""
    D, G = order.shape
    fit = fit_merits(_comparisons(counts, G), tie_parameter="estimated")
    merits, draw = fit.merits.reshape(D, G), np.arange(D)
    # the others are all equal, so any of them is the second
    gaps = merits[draw, order[:, 0]] - merits[draw, order[:, 1]]
    t = float(fit.tie_parameter[0])
    shares = 0.5 + (logistic(gaps - t) - logistic(-gaps - t)) / 2
    workers = votes * design.workers_a_vote
    freedom = max(1, min(design.topics, workers) - 1)
    critical = float(scipy.stats.t.ppf((1 + confidence) / 2, freedom))
    error = float(gaps.std(ddof=1))
    far = float(gaps.mean()) / error if error else float("inf")
    normal, limit = scipy.stats.norm, limit_of(topics=design.topics, raters=workers)
    clear = float(normal.cdf(far - critical) + normal.cdf(-far - critical))
    return SimulatedPower(
        votes=votes,
        workers=workers,
        apart=0.0 if limit else clear,
        ahead=float(normal.cdf(far)),
        share=float(shares.mean()),
        half_width=critical * float(shares.std(ddof=1)),
        draws=D,
        confidence=confidence,
        limit=limit,
    )


def _comparisons(counts: Ints, G: int) -> Comparisons:
    """Return comparisons in which a problem is a draw and its responses are the systems."""
    D = len(counts)
    pairs = np.array(list(combinations(range(G), 2)))
    draw, pair, outcome = np.nonzero(counts)
    return Comparisons(
        a=draw * G + pairs[pair, 0],
        b=draw * G + pairs[pair, 1],
        outcome=outcome - 1,
        weight=counts[draw, pair, outcome].astype(np.float64),
        entry_problem=np.repeat(np.arange(D), G),
        entry_place=np.tile(np.arange(G), D),
        sizes=np.full(D, G),
        responses=tuple(range(G)) * D,
        problems=tuple(range(D)),
    )
