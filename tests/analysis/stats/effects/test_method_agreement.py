"""Tau-b of methods within topics: Popp et al., a count of all orders, and topics as draws."""

from itertools import permutations

import numpy as np
import pytest
import scipy

from analysis.stats.effects.method_agreement import method_agreement
from analysis.stats.effects.method_comparison import NotTwoMeasures, one_tailed_tau

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
    assert result.p == one_tailed_tau(SYSTEMS[first], SYSTEMS[second]).p
    assert np.isnan([result.low, result.high]).all()


def test_the_variance_over_topics_is_that_of_all_orders():
    x, y = np.array([1, 2, 2, 3.0, 5]), np.array([2, 2, 4, 4, 9.0])
    signs = [
        sum(np.sign(x[i] - x[j]) * np.sign(z[i] - z[j]) for i in range(5) for j in range(i))
        for z in map(np.array, permutations(y))
    ]
    result = method_agreement([*x, *x], [*y, *y], topics=["q1"] * 5 + ["q2"] * 5)
    s = sum(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(5) for j in range(i))
    assert result.p == pytest.approx(scipy.stats.norm.sf(2 * s / (2 * np.var(signs)) ** 0.5))
    assert (result.topics, result.units) == (2, 10)


def test_an_interval_needs_ten_topics():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(12, 6))
    y = x + rng.normal(size=(12, 6))
    topics = np.repeat(np.arange(12), 6)
    taus = [scipy.stats.kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)]
    ends = scipy.stats.ttest_1samp(taus, 0).confidence_interval()
    all_topics = method_agreement(x.ravel(), y.ravel(), topics=list(topics))
    assert (all_topics.low, all_topics.high) == pytest.approx((ends.low, ends.high))
    few = method_agreement(x[:9].ravel(), y[:9].ravel(), topics=list(topics[:54]))
    assert np.isnan(few.low)


def test_topics_are_never_mixed():
    """The level of a topic is no agreement."""
    result = method_agreement([1, 2, 3, 11, 12, 13], [3, 2, 1, 13, 12, 11], topics=[*"aaabbb"])
    assert result.tau == pytest.approx(-1)


def test_things_that_a_method_does_not_tell_apart_have_no_tau():
    with pytest.raises(NotTwoMeasures):
        method_agreement([1, 1, 1, 2], [1, 2, 3, 4], topics=[*"aaab"])
