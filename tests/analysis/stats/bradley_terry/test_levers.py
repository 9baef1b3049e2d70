"""The lever that Plan names raises power at least as much as the others at the same cost.

Cost is the number of votes that are paid. At the cost of the design itself there is fewer tasks per
worker (twice the workers), or more topics with fewer votes on each pair; at twice the cost, more
topics or more votes. Numbers are those of Plan's own simulation.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from analysis.stats.bradley_terry.simulated_power import SimulatedPower, simulate_power
from analysis.stats.bradley_terry.simulated_votes import AssumedTruth
from analysis.stats.verdicts import LimitVerdict
from tests.analysis.stats.bradley_terry.test_simulated_power import COMPONENTS, TIE, all_pairs

DRAWS = 150
ERRORS = 2.5  # standard errors of the difference of two simulated powers


class Study(NamedTuple):
    """A design of one text per system and topic."""

    topics: int
    systems: int
    on_each: int  # pairs of a worker
    votes: int
    difference: float

    def power(self) -> SimulatedPower:
        return power_of(self)

    def fewer_tasks(self) -> float:
        return self._replace(on_each=self.on_each // 2).power().named

    def more_topics_fewer_votes(self) -> float:
        return self._replace(topics=2 * self.topics, votes=self.votes // 2).power().named

    def more_topics(self) -> float:
        return self._replace(topics=2 * self.topics).power().named

    def more_votes(self) -> float:
        return self._replace(votes=2 * self.votes).power().named


@cache
def power_of(study: Study) -> SimulatedPower:
    design = all_pairs(topics=study.topics, systems=study.systems, on_each=study.on_each)
    assumed = AssumedTruth(components=COMPONENTS, tie_parameter=TIE, difference=study.difference)
    return simulate_power(design, assumed, votes=[study.votes], draws=DRAWS, seed=1)[0]


FEW_WORKERS = [
    Study(48, 2, 48, 10, 0.4),
    Study(60, 2, 60, 10, 0.3),
    Study(70, 2, 70, 10, 0.3),
    Study(80, 2, 80, 10, 0.3),
    Study(60, 3, 180, 10, 0.4),
    Study(90, 2, 90, 12, 0.3),
    Study(100, 2, 100, 12, 0.3),
]
FEW_TOPICS = [
    Study(12, 2, 12, 10, 0.5),
    Study(12, 2, 4, 10, 0.6),
    Study(12, 3, 4, 4, 0.8),
    Study(24, 3, 36, 10, 0.6),
    Study(16, 2, 4, 8, 0.6),
    Study(14, 3, 6, 8, 0.7),
    Study(20, 2, 10, 12, 0.5),
    Study(12, 4, 12, 6, 0.9),
]


def assert_at_least(named: Sequence[float], others: Sequence[float]) -> None:
    """Check each design within the error of its simulations, and the mean of all."""
    for better, worse in zip(named, others, strict=True):
        middle = (better + worse) / 2
        error = np.sqrt(max(middle * (1 - middle), 0.01) * 2 / DRAWS)
        assert better >= worse - ERRORS * error
    assert np.mean(named) > np.mean(others)


def test_with_few_workers_fewer_tasks_raise_power_most() -> None:
    assert {study.power().lever for study in FEW_WORKERS} == {LimitVerdict.RATERS}
    named = [study.fewer_tasks() for study in FEW_WORKERS]
    assert_at_least(named, [study.more_topics_fewer_votes() for study in FEW_WORKERS])
    assert np.mean(named) > np.mean([study.power().named for study in FEW_WORKERS])


def test_with_few_topics_more_topics_raise_power_most() -> None:
    assert {study.power().lever for study in FEW_TOPICS} == {LimitVerdict.TOPICS}
    named = [study.more_topics_fewer_votes() for study in FEW_TOPICS]
    assert_at_least(named, [study.fewer_tasks() for study in FEW_TOPICS])


@pytest.mark.parametrize("studies", [FEW_WORKERS, FEW_TOPICS], ids=["few workers", "few topics"])
def test_topics_raise_power_at_least_as_much_as_votes_of_the_same_cost(
    studies: Sequence[Study],
) -> None:
    """So Plan says that topics help more, also where it names a number of votes that is enough."""
    assert_at_least(
        [study.more_topics() for study in studies], [study.more_votes() for study in studies]
    )
