"""Tau-b of methods within topics: Popp et al., and topics as draws."""

import numpy as np
import pytest
import scipy

from analysis.stats.effects.method_agreement import method_agreement, signal_to_noise
from analysis.stats.effects.method_comparison import NotTwoMeasures
from tests.hooks import numbers

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
    assert numbers(result.why) == [20, 6, 0]


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
        assert 19 in numbers(result.why)


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


def test_p_of_one_topic_is_that_of_scipy_and_of_popp():
    """Table 37, one-sided: .643 has .016, .571 has .031."""
    x = np.arange(8.0)
    for y, tau, half in (
        ([1, 2, 0, 4, 5, 3, 7, 6], 0.643, 0.016),
        ([1, 2, 0, 5, 4, 3, 7, 6], 0.571, 0.031),
    ):
        result = method_agreement(x, y, topics=[""] * 8)
        assert result.p == scipy.stats.kendalltau(x, y).pvalue
        assert (round(result.tau, 3), round(result.p / 2, 3)) == (tau, half)


def test_p_of_many_topics_is_that_of_shuffles():
    rng = np.random.default_rng(7)
    topics = np.repeat(np.arange(5), 6)
    x, y = rng.integers(0, 4, size=30).astype(float), rng.integers(0, 5, size=30).astype(float)
    result = method_agreement(x, y, topics=list(topics))

    def mean_tau(values):
        pairs = zip(x.reshape(5, 6), values.reshape(5, 6), strict=True)
        return abs(np.mean([scipy.stats.kendalltau(a, b).statistic for a, b in pairs]))

    drawn = [mean_tau(rng.permuted(y.reshape(5, 6), axis=1).ravel()) for _ in range(1000)]
    assert result.p == pytest.approx(np.mean(np.array(drawn) >= mean_tau(y) - 1e-9), abs=0.06)


def test_four_times_the_votes_are_four_times_as_certain():
    rng = np.random.default_rng(2)
    topics = list(np.repeat(np.arange(200), 8))
    true = rng.normal(scale=2, size=1600)
    ratios = []
    for se in (1.0, 0.5):
        seen = true + rng.normal(scale=se, size=1600)
        ratios.append(signal_to_noise(seen, np.full(1600, 1.959964 * se), topics=topics))
    assert ratios == pytest.approx([4, 16], rel=0.08)
    assert signal_to_noise(np.ones(3), np.ones(3), topics=["a"] * 3) == 0
    for nothing in (([], []), ([1.0], [1.0]), ([1.0, 2.0], [np.nan, 1.0])):
        assert np.isnan(signal_to_noise(*nothing, topics=["a"] * len(nothing[0])))
