"""The interval of the rank-biserial correlation: its variance, its ends, its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.stats.effects.rank_biserial import rank_biserial, rank_biserial_interval

CORRELATIONS = st.floats(-1, 1)
COUNTS = st.integers(10, 200)


def test_it_is_one_where_all_differences_have_one_sign():
    assert rank_biserial(np.array([0.0, 1, 2, 2])) == 1
    assert rank_biserial(np.array([-3.0, 0, -1])) == -1
    # ranks 1 to 4 but for 2: (1 + 3 + 4 - 2) / 10
    assert rank_biserial(np.array([1.0, -2, 3, 4])) == pytest.approx(0.6)


@pytest.mark.parametrize(("n", "delta"), [(10, 0.3), (25, 0.8), (40, 0.0)])
def test_its_ends_are_where_a_simulated_deviation_is_that_of_t(n, delta):
    """Oracle: the standard deviation of r in 4,000 samples of normal differences with that mean.

    r is compared with 2 P(D1 + D2 > 0) - 1, and the pairs of a difference with itself are
    2 / (n + 1) of r, so both agree as far as one in n.
    """
    true = 2 * stats.norm.cdf(np.sqrt(2) * delta) - 1
    rng = np.random.default_rng(n)
    drawn = [rank_biserial(each) for each in rng.normal(delta, 1, (4000, n))]
    deviation = float(np.std(drawn))
    r = true - stats.t.ppf(0.975, n - 1) * deviation
    assert rank_biserial_interval(r, n, confidence=0.95)[1] == pytest.approx(true, abs=1.5 / n)


def test_without_a_difference_its_variance_is_that_of_signs_drawn_by_chance():
    """Under no difference W+ has the variance n (n + 1) (2 n + 1) / 24 (Wilcoxon 1945)."""
    n, level = 1000, 0.95
    low, high = rank_biserial_interval(0.0, n, confidence=level)
    wilcoxon = 2 * np.sqrt(n * (n + 1) * (2 * n + 1) / 24) / (n * (n + 1) / 2)
    assert high == pytest.approx(stats.t.ppf(0.975, n - 1) * wilcoxon, rel=0.01)
    assert low == pytest.approx(-high)


@given(r=CORRELATIONS, n=COUNTS)
def test_it_holds_what_was_observed_and_nothing_beyond_one(r, n):
    low, high = rank_biserial_interval(r, n, confidence=0.95)
    assert -1 <= low <= r <= high <= 1
    assert low < high


@given(r=CORRELATIONS, n=COUNTS)
def test_more_confidence_is_wider_and_more_differences_are_narrower(r, n):
    low, high = rank_biserial_interval(r, n, confidence=0.95)
    wider = rank_biserial_interval(r, n, confidence=0.99)
    narrower = rank_biserial_interval(r, 2 * n, confidence=0.95)
    assert wider[0] <= low <= narrower[0] + 1e-9
    assert narrower[1] - 1e-9 <= high <= wider[1]


@given(r=CORRELATIONS, n=COUNTS)
def test_swapped_groups_turn_it_around(r, n):
    low, high = rank_biserial_interval(r, n, confidence=0.9)
    assert rank_biserial_interval(-r, n, confidence=0.9) == pytest.approx((-high, -low), abs=1e-7)


def test_all_of_one_sign_says_no_more_than_so_many_topics_can():
    """A bootstrap says [1, 1]."""
    low, high = rank_biserial_interval(1.0, 10, confidence=0.95)
    assert (low, high) == (pytest.approx(0.166, abs=0.001), 1.0)
