"""Errors and power of a planned study, by formula, from the mixed model.

All pairs of the n = G r responses to a topic get v votes each, spread over W workers. The mean of a
system over T topics, less that of another, then has the variance
    2 (s_st^2 + s_r^2 / r) / T  +  s_lean^2 / W  +  2 / (r n v I T):
topics and texts, workers, and the noise of votes, each with information I on a difference (the
information of the model, workers' habits counted as noise). The last is exact for a balanced
design with equal information (its Laplacian is v I (n 1 - 11')).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.bradley_terry.mixed_effects import vote_information
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import check_confidence

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True, kw_only=True)
class StudyPlan:
    """A balanced study of pairs. Raises BadSetting for impossible numbers."""

    systems: int = 2
    topics: int = 65
    responses_per_system: int = 1
    votes_per_pair: float = 5
    workers: int = 100

    def __post_init__(self) -> None:
        least = {
            "systems": 2,
            "topics": 2,
            "responses_per_system": 1,
            "votes_per_pair": 0,
            "workers": 2,
        }
        for name, at_least in least.items():
            if not getattr(self, name) >= at_least or not self.votes_per_pair > 0:
                raise BadSetting(name, getattr(self, name), f"{at_least} or more")

    @property
    def votes(self) -> float:
        n = self.systems * self.responses_per_system
        return self.topics * n * (n - 1) / 2 * self.votes_per_pair


@dataclass(frozen=True, kw_only=True)
class StudyPlanResult:
    """Expected error and power, in logits.

    error: of the difference of two systems; from_topics, from_workers, from_votes: the parts of its
    variance. width: of the interval, from end to end. detectable: the difference whose interval
    excludes 0 with the requested power.
    """

    plan: StudyPlan
    votes: float
    error: float
    from_topics: float
    from_workers: float
    from_votes: float
    freedom: int
    width: float
    detectable: float
    power: float
    confidence: float

    def chance_of_best(self, merits: Sequence[float]) -> float:
        """Return the probability that the best of systems with these merits is ranked first.

        Errors of systems are independent with variance error^2 / 2, so it is one integral.
        """
        if len(merits) != self.plan.systems:
            raise BadSetting("merits", tuple(merits), f"{self.plan.systems} numbers")
        ordered = np.sort(np.asarray(merits, dtype=np.float64))
        gaps = (ordered[-1] - ordered[:-1]) / (self.error / np.sqrt(2))
        first = scipy.stats.norm.cdf(_NODES[:, None] + gaps).prod(axis=1)
        return float(_WEIGHTS @ first)


def expected(
    plan: StudyPlan,
    components: Components,
    *,
    tie_parameter: float = 1.0,
    power: float = 0.8,
    confidence: float = 0.95,
) -> StudyPlanResult:
    """Return errors and power of the plan, given components of a study. Raises BadSetting."""
    check_confidence(confidence)
    if not 0 < power < 1:
        raise BadSetting("power", power, "between 0 and 1")
    r, T = plan.responses_per_system, plan.topics
    n = plan.systems * r
    texts = np.sqrt(2 * (components.response**2 + components.system_topic**2))
    vote_informations = [
        vote_information(components, tie_parameter, float(texts * x)) for x in _NODES
    ]
    information = float(_WEIGHTS @ vote_informations)
    from_topics = 2 * (components.system_topic**2 + components.response**2 / r) / T
    from_workers = components.lean**2 / plan.workers
    from_votes = 2 / (r * n * plan.votes_per_pair * information * T)
    error = float(np.sqrt(from_topics + from_workers + from_votes))
    freedom = min(T, plan.workers) - 1
    t = scipy.stats.t(freedom)
    critical = float(t.ppf((1 + confidence) / 2))
    return StudyPlanResult(
        plan=plan,
        votes=plan.votes,
        error=error,
        from_topics=from_topics,
        from_workers=from_workers,
        from_votes=from_votes,
        freedom=freedom,
        width=2 * critical * error,
        detectable=_detectable(critical, freedom, power) * error,
        power=power,
        confidence=confidence,
    )


def _detectable(critical: float, freedom: int, power: float) -> float:
    """Return the noncentrality at which Student's t exceeds its critical value with this power."""

    def missing(shift: float) -> float:
        return float(scipy.stats.nct.sf(critical, freedom, shift)) - power

    low = 1e-6
    if missing(low) >= 0:
        return 0.0
    return float(scipy.optimize.brentq(missing, low, critical + 10 + 40 / freedom))
