"""Differences of systems at equal style."""

import numpy as np
import pytest

from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.style_adjustment import adjust_for_style
from analysis.stats.errors import CannotCompute
from benchmarks.coverage.style import OUTCOMES, StyleWorld, draw


def drawn(**world):
    frame, style = draw(StyleWorld(topics=60, workers=20, **world), np.random.default_rng(3))
    return MixedVotes.from_frame(frame, outcomes=OUTCOMES), style


def test_longer_texts_explain_the_lead_of_a_longer_system():
    votes, style = drawn(taste=1.0, longer=1.0)
    fit = adjust_for_style(votes, style)
    plain, adjusted = (each.difference("s1", "s0")[0] for each in (fit.plain, fit.adjusted))
    assert plain > 0.5
    assert abs(adjusted) < plain / 2
    assert fit.measures == ("words", "x", "y")
    per_unit = fit.adjusted.style / fit.spread
    assert per_unit[0] == pytest.approx(1.0, abs=0.4)
    assert np.abs(fit.adjusted.style[1:] / fit.adjusted.style_error[1:]).max() < 3


def test_units_and_order_of_measures_change_nothing():
    votes, style = drawn(taste=0.6, longer=0.5)
    one = adjust_for_style(votes, style)
    other = adjust_for_style(votes, 100 * style[style.columns[::-1]] + 7)
    assert other.adjusted.difference("s1", "s0") == pytest.approx(
        one.adjusted.difference("s1", "s0"), abs=1e-2
    )


def test_inflation_equals_that_of_least_squares():
    votes, style = drawn(taste=0.0, longer=1.0)
    fit = adjust_for_style(votes, style)
    scaled = style.reindex(list(votes.responses)).to_numpy() / fit.spread
    pairs = np.unique(np.sort(np.column_stack([votes.a, votes.b]), axis=1), axis=0)
    systems = np.eye(3)[votes.system]
    X, S = (each[pairs[:, 0]] - each[pairs[:, 1]] for each in (systems[:, 1:], scaled))
    whole = np.linalg.inv(np.column_stack([X, S]).T @ np.column_stack([X, S]))
    expected = whole[0, 0] / np.linalg.inv(X.T @ X)[0, 0]
    assert fit.inflation["s0", "s1"] == pytest.approx(expected)
    assert S.shape[1] == 3


@pytest.mark.parametrize("longer", [4.0, 40.0])
def test_systems_that_always_differ_in_style_are_refused(longer):
    votes, style = drawn(taste=0.6, longer=longer)
    with pytest.raises(CannotCompute, match="s1") as refusal:
        adjust_for_style(votes, style)
    assert refusal.value.code == "style_confounded"


def test_texts_without_style_are_refused():
    votes, style = drawn(taste=0.0, longer=0.0)
    with pytest.raises(CannotCompute) as refusal:
        adjust_for_style(votes, 0 * style)
    assert refusal.value.code == "style_alike"
    with pytest.raises(CannotCompute) as refusal:
        adjust_for_style(votes, style.iloc[1:])
    assert refusal.value.code == "style_unknown"


def test_measure_that_is_a_sum_of_others_is_left_out():
    votes, style = drawn(taste=0.6, longer=0.5)
    one = adjust_for_style(votes, style)
    both = adjust_for_style(votes, style.assign(sum=style["words"] - 2 * style["x"], none=3.0))
    assert both.measures == one.measures
    assert both.adjusted.difference("s1", "s0") == one.adjusted.difference("s1", "s0")


def test_style_that_matters_to_nobody_adds_nothing_to_components():
    ratios = []
    for seed in range(6):
        world = StyleWorld(taste=0.0, longer=0.0, topics=25, workers=12, measures=4)
        frame, style = draw(world, np.random.default_rng(seed))
        fit = adjust_for_style(MixedVotes.from_frame(frame, outcomes=OUTCOMES), style)
        components = (fit.adjusted.components, fit.plain.components)
        spreads = [np.hypot(each.response, each.system_topic) for each in components]
        ratios.append(spreads[0] / spreads[1])
    assert np.median(ratios) < 1.02  # 1.07 where measures of style are integrated out
