"""Tau-b of methods within topics: Popp et al., and topics as draws."""

import numpy as np
import pytest
import scipy

from analysis.stats.effects.method_agreement import method_agreement
from analysis.stats.effects.method_comparison import NotTwoMeasures

# Popp et al., table 35 with the repaired best-worst value of Luminous (-23).
SYSTEMS = {
    "DQE": [3.94, 2.89, 2.72, 2.81],
    "AQC": [77, 53, 46, 51],
    "AB": [333, 226, 215, 249],
    "BWS": [44, -15, -6, -23],
}


@pytest.mark.parametrize(
    ("first", "second", "tau"),
    [
        ("AQC", "DQE", 1),
        ("AB", "DQE", 2 / 3),
        ("AB", "AQC", 2 / 3),
        ("BWS", "DQE", 1 / 3),
        ("BWS", "AQC", 1 / 3),
        ("AB", "BWS", 0),
    ],
)
def test_the_text_of_popp_on_figure_7(first, second, tau):
    """BWS correlates “moderately (r = 0.33)” with AQC and DQE, and not with AB."""
    result = method_agreement(SYSTEMS[first], SYSTEMS[second], topics=[""] * 4)
    assert result.tau == pytest.approx(tau)
    assert np.isnan([result.low, result.high]).all()
    assert "because" in result.why


def test_an_interval_needs_twenty_topics_with_six_texts():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(20, 6))
    y = x + rng.normal(size=(20, 6))
    topics = np.repeat(np.arange(20), 6)
    taus = [scipy.stats.kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)]
    ends = scipy.stats.ttest_1samp(taus, 0).confidence_interval()
    all_topics = method_agreement(x.ravel(), y.ravel(), topics=list(topics))
    assert (all_topics.low, all_topics.high) == pytest.approx((ends.low, ends.high))
    assert (all_topics.why, all_topics.topics, all_topics.units) == ("", 20, 120)
    for few in (slice(0, -6), slice(1, None)):  # a topic less, a text less
        result = method_agreement(x.ravel()[few], y.ravel()[few], topics=list(topics[few]))
        assert np.isnan([result.low, result.high]).all()
        assert "(you have 19)" in result.why


def test_topics_with_the_same_tau_have_no_interval():
    x = np.tile(np.arange(6.0), 20)
    result = method_agreement(x, x, topics=list(np.repeat(np.arange(20), 6)))
    assert result.tau == pytest.approx(1)
    assert np.isnan(result.low)
    assert result.why


def test_topics_are_never_mixed():
    """The level of a topic is no agreement."""
    result = method_agreement([1, 2, 3, 11, 12, 13], [3, 2, 1, 13, 12, 11], topics=[*"aaabbb"])
    assert result.tau == pytest.approx(-1)


def test_things_that_a_method_does_not_tell_apart_have_no_tau():
    with pytest.raises(NotTwoMeasures):
        method_agreement([1, 1, 1, 2], [1, 2, 3, 4], topics=[*"aaab"])
