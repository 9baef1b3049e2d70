"""Probabilities from the mixed model (mixed.py): systems, reliability, votes needed.

All are means over the normal distributions of the random effects, by Gauss-Hermite quadrature:
exact but for the sixth digit.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.mixed import MixedResult
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.tie_models import logistic
from analysis.stats.errors import BadSetting

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True, kw_only=True)
class WinProbability:
    """Probability that a system wins over another: an effect size.

    votes: that a vote goes to the first, of any worker on any pair of their responses to any topic,
    a tie counting half. better: that its response to a topic is the better one. Each is a value
    with its interval, which is that of the difference of the systems, at the fitted components.
    topics, workers, n: of the votes that compare the two directly, 0 where only other systems join
    them.
    """

    first: Hashable
    second: Hashable
    votes: tuple[float, float, float]
    better: tuple[float, float, float]
    difference: tuple[float, float, float]
    topics: int
    workers: int
    n: int
    confidence: float


@dataclass(frozen=True, kw_only=True)
class VoteReliability:
    """Reliability of votes on a pair (Brennan 2001).

    single: the pairs' share of the variance of a vote, which alpha and the intraclass correlation
    estimate.
    """

    single: float

    def of(self, votes: float) -> float:
        """Return the reliability of the mean of several votes on a pair (Spearman and Brown)."""
        if not votes > 0:
            raise BadSetting("votes", votes, "above 0")
        return votes * self.single / (1 + (votes - 1) * self.single)

    def votes_for(self, reliability: float = 0.8) -> float:
        """Return the votes on a pair whose mean has this reliability; infinite without any."""
        if not 0 < reliability < 1:
            raise BadSetting("reliability", reliability, "between 0 and 1")
        if self.single == 0:
            return float("inf")
        odds = reliability / (1 - reliability)
        return odds * (1 - self.single) / self.single


def win_probability(result: MixedResult, first: Hashable, second: Hashable) -> WinProbability:
    """Return the probability that one system wins over another. Raises BadSetting."""
    difference = result.difference(first, second)
    components = result.components
    texts = np.sqrt(2 * (components.response**2 + components.system_topic**2))

    def by_vote(gap: float) -> float:
        return 0.5 + _score(gap, texts, result)[0] / 2

    def better(gap: float) -> float:
        return float(scipy.stats.norm.cdf(gap / texts))

    def three(of: Callable[[float], float]) -> tuple[float, float, float]:
        return of(difference[0]), of(difference[1]), of(difference[2])

    direct = result.votes.between(first, second)
    return WinProbability(
        first=first,
        second=second,
        votes=three(by_vote),
        better=three(better),
        difference=difference,
        topics=len(np.unique(result.votes.topic[result.votes.a[direct]])),
        workers=len(np.unique(result.votes.worker[direct])),
        n=int(direct.sum()),
        confidence=result.confidence,
    )


def vote_reliability(result: MixedResult) -> VoteReliability:
    """Return the reliability of a vote, scored 1, 0 or -1, on a pair like those compared."""
    between = pair_variance(result)
    gaps = np.sqrt(between) * _NODES
    scores = np.array([_score(gap, 0.0, result) for gap in gaps])
    return VoteReliability(single=float(_WEIGHTS @ scores[:, 0] ** 2 / (_WEIGHTS @ scores[:, 1])))


def pair_variance(result: MixedResult) -> float:
    """Return the mean square difference in merit of the pairs compared, by the components."""
    votes, components = result.votes, result.components
    gap = result.systems_merit[votes.system[votes.a]] - result.systems_merit[votes.system[votes.b]]
    across = float((votes.system[votes.a] != votes.system[votes.b]).mean())
    return (
        float((gap**2).mean())
        + 2 * components.response**2
        + across * 2 * components.system_topic**2
    )


def variance_components(result: MixedResult) -> dict[str, float]:
    """Return variances in logits: of the difference of two responses, by part, and of a vote.

    systems: of the systems compared; chance: of the logistic distribution, pi^2 / 3.
    """
    components, votes = result.components, result.votes
    gap = result.systems_merit[votes.system[votes.a]] - result.systems_merit[votes.system[votes.b]]
    across = float((votes.system[votes.a] != votes.system[votes.b]).mean())
    return {
        "systems": float((gap**2).mean()),
        "systems in topics": across * 2 * components.system_topic**2,
        "responses": 2 * components.response**2,
        "workers' leanings": across * components.lean**2,
        "workers' sides": components.habit**2,
        "chance": float(np.pi**2 / 3),
    }


def vote_information(components: Components, tie_parameter: float, gap: float = 0.0) -> float:
    """Return the information of a vote on the difference of two responses `gap` apart.

    Of the logistic model with ties, a worker's habit counting as noise of the vote.
    """
    scales = np.exp(components.discrimination * _NODES)
    win = logistic(scales * gap - tie_parameter)
    loss = logistic(-scales * gap - tie_parameter)
    # expected curvature: what is not lost, times its slope (McCullagh 1980)
    bend = win * (1 - win) * (1 - loss) + loss * (1 - loss) * (1 - win)
    scaled_bend = scales**2 * bend
    return float(_WEIGHTS @ (scaled_bend / (1 + bend * components.habit**2)))


def vote_share(components: Components, tie_parameter: float, gap: float) -> float:
    """Return the share of votes that a system ahead by `gap` wins, a tie counting half."""
    texts = np.sqrt(2 * (components.response**2 + components.system_topic**2))
    return 0.5 + vote_score(components, tie_parameter, gap=gap, spread=texts)[0] / 2


def vote_score(
    components: Components, tie_parameter: float, *, gap: float, spread: float
) -> tuple[float, float]:
    """Return mean and mean square of a vote scored 1, 0, -1 on responses gap apart, sd spread."""
    t = tie_parameter
    scales = np.exp(components.discrimination * _NODES)[:, None]
    sd = np.sqrt((scales * spread) ** 2 + components.lean**2 + components.habit**2)
    eta: Floats = scales * gap + sd * _NODES
    win, loss = logistic(eta - t), logistic(-eta - t)
    return float(_WEIGHTS @ (win - loss) @ _WEIGHTS), float(_WEIGHTS @ (win + loss) @ _WEIGHTS)


def _score(gap: float, spread: float, result: MixedResult) -> tuple[float, float]:
    return vote_score(result.components, result.tie_parameter, gap=gap, spread=spread)
