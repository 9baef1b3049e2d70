"""Means of groups over topics, and which groups differ."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.group_means import TooFewTopics, group_means


def long(values):
    """values (T, G) as the frame that group_means reads."""
    rows = [
        (f"t{t}", f"g{g}", value) for t, row in enumerate(values) for g, value in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=["topic", "group", "value"])


def test_groups_that_are_always_apart_share_no_letter():
    rng = np.random.default_rng(1)
    hard = rng.normal(0, 5, size=(40, 1))  # of a topic; the same for all groups
    values = hard + np.array([3.0, 0.0, 0.0]) + rng.normal(0, 0.5, size=(40, 3))
    values[:, 2] = values[:, 1] + np.tile([0.4, -0.4], 20)  # now higher, now lower
    found = group_means(long(values))
    letters = dict(zip(found.groups, found.letters, strict=True))
    assert found.groups[0] == "g0"
    assert not set(letters["g0"]) & (set(letters["g1"]) | set(letters["g2"]))
    assert set(letters["g1"]) & set(letters["g2"])


def test_without_a_difference_few_experiments_find_one():
    """Twenty experiments without any difference, five groups each: about one in twenty errs."""
    found = [
        group_means(long(np.random.default_rng(seed).normal(size=(30, 5))), draws=400)
        for seed in range(20)
    ]
    assert sum(len(set(each.letters)) > 1 for each in found) <= 4


def test_the_mean_is_that_of_topics_and_the_interval_holds_it():
    frame = pd.DataFrame(
        [("t1", "x", 1.0), ("t1", "x", 3.0), ("t2", "x", 6.0), ("t1", "y", 2.0)],
        columns=["topic", "group", "value"],
    )
    found = group_means(frame, draws=200).frame().set_index("group")
    assert found.loc["x", "mean"] == 4.0  # of 2 and 6
    assert found.loc["x", "low"] <= 4.0 <= found.loc["x", "high"]
    assert list(found.loc["x", ["responses", "topics"]]) == [3, 2]
    assert list(found.loc["y", ["responses", "topics"]]) == [1, 1]


def test_one_topic_says_nothing():
    with pytest.raises(TooFewTopics, match="for 1 topic, and it takes two"):
        group_means(long([[1.0, 2.0]]))


@settings(max_examples=25)
@given(
    values=st.lists(st.lists(st.integers(1, 6), min_size=3, max_size=3), min_size=2, max_size=12),
    seed=st.integers(0, 5),
)
def test_its_table_is_sound(values, seed):
    found = group_means(long(np.array(values, dtype=float)), draws=50, seed=seed)
    assert np.allclose(found.ahead + found.ahead.T, 1)
    assert (found.low <= found.mean + 1e-9).all()
    assert (found.mean <= found.high + 1e-9).all()
    assert list(found.mean) == sorted(found.mean, reverse=True)
    apart = (found.p <= found.alpha) & ~np.eye(3, dtype=bool)
    for i in range(3):
        for j in range(3):
            if i != j:
                assert bool(set(found.letters[i]) & set(found.letters[j])) != apart[i, j]
