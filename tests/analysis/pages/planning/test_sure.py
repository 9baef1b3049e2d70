"""What the sentence on Plan names beside what is planned."""

import pytest

from analysis.pages.planning.power import PowerEstimate, PowerRow
from analysis.stats.bradley_terry.simulated_power import SimulatedPower


def row(votes: int, named: float, *, planned: bool = False) -> PowerRow:
    power = SimulatedPower(
        votes=votes, workers=10 * votes, named=named, apart=0.9, ahead=0.7, share=0.55,
        half_width=0.2, draws=400, confidence=0.95,
    )  # fmt: skip
    return PowerRow(power, places=votes, workers=votes, cost=votes, planned=planned)


def sure(*rows: PowerRow) -> PowerEstimate:
    enough = next((each for each in rows if each.found.named >= 0.8), None)
    return PowerEstimate(rows, systems=3, topics=8, title="Lamps", enough=enough)


@pytest.mark.parametrize(
    ("more", "named"),
    [(0.04, []), (0.07, []), (0.09, [8])],  # 400 draws are right to 4 points
    ids=["no gain", "within the error", "more"],
)
def test_more_votes_are_named_where_they_gain_more_than_the_error(more, named):
    result = sure(row(3, 0.03), row(5, 0.04, planned=True), row(8, more), row(12, 0.2))
    assert [other.found.votes for other in result.others] == named


def test_fewer_votes_are_named_where_they_are_enough():
    result = sure(row(3, 0.85), row(5, 0.9, planned=True))
    assert [other.found.votes for other in result.others] == [3]


def test_where_nothing_is_planned_the_most_is_named_or_what_is_enough():
    assert [other.found.votes for other in sure(row(3, 0.1), row(5, 0.2)).others] == [5]
    assert [other.found.votes for other in sure(row(3, 0.1), row(5, 0.9)).others] == [5]
