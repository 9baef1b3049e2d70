"""The axis of the plot: round ticks, and every interval inside."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.pages.results.answer import Estimate
from analysis.pages.results.answer_axis import MARGIN, axis_of

shares = st.floats(0, 1)
scores = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


def position(text):
    return float(text.removesuffix("%"))


@given(st.lists(shares, max_size=9))
def test_axis_of_shares_holds_all_of_them_and_the_middle(values):
    axis = axis_of([Estimate(value) for value in values], is_share=True)
    assert 0 <= axis.low < axis.high <= 1 + 1e-9
    assert axis.low <= min([0.5, *values]) + 1e-9
    assert axis.high >= max([0.5, *values]) - 1e-9
    assert sum(tick.is_middle for tick in axis.ticks) == 1
    assert 2 <= len(axis.ticks) <= 9


@given(st.lists(scores, min_size=1, max_size=9))
def test_axis_of_scores_has_few_ticks_in_order(values):
    axis = axis_of([Estimate(value) for value in values], is_share=False)
    places = [position(tick.at) for tick in axis.ticks]
    assert places == sorted(places)
    assert 2 <= len(places) <= 9
    assert all(MARGIN - 0.01 <= position(axis.at(value)) <= 100 - MARGIN + 0.01 for value in values)
    assert axis.low <= min(values) + 1e-6
    assert axis.high >= max(values) - 1e-6


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_axis_of_scores_covers_a_fifth_of_those_that_are_possible(values):
    axis = axis_of([Estimate(value) for value in values], is_share=False, possible=(0, 1))
    assert axis.high - axis.low >= 0.2 - 1e-9
    assert axis.low <= min(values) + 1e-9
    assert axis.high >= max(values) - 1e-9
    assert -1e-9 <= axis.low < axis.high <= 1 + 1e-9
