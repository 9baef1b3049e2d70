"""Adjusted p-values: known distributions, bounds, and false claims in simulated families."""

from itertools import combinations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.effects.families import holm, max_t


def all_pairs(groups):
    eye = np.eye(groups)
    return np.array([eye[i] - eye[j] for i, j in combinations(range(groups), 2)])


@pytest.mark.parametrize("groups", [2, 3, 6])
def test_all_pairs_of_independent_means_have_tukeys_studentized_range(groups):
    loadings = all_pairs(groups)
    z = np.linspace(1.5, 3.5, len(loadings))
    adjusted = max_t(2 * scipy.stats.norm.sf(z), loadings)
    tukey = scipy.stats.studentized_range.sf(z * np.sqrt(2), groups, np.inf)
    assert adjusted == pytest.approx(tukey, abs=0.012)


def test_independent_comparisons_have_sidaks_p():
    p = np.array([0.01, 0.02, 0.2])
    assert max_t(p, np.eye(3)) == pytest.approx(1 - (1 - p) ** 3, abs=0.01)
    assert max_t(p, np.zeros((3, 2))) == pytest.approx(1 - (1 - p) ** 3, abs=0.01)


def test_comparisons_that_say_the_same_cost_nothing():
    p = np.full(4, 0.03)
    assert max_t(p, np.ones((4, 1))) == pytest.approx(p, abs=0.004)


@given(p=st.lists(st.floats(1e-12, 1), min_size=1, max_size=8), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_adjusted_p_lies_between_the_own_and_bonferronis_and_keeps_the_order(p, seed):
    p = np.array(p)
    loadings = np.random.default_rng(seed).normal(size=(len(p), 3))
    for adjusted in (max_t(p, loadings, draws=500), holm(p)):
        assert (p <= adjusted).all()
        assert (adjusted <= np.minimum(p * len(p), 1) + 1e-12).all()
        assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()


def test_holm_is_that_of_the_textbook_and_leaves_out_what_was_not_compared():
    # Holm (1979): .01 * 3, .02 * 2, .03 raised to the one before
    assert holm(np.array([0.03, 0.01, np.nan, 0.02])) == pytest.approx(
        [0.04, 0.03, np.nan, 0.04], nan_ok=True
    )
    assert np.isnan(max_t(np.array([np.nan]), np.zeros((1, 2)))).all()
    assert max_t(np.array([np.nan, 0.02]), np.zeros((2, 2)))[1] == 0.02


def test_equal_groups_differ_anywhere_in_one_study_of_twenty():
    rng, loadings = np.random.default_rng(3), all_pairs(5)
    found = [
        max_t(2 * scipy.stats.norm.sf(np.abs(z) / np.sqrt(2)), loadings, draws=1000).min() <= 0.05
        for z in rng.normal(size=(300, 5)) @ loadings.T
    ]
    assert 0.02 <= np.mean(found) <= 0.09
