"""Scores as sums of means: the jackknife by plain recomputation, and what is refused."""

import numpy as np
import pytest
import scipy

from analysis.stats.effects.linear_scores import LinearScore


def votes_of(rng, parts, raters, number):
    return [
        {int(rater): float(rng.integers(1, 4)) for rater in rng.permutation(raters)[:number]}
        for _ in range(parts)
    ]


def score_of(parts):
    score = LinearScore(constant=2.0)
    for k, votes in enumerate(parts):
        score.add((-1) ** k * (k + 1.0), votes)
    return score


def test_error_is_that_of_scores_without_each_rater():
    parts = votes_of(np.random.default_rng(1), 5, 10, 4)
    raters = sorted({rater for votes in parts for rater in votes})
    whole = score_of(parts).value()
    changes = np.array(
        [
            whole - score_of([{r: v for r, v in p.items() if r != out} for p in parts]).value()
            for out in raters
        ]
    )
    G = len(raters)
    error = np.sqrt((G - 1) / G * ((changes - changes.mean()) ** 2).sum())
    loads = [sum((k + 1) / 4 for k, p in enumerate(parts) if r in p) for r in raters]
    degrees = sum(loads) ** 2 / sum(load**2 for load in loads) - 1
    found = score_of(parts).scored(confidence=0.9)
    assert found.high - found.value == pytest.approx(scipy.stats.t.ppf(0.95, degrees) * error)
    assert found.value == pytest.approx(whole)


@pytest.mark.parametrize(("number", "parts"), [(4, 10), (6, 3)])
def test_few_raters_or_answers_have_no_interval(number, parts):
    score = score_of(votes_of(np.random.default_rng(2), parts, number, number))
    found = score.scored(confidence=0.95, least_raters=5, least_answers=20)
    assert found.low is None
    assert score.scored(confidence=0.95).low is not None
