"""Intervals and p-values of growing studies: the boundary, its p, and what follows from them."""

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.errors import BadSetting
from analysis.stats.sequential import GROWTH, ahead_of_p, anytime_p, look_confidence


def topics_with(*, topics, groups, seed, apart=0.0):
    """Return values of groups in topics; the last group is ahead by `apart`."""
    rng = np.random.default_rng(seed)
    value = rng.standard_normal((topics, groups)) + apart * (np.arange(groups) == groups - 1)
    frame = pd.DataFrame(value).melt(ignore_index=False, var_name="group").rename_axis("topic")
    return frame.reset_index()


LEVELS = (0.8, 0.9, 0.95, 0.99)


@pytest.mark.parametrize("confidence", LEVELS)
def test_p_is_alpha_where_the_interval_ends_at_the_null(confidence):
    p = anytime_p(np.array([1 - look_confidence(confidence)]))
    assert p[0] == pytest.approx(1 - confidence, rel=1e-6)


def test_a_brownian_motion_crosses_the_boundary_in_at_most_as_many_paths():
    """Looks at 400 times from 1 to GROWTH, evenly in the logarithm."""
    rng = np.random.default_rng(5)
    times = np.geomspace(1, GROWTH, 400)
    steps = rng.standard_normal((4000, 400)) * np.sqrt(np.diff(times, prepend=0.0))
    highest = np.abs(steps.cumsum(axis=1) / np.sqrt(times)).max(axis=1)
    z = scipy.stats.norm.isf((1 - look_confidence(0.95)) / 2)
    crossed = (highest > z).mean()
    assert 0.03 < crossed <= 0.055  # the formula is for a path without gaps
    assert (highest > 1.96).mean() > 0.4


def test_p_falls_with_p_of_one_look_and_is_never_below_it():
    p = np.geomspace(1e-300, 1, 500)
    anytime = anytime_p(p)
    assert (np.diff(anytime) >= 0).all()
    assert ((anytime >= p) & (anytime <= 1)).all()
    assert anytime_p(np.array([0.0]))[0] < 1e-250
    assert np.isnan(anytime_p(np.array([np.nan]))[0])


def test_without_a_difference_nothing_is_ahead():
    assert ahead_of_p(np.array([0.5, -0.5, 0.5]), np.array([0.1, 0.1, 1.0])) == pytest.approx(
        [0.95, 0.05, 0.5]
    )


def test_a_confidence_beyond_0_and_1_is_refused():
    with pytest.raises(BadSetting):
        look_confidence(1.0)


def letters_apart(result):
    """Return the pairs of groups that share no letter."""
    letters = dict(zip(result.means["group"], map(set, result.means["letters"]), strict=True))
    return {frozenset((a, b)) for a in letters for b in letters if not letters[a] & letters[b]}


@pytest.mark.parametrize("seed", range(5))
def test_differences_at_every_look_agree_with_their_p_and_letters(seed):
    values = topics_with(topics=20, groups=4, seed=seed, apart=1.5)
    fixed = crossed_means(values, None)
    looks = crossed_means(values, None, sequential=True)
    pairs = looks.differences
    clear = (pairs["low"] > 0) | (pairs["high"] < 0)
    assert (clear == (pairs["p"] < 0.05)).all()
    assert (pairs["p"] >= fixed.differences["p"]).all()
    assert (pairs["low"] < fixed.differences["low"]).all()
    assert ((pairs["ahead"] > 0.5) == ((pairs["difference"] > 0) & (pairs["p"] < 1))).all()
    assert letters_apart(looks) <= letters_apart(fixed)


def test_of_one_look_nothing_changes():
    values = topics_with(topics=20, groups=3, seed=1)
    pair = crossed_means(values, None).differences.iloc[0]
    t = scipy.stats.t(pair["degrees"])
    assert pair["ahead"] == pytest.approx(t.cdf(pair["difference"] / pair["error"]))
    half = t.ppf(0.975) * pair["error"]
    assert pair["high"] == pytest.approx(pair["difference"] + half)
    pd.testing.assert_frame_equal(
        crossed_means(values, None).means, crossed_means(values, None, sequential=False).means
    )
