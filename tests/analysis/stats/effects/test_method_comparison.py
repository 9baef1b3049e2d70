"""Bland-Altman and one-tailed tau-b: published numbers, and a count of all orders."""

from functools import partial
from itertools import combinations, permutations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.effects.method_comparison import (
    NotTwoMeasures,
    bland_altman,
    one_tailed_tau,
    rank_correlations,
)
from tests.analysis.coded_errors import assert_different_reasons


def test_the_limits_that_ragelo_prints():
    """Bias .12 with limits -1.17 to 1.41 means s = .658."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=200)
    noise = (noise - noise.mean()) / noise.std(ddof=1) * 0.658 + 0.12
    result = bland_altman(noise, np.zeros(200))
    assert (result.bias, result.sd, result.n) == (pytest.approx(0.12), pytest.approx(0.658), 200)
    assert result.lower_limit == pytest.approx(-1.17, abs=0.005)
    assert result.upper_limit == pytest.approx(1.41, abs=0.005)
    assert result.bias_low < 0.12 < result.bias_high


def test_the_intervals_of_bland_and_altman_on_peak_flow():
    """Bland and Altman (1986), table 1: the first readings of 17 people by two meters.

    They print a bias of -2.1 l/min, s 38.8, limits -79.7 and 75.5 (with 2 s), and standard errors
    of 9.4 and 16.3 (by 3 s^2 / n); here with 1.96 s and the exact factor of their 1999 paper.
    """
    wright = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
    mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
    result = bland_altman(wright, mini)
    assert (round(result.bias, 1), round(result.sd, 1)) == (-2.1, 38.8)
    assert result.bias - 2 * result.sd == pytest.approx(-79.7, abs=0.1)
    assert result.bias + 2 * result.sd == pytest.approx(75.5, abs=0.1)
    t = scipy.stats.t.ppf(0.975, 16)
    assert (result.bias_high - result.bias) / t == pytest.approx(9.4, abs=0.05)
    error = (result.upper_high - result.upper_limit) / t
    assert error == pytest.approx(result.sd * (1 / 17 + 1.959964**2 / 32) ** 0.5)
    assert error == pytest.approx(16.3, abs=0.3)
    assert result.upper_limit - result.upper_low == pytest.approx(
        result.lower_high - result.lower_limit
    )


def test_a_bias_over_topics_of_one_size_is_the_t_interval_of_their_means():
    rng = np.random.default_rng(2)
    d = rng.normal(size=(12, 3)) + rng.normal(size=(12, 1))
    result = bland_altman(d.ravel(), np.zeros(36), groups=list(np.repeat(range(12), 3)))
    ends = scipy.stats.ttest_1samp(d.mean(axis=1), 0).confidence_interval()
    assert (result.bias_low, result.bias_high) == pytest.approx((ends.low, ends.high))
    assert np.isnan([result.lower_low, result.upper_high]).all()
    few = bland_altman(d[:9].ravel(), np.zeros(27), groups=list(np.repeat(range(9), 3)))
    assert np.isnan(few.bias_low)


def test_differences_that_are_all_alike_have_no_interval():
    result = bland_altman([1, 2, 3], [0, 1, 2])
    assert (result.bias, result.sd, result.upper_limit) == (1, 0, 1)
    assert np.isnan([result.bias_low, result.lower_low, result.upper_high]).all()


def test_rank_correlations_are_those_of_scipy_with_an_interval_over_twenty_groups():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 4, 60)
    y = x + rng.integers(-1, 2, 60)
    groups = list(np.repeat(range(20), 3))
    result = rank_correlations(x, y, groups=groups)
    assert result.rho == pytest.approx(scipy.stats.spearmanr(x, y).statistic)
    assert result.tau == pytest.approx(scipy.stats.kendalltau(x, y).statistic)
    assert -1 < result.rho_low < result.rho < result.rho_high < 1
    assert result.tau_low < result.tau < result.tau_high
    assert np.isnan(rank_correlations(x, y).rho_low)
    assert np.isnan(rank_correlations(x[:57], y[:57], groups=groups[:57]).rho_low)
    assert np.isnan(rank_correlations(x, x, groups=groups).tau_low)  # 1 for sure would be too much


def test_intervals_of_rank_correlations_cover():
    """Few studies here; 400 of each of 17 kinds gave 94 to 98.5 %."""
    rng = np.random.default_rng(4)

    def study(topics):
        topic = rng.normal(size=(topics, 1)) * 0.6
        shared = topic + rng.normal(size=(topics, 2))
        return [np.clip(np.round(shared + rng.normal(size=shared.shape)), -1, 1) for _ in "ab"]

    truth = rank_correlations(*(column.ravel() for column in study(5_000))).tau
    groups = list(np.repeat(range(20), 2))
    found = [
        rank_correlations(*(column.ravel() for column in study(20)), groups=groups)
        for _ in range(60)
    ]
    assert sum(each.tau_low <= truth <= each.tau_high for each in found) >= 53


def test_tau_b_with_ties():
    """P 9, Q 0, T 3, U 2 for these two lists of grades: .78335."""
    first, second = [2, 1, 2, 0, 1, 2], [2, 1, 1, 0, 0, 2]
    result = one_tailed_tau(first, second)
    assert result.tau == pytest.approx(0.78335, abs=5e-6)
    assert not result.exact


@pytest.mark.parametrize(
    ("order", "tau", "p"),
    [((0, 1, 2, 3, 4, 7, 6, 5), 0.786, 0.003), ((1, 0, 2, 5, 4, 3, 7, 6), 0.643, 0.016),
     ((1, 0, 3, 2, 5, 4, 7, 6), 0.714, 0.007), ((2, 1, 0, 5, 4, 3, 6, 7), 0.571, 0.031)],
)  # fmt: skip
def test_taus_over_eight_texts(order, tau, p):
    """Popp et al., table 37, without ties: .643 has p .016, .571 has .031, one-tailed."""
    result = one_tailed_tau(range(8), order)
    assert (round(result.tau, 3), round(result.p, 3), result.exact) == (tau, p, True)


def test_means_that_are_equal_but_for_rounding_are_ties():
    first = [0.1 + 0.2, 0.3, 0.5, 0.7]
    assert (
        one_tailed_tau(first, [1, 2, 3, 4]).tau
        == one_tailed_tau([0.3, 0.3, 0.5, 0.7], [1, 2, 3, 4]).tau
    )


@given(st.permutations(range(5)))
def test_without_ties_p_is_the_share_of_orders_that_agree_as_well(order):
    def concordant(ranks):
        return sum(ranks[i] < ranks[j] for i, j in combinations(range(5), 2))

    as_well = [
        concordant(permutation) >= concordant(order) for permutation in permutations(range(5))
    ]
    result = one_tailed_tau(range(5), order)
    assert result.exact
    assert result.p == pytest.approx(np.mean(as_well))


@pytest.mark.parametrize("measure", [bland_altman, one_tailed_tau])
def test_what_cannot_be_computed_is_said(measure):
    assert_different_reasons(
        NotTwoMeasures,
        partial(measure, [1], [1]),
        partial(measure, [1, 2], [1]),
        partial(measure, [1, np.nan], [1, 2]),
    )


def test_a_constant_has_no_rank_correlation():
    with pytest.raises(NotTwoMeasures):
        one_tailed_tau([1, 1, 1], [1, 2, 3])
    with pytest.raises(NotTwoMeasures):
        rank_correlations([1, 1, 1], [1, 2, 3])
    with pytest.raises(NotTwoMeasures, match="3"):
        rank_correlations([1, 2], [1, 2])
