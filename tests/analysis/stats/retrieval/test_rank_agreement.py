"""Agreement with an official order: all orders of tied scores, published numbers, properties."""

from itertools import pairwise, permutations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.retrieval.rank_agreement import order_agreement, overlap, tau_ap
from tests.analysis.coded_errors import cannot_compute

FEW = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=3, max_size=6)


def plain_tau_ap(official, order):
    """Return tau-AP of a strict order, as Yilmaz et al. (2008) define it; official ties half."""
    total = 0
    for place in range(1, len(order)):
        above = [official[other] - official[order[place]] for other in order[:place]]
        total += sum(1 if each > 0 else 0.5 if each == 0 else 0 for each in above) / place
    return 2 * total / (len(order) - 1) - 1


def orders_of(scores):
    """Return all orders of the systems that agree with the scores."""
    return [
        order
        for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]


@given(FEW)
@settings(max_examples=60)
def test_tau_ap_is_the_mean_over_all_orders_of_tied_scores(pairs):
    official, scores = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
    expected = np.mean([plain_tau_ap(official, order) for order in orders_of(scores)])
    assert tau_ap(official, scores) == pytest.approx(expected)


@given(FEW)
@settings(max_examples=60)
def test_overlap_is_the_mean_over_all_orders_of_both(pairs):
    official, scores = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
    for k in (1, 2):
        shares = [
            len({*first[:k]} & {*second[:k]}) / k
            for first in orders_of(official)
            for second in orders_of(scores)
        ]
        assert overlap(official, scores, k) == pytest.approx(np.mean(shares))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=30))
def test_correlations_equal_those_of_scipy(pairs):
    official, scores = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
    result = order_agreement(official, scores)
    if np.ptp(official) and np.ptp(scores):
        ranks = scipy.stats.rankdata(-official), scipy.stats.rankdata(-scores)
        assert result.rho == pytest.approx(scipy.stats.pearsonr(*ranks).statistic)
        assert result.tau == pytest.approx(scipy.stats.kendalltau(*ranks).statistic)
    else:
        assert np.isnan([result.rho, result.tau, result.tau_ap]).all()


def test_the_same_order_is_one_and_the_reverse_minus_one():
    systems = np.arange(8.0)
    same, reverse = order_agreement(systems, 10 * systems), order_agreement(systems, -systems)
    assert (same.rho, same.tau, same.tau_ap) == pytest.approx((1, 1, 1))
    assert (reverse.rho, reverse.tau, reverse.tau_ap) == pytest.approx((-1, -1, -1))
    assert set(same.top.values()) == {1}
    assert set(same.top) == {1, 3}  # the top 5 of 8 would overlap in any order


def test_a_swap_at_the_top_costs_tau_ap_more_than_one_at_the_bottom():
    official = np.arange(10.0)[::-1]
    top, bottom = official.copy(), official.copy()
    top[[0, 1]], bottom[[8, 9]] = top[[1, 0]], bottom[[9, 8]]
    at_top, at_bottom = order_agreement(official, top), order_agreement(official, bottom)
    assert at_top.tau == at_bottom.tau
    assert at_top.tau_ap < at_bottom.tau_ap
    assert at_top.tau_ap == pytest.approx(1 - 2 / 9)  # the only pair of the second place
    assert at_bottom.tau_ap == pytest.approx(1 - 2 / 81)  # one of nine pairs of the last place


def test_scores_that_differ_by_rounding_of_sums_are_tied():
    noise = np.array([0.1 + 0.2, 0.3, 0.5])
    assert order_agreement(np.array([1.0, 1.0, 2.0]), noise).tau == pytest.approx(1)


def test_two_systems_have_no_order_to_compare():
    with cannot_compute("too_few_systems"):
        order_agreement(np.array([1.0, 2.0]), np.array([1.0, 2.0]))
