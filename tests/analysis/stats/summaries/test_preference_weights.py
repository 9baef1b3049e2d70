"""Weights from preferences: known weights come back, and agreement is what the paper counts."""

import numpy as np
import pytest
import scipy

from analysis.stats.errors import BadSetting
from analysis.stats.summaries.preference_weights import (
    agreement_rate,
    preference_weights,
    split_by_topic,
)
from tests.analysis.coded_errors import bad_setting, cannot_compute

PARTS = ("OS", "HR", "Comp")


def drawn(n, weights, seed=4):
    rng = np.random.default_rng(seed)
    differences = rng.normal(size=(n, len(weights)))
    return differences, rng.random(n) < scipy.special.expit(differences @ np.array(weights))


def test_known_weights_come_back_within_their_errors():
    result = preference_weights(*drawn(4000, (1.0, 0.0, -0.5)), parts=PARTS)
    assert (np.abs(result.weights - (1.0, 0.0, -0.5)) < 3 * result.se).all()
    assert (result.se < 0.06).all()
    assert result.n == 4000


def test_standard_errors_are_the_spread_over_studies():
    weights = [
        preference_weights(*drawn(300, (1.0, 0.2, 0.5), seed), parts=PARTS) for seed in range(150)
    ]
    spread = np.std([weight.weights for weight in weights], axis=0)
    assert np.mean([weight.se for weight in weights], axis=0) == pytest.approx(spread, rel=0.2)


def test_sides_may_be_changed_and_a_ridge_shrinks():
    differences, left = drawn(200, (1.0, 0.0, -0.5))
    result = preference_weights(differences, left, parts=PARTS)
    turned = preference_weights(-differences, ~left, parts=PARTS)
    assert turned.weights == pytest.approx(result.weights)
    ridged = preference_weights(differences, left, parts=PARTS, ridge=50)
    assert np.linalg.norm(ridged.weights) < np.linalg.norm(result.weights)


def test_agreement_rates():
    """Labels L, L, R with the left one ahead: 2 of 3."""
    labels = np.array([True, True, False])
    assert agreement_rate(0.3, labels) == pytest.approx(0.667, abs=5e-4)
    assert agreement_rate(-0.3, labels) == pytest.approx(1 / 3)
    assert agreement_rate(0, labels) == 0.5


def test_no_topic_is_on_both_sides():
    topics = [f"t{n % 7}" for n in range(50)]
    training, test = split_by_topic(topics, train=0.6, seed=3)
    assert (training ^ test).all()
    assert {t for t, is_in in zip(topics, training, strict=True) if is_in}.isdisjoint(
        t for t, is_in in zip(topics, test, strict=True) if is_in
    )
    with bad_setting("train"):
        split_by_topic(["t"] * 9)


def test_what_cannot_be_computed_is_said():
    with cannot_compute("separable_preferences"):
        preference_weights(np.array([[1.0], [2.0]]), np.array([True, True]), parts=["OS"])
    with cannot_compute("no_preferences"):
        preference_weights(np.zeros((0, 1)), np.zeros(0, dtype=bool), parts=["OS"])
    with cannot_compute("no_preferences"):
        agreement_rate(1, np.array([]))
    with pytest.raises(BadSetting):
        preference_weights(*drawn(9, (1.0,)), parts=["OS"], ridge=-1)
