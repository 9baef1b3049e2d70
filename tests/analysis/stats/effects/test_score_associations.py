"""How alike measures rank: scipy's tau-b within topics, gaps, ties, and its own laws."""

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.effects.score_associations import NotRankedTogether, score_associations

GAP = float("nan")


def frame_of(topics):
    """From {topic: {measure: [a value of each unit]}}."""
    return pd.DataFrame(
        [
            (topic, f"{topic}-{k}", measure, value)
            for topic, measures in topics.items()
            for measure, values in measures.items()
            for k, value in enumerate(values)
        ],
        columns=["topic", "unit", "measure", "value"],
    )


def row_of(topics, **how):
    (row,) = score_associations(frame_of(topics), **how).frame.to_dict("records")
    return row


values = st.lists(
    st.tuples(*[st.one_of(st.integers(0, 4).map(float), st.just(GAP))] * 2), min_size=3, max_size=12
)


@given(values)
def test_it_is_scipys_tau_b_of_what_both_score(pairs):
    x, y = np.array(pairs).T
    both = ~np.isnan(x) & ~np.isnan(y)
    expected = scipy.stats.kendalltau(x[both], y[both]).statistic if both.sum() >= 3 else GAP
    frame = frame_of({"t": {"x": x, "y": y}})
    if np.isnan(expected):
        with pytest.raises(NotRankedTogether):
            score_associations(frame)
    else:
        row = row_of({"t": {"x": x, "y": y}})
        assert row["tau"] == pytest.approx(expected)
        assert (row["topics"], row["units"]) == (1, both.sum())
        assert np.isnan([row["low"], row["high"]]).all()  # one topic says nothing of others


def test_it_is_the_mean_over_topics_with_its_t_interval():
    # taus 1, 1/3 and -1/3 by counting pairs: mean 1/3, sd 2/3, t(.975; 2) = 4.303
    ways = {"t1": [1, 2, 3], "t2": [2, 1, 3], "t3": [3, 1, 2]}
    topics = {topic: {"x": [1, 2, 3], "y": y} for topic, y in ways.items()}
    row = row_of(topics)
    assert row["tau"] == pytest.approx(1 / 3)
    assert (row["low"], row["high"]) == (-1.0, 1.0)  # never beyond what a tau can be
    narrow = row_of(topics, confidence=0.5)
    half = 0.8165 * (2 / 3) / 3**0.5  # t(.75; 2)
    assert narrow["high"] - narrow["tau"] == pytest.approx(half, abs=1e-4)


def test_scores_of_different_topics_are_not_compared():
    high = {"x": [101, 102, 103], "y": [3, 2, 1]}
    low = {"x": [1, 2, 3], "y": [30, 20, 10]}
    assert row_of({"t1": high, "t2": low})["tau"] == -1


def test_rounding_errors_are_ties():
    x = [0.1 + 0.2, 0.3, 0.5]
    assert row_of({"t": {"x": x, "y": [1, 2, 3]}})["tau"] == pytest.approx(2 / 6**0.5)


def test_measures_that_share_too_little_have_no_row():
    topics = {
        "t1": {"x": [1, 2, 3], "y": [1, 2, 3], "z": [GAP, 2, 3]},
        "t2": {"x": [1, 2, 3], "y": [5, 5, 5]},
    }
    frame = score_associations(frame_of(topics)).frame
    assert frame[["first", "second", "topics"]].to_numpy().tolist() == [["x", "y", 1]]
