"""Equivalent within a margin, different, or not known."""

import numpy as np
import pytest
import scipy

from analysis.stats.effects.equivalence import equivalence
from analysis.stats.errors import BadSetting


@pytest.mark.parametrize(
    ("value", "error", "finding", "sentence"),
    [
        (0.05, 0.1, "equivalent", "equivalent within 0.3"),
        (0.5, 0.1, "different", "different"),
        (0.15, 0.2, "not known", "not known"),
        (0.15, 0.05, "equivalent", "equivalent within 0.3"),  # surely there, and surely small
    ],
)
def test_it_says_which_of_three_holds(value, error, finding, sentence):
    for sign in (1, -1):
        result = equivalence(sign * value, error, margin=0.3)
        assert result.finding == finding
        assert result.sentence == sentence


def test_it_is_two_one_sided_tests():
    result = equivalence(0.1, 0.08, margin=0.3, freedom=12)
    t = scipy.stats.t(12)
    below, above = t.cdf((0.1 - 0.3) / 0.08), t.sf((0.1 + 0.3) / 0.08)
    assert result.p_equivalent == pytest.approx(max(below, above))
    assert result.equivalent == (result.p_equivalent < 0.05)
    assert result.within == pytest.approx(0.1 + t.ppf(0.95) * 0.08)
    assert equivalence(0.1, 0.08, margin=result.within + 1e-9, freedom=12).equivalent
    assert not equivalence(0.1, 0.08, margin=result.within - 1e-9, freedom=12).equivalent


@pytest.mark.parametrize("freedom", [5, 64])
def test_it_says_equivalent_of_a_difference_at_the_margin_in_five_of_a_hundred(freedom):
    rng = np.random.default_rng(1)
    n = freedom + 1
    draws = rng.normal(0.3, 1.0, (20_000, n))
    errors = draws.std(axis=1, ddof=1) / np.sqrt(n)
    critical = scipy.stats.t(freedom).ppf(0.95)
    by_hand = np.abs(draws.mean(axis=1)) + critical * errors < 0.3
    assert by_hand.mean() <= 0.055
    for value, error, yes in zip(draws.mean(axis=1)[:50], errors[:50], by_hand[:50], strict=True):
        assert equivalence(value, error, margin=0.3, freedom=freedom).equivalent == yes


def test_it_refuses_settings_without_meaning():
    for wrong in ({"margin": 0}, {"margin": 1, "confidence": 1}, {"margin": 1, "freedom": 0}):
        with pytest.raises(BadSetting):
            equivalence(0.0, 1.0, **wrong)
    with pytest.raises(BadSetting):
        equivalence(0.0, float("nan"), margin=1)
