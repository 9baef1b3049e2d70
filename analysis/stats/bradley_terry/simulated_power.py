"""Power of a planned study, by drawing it many times and analysing each draw as results will.

The power is the share of drawn studies (simulated_votes.py) in which results would name the best
system as the winner (winner_power.py). The share of votes that the best wins, and its interval, are
from votes summed by pairs of systems, to which merits of systems are fitted (merits.py): Student's
t has the smaller of topics and workers, less one, for degrees of freedom, as in study_plan.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import FIRTH, fit_merits
from analysis.stats.bradley_terry.mixed_effects import vote_share
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.simulated_votes import (
    AssumedTruth,
    PairDesign,
    SimulatedVotes,
    draw_votes,
)
from analysis.stats.bradley_terry.tie_models import logistic
from analysis.stats.bradley_terry.winner_power import Differences, WinnerPower, study_differences
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import check_confidence
from analysis.stats.verdicts import LimitVerdict, limit_of

FARTHEST = 8.0  # logits
WANTED = 0.8  # the power of which `times_wanted` speaks
TIES_FROM = 10_000  # votes, about, from which the tie parameter is estimated


@dataclass(frozen=True, kw_only=True)
class SimulatedPower:
    """Findings expected of a study with `votes` votes on each pair.

    named: the probability that results name the best system as the winner, 0 where they name none
    with so few topics or workers (`limit`, one of LimitVerdict). apart: that the interval of its
    difference from one other system excludes 0; ahead: that it is ahead of one other. share: of
    votes that it wins against one other, ties counting half; half_width: of its interval.
    lever: what adds more to its error, topics or raters. times_wanted: how many times the topics
    and workers give the WANTED power, None if too many.
    """

    votes: int
    workers: int
    named: float
    apart: float
    ahead: float
    share: float
    half_width: float
    draws: int
    confidence: float
    limit: str = LimitVerdict.NONE
    lever: str = LimitVerdict.TOPICS
    times_wanted: float | None = None


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
    analysed: list[list[Differences]] = [[] for _ in votes]
    counts, best, tie = [], [], None
    for part in draw_votes(design, assumed, rounds=max(votes), draws=draws, rng=rng):
        tie = _tie_parameter(part) if tie is None else tie
        for differences, number in zip(analysed, votes, strict=True):
            differences.append(_analysed(part.first(number), tie))
        counts.append(_counted(part, max(votes)))
        best.append(part.best)
        tell(sum(map(len, best)) / draws)
    summed, first = np.concatenate(counts).cumsum(axis=1), np.concatenate(best)
    return [
        _found(
            design,
            WinnerPower(Differences.joined(differences), first),
            summed[:, number - 1],
            number,
            confidence,
        )
        for differences, number in zip(analysed, votes, strict=True)
    ]


def _tie_parameter(votes: SimulatedVotes) -> float:
    """Return the tie parameter by the first studies: that of results, which it is slow to fit."""
    studies = 1 + TIES_FROM * len(votes.best) // len(votes.study)
    taken = votes.study < studies
    some = replace(
        votes,
        best=votes.best[:studies],
        **{n: getattr(votes, n)[taken] for n in ("study", "round", "pair", "worker", "outcome")},
    )
    if not some.outcome.any():
        return 1.0  # as grades.fitted
    return float(
        fit_merits(some.comparisons, tie_parameter="estimated", ridge=FIRTH).tie_parameter[0]
    )


def _analysed(votes: SimulatedVotes, tie_parameter: float) -> Differences:
    comparisons = votes.comparisons
    topics = len(comparisons.problems) // len(votes.best)
    return study_differences(
        comparisons,
        study=np.arange(len(comparisons.problems)) // topics,
        system=votes.design.system[np.array(comparisons.responses)],
        worker=votes.worker,
        tie_parameter=tie_parameter,
    )


def _counted(votes: SimulatedVotes, rounds: int) -> Ints:
    """Return votes by pair of systems: (D, rounds, pairs of systems, 3).

    Outcomes are -1, 0, 1 for the system of the smaller number.
    """
    design, D = votes.design, len(votes.best)
    number, turned = _places(design)
    S = design.systems * (design.systems - 1) // 2
    across = number[votes.pair] >= 0
    pair = votes.pair[across]
    outcome = np.where(turned[pair], -votes.outcome[across], votes.outcome[across])
    row = votes.study[across] * rounds + votes.round[across]
    cell = (row * S + number[pair]) * 3 + outcome + 1
    return np.bincount(cell, minlength=D * rounds * S * 3).reshape(D, rounds, S, 3)


def _places(design: PairDesign) -> tuple[Ints, Flags]:
    """Return the pair of systems of each pair, -1 within a system, and if it is reversed: (M,)."""
    pairs = {pair: k for k, pair in enumerate(combinations(range(design.systems), 2))}
    first, second = design.system[design.a], design.system[design.b]
    sides = zip(first.tolist(), second.tolist(), strict=True)
    number = [pairs.get((min(a, b), max(a, b)), -1) for a, b in sides]
    return np.array(number), first > second


def _found(
    design: PairDesign, power: WinnerPower, counts: Ints, votes: int, confidence: float
) -> SimulatedPower:
    """Return the result of one number of votes, from the votes of all draws, counts (D, S, 3)."""
    D, G = len(power.best), design.systems
    fit = fit_merits(_comparisons(counts, G), tie_parameter="estimated")
    merits, draw = fit.merits.reshape(D, G), np.arange(D)
    # the others are all equal, so any of them is the second
    gaps = merits[draw, power.best] - merits[draw, (power.best + 1) % G]
    t = float(fit.tie_parameter[0])
    shares = 0.5 + (logistic(gaps - t) - logistic(-gaps - t)) / 2
    workers = votes * design.workers_a_vote
    freedom = max(1, min(design.topics, workers) - 1)
    critical = float(scipy.stats.t.ppf((1 + confidence) / 2, freedom))
    limit = limit_of(topics=design.topics, raters=workers)
    return SimulatedPower(
        votes=votes,
        workers=workers,
        named=0.0 if limit else power.named(),
        apart=0.0 if limit else power.apart(),
        ahead=power.ahead(),
        share=float(shares.mean()),
        half_width=critical * float(shares.std(ddof=1)),
        draws=D,
        confidence=confidence,
        limit=limit,
        lever=power.lever(),
        times_wanted=None if limit else power.times_wanted(WANTED),
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
