"""Cost of a reliable ranking: by hand, and the Spearman-Brown rule on simulated raters."""

import numpy as np
import pytest
import scipy

from analysis.stats.effects.ranking_cost import ranking_cost
from analysis.stats.errors import CannotCompute


def cost_of(scores, cost):
    """Return the result for scores of raters x systems."""
    mean, error = scores.mean(axis=0), scores.std(axis=0, ddof=1) / len(scores) ** 0.5
    half = scipy.stats.t.ppf(0.975, len(scores) - 1) * error
    raters = [len(scores)] * scores.shape[1]
    return ranking_cost(mean, mean - half, mean + half, raters=raters, cost=cost)


def test_by_hand():
    half = scipy.stats.t.ppf(0.975, 4) * 0.5  # error variance .25, variance of scores 1
    values = np.array([1.0, 2, 3])
    result = ranking_cost(values, values - half, values + half, raters=[5, 5, 5], cost=60)
    assert result.reliability == pytest.approx(0.75)
    assert result.cost == pytest.approx(60 / 3 * 9)


def test_more_raters_cost_as_much_until_the_same_certainty():
    rng = np.random.default_rng(8)
    true = rng.normal(size=40)
    few, many = (cost_of(true + rng.normal(size=(n, 40)), cost=float(n)) for n in (20, 80))
    assert many.reliability > few.reliability
    assert many.cost == pytest.approx(few.cost, rel=0.3)


@pytest.mark.parametrize(
    ("values", "half", "code"),
    [
        ([1.0, 2.0], [1.0, 1.0], "no_intervals"),
        ([1.0, 2.0, 3.0], [1.0, float("nan"), 1.0], "no_intervals"),
        ([1.0, 1.1, 1.2], [2.0, 2.0, 2.0], "unreliable"),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], "no_error"),
    ],
)
def test_no_cost_without_differences_or_errors(values, half, code):
    v, h = np.array(values), np.array(half)
    with pytest.raises(CannotCompute) as refused:
        ranking_cost(v, v - h, v + h, raters=[5] * len(v), cost=1.0)
    assert refused.value.code == code
