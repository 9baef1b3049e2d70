"""Mean scores: the t interval of scipy, and what has none."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.stats.effects.means import mean_scores
from tests.analysis.coded_errors import bad_setting, cannot_compute

SCORES = {"r0": [-3, 1, 3, 1], "r1": [1, 3, 3, 1], "r2": [-1, -1, -3, 1]}


def scored(scores):
    rows = [(item, score) for item, given in scores.items() for score in given]
    return pd.DataFrame(rows, columns=["item", "score"])


def test_means_have_the_t_interval_of_scipy():
    rows = list(mean_scores(scored(SCORES)).frame.itertuples())
    assert [row.item for row in rows] == list(SCORES)
    for row in rows:
        given = np.array(SCORES[row.item])
        low, high = stats.t.interval(0.95, 3, given.mean(), stats.sem(given))
        assert (row.mean, row.low, row.high) == pytest.approx((given.mean(), low, high))
        assert row.n == 4


def test_equal_scores_have_a_mean_but_no_interval():
    alike, varied = mean_scores(scored({"a": [3, 3, 3], "b": [1, 3, 3]})).frame.itertuples()
    assert (alike.mean, alike.sd, alike.n) == (3, 0, 3)
    assert np.isnan([alike.low, alike.high]).all()
    assert varied.low < varied.mean < varied.high


def test_a_single_score_has_a_mean_but_no_interval():
    (row,) = mean_scores(scored({"a": [3]})).frame.itertuples()
    assert (row.mean, row.n) == (3, 1)
    assert np.isnan([row.low, row.high]).all()


def test_it_refuses_what_has_no_mean():
    with cannot_compute("no_scores"):
        mean_scores(scored(SCORES).assign(score=None))
    with bad_setting("confidence"):
        mean_scores(scored(SCORES), confidence=1.0)
