"""Sample sizes of the tests of methods: published numbers, and the power of simulated tests."""

import numpy as np
import pytest
import scipy

from analysis.stats.effects import method_sizes
from analysis.stats.errors import BadSetting


def test_numbers_of_participants_that_popp_may_have_computed():
    """Table 3: 13 and 32 for DQE, 160 for AQC; the other numbers fit no conventional effect."""
    assert method_sizes.anova_size(groups=8, f=0.4) == pytest.approx(12.12, abs=0.01)
    assert method_sizes.whole(method_sizes.anova_size(groups=8, f=0.4)) == 13
    assert method_sizes.whole(method_sizes.anova_size(groups=4, f=0.3)) == 32
    assert method_sizes.whole(method_sizes.chi2_size(df=7, w=0.3)) == 160


def test_the_number_of_cohen_for_two_means():
    """Cohen (1988), table 2.4.1: 64 in each group for d .5, 26 for .8."""
    assert method_sizes.t_difference(64) == pytest.approx(0.5, abs=0.003)
    assert method_sizes.t_difference(26) == pytest.approx(0.8, abs=0.01)
    assert np.isnan(method_sizes.t_difference(1))


def test_a_sign_test_of_sixty_percent():
    """189 votes by the variance at 60% wins; by that at one half 194."""
    assert method_sizes.win_difference(189) == pytest.approx(0.1, abs=0.002)


@pytest.mark.parametrize("n", [30, 200])
def test_two_shares_at_the_smallest_difference_have_the_power(n):
    rng = np.random.default_rng(n)
    apart = method_sizes.yes_difference(n)
    first, second = (rng.binomial(n, 0.5 + sign * apart / 2, 20_000) / n for sign in (1, -1))
    z = (first - second) / np.sqrt((first * (1 - first) + second * (1 - second)) / n)
    assert np.mean(np.abs(z) > scipy.stats.norm.isf(0.025)) == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("n", [40, 160])
def test_best_worst_scores_at_the_smallest_difference_have_the_power(n):
    rng = np.random.default_rng(n)
    apart = method_sizes.best_worst_difference(n, shown=4)
    chances = [[0.25 - sign * apart / 4, 0.5, 0.25 + sign * apart / 4] for sign in (1, -1)]
    first, second = (rng.choice([-1, 0, 1], p=p, size=(4000, n)) for p in chances)
    z = (first.mean(1) - second.mean(1)) / np.sqrt((first.var(1) + second.var(1)) / n)
    assert np.mean(np.abs(z) > scipy.stats.norm.isf(0.025)) == pytest.approx(0.8, abs=0.05)


def test_differences_stay_on_their_scales():
    assert method_sizes.yes_difference(1) < 1
    assert method_sizes.win_difference(1) < 0.5
    assert method_sizes.best_worst_difference(1, shown=4) == 2
    for effect in (0, -1, float("nan")):
        with pytest.raises(BadSetting):
            method_sizes.anova_size(groups=4, f=effect)
