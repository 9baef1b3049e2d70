"""Numbers of oversight: the hand vector of the seed systems, and small cases by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.retrieval.oversight import (
    entry_difficulty,
    mean_differences,
    rater_distance,
    spurious_entries,
    uncovered_passages,
)

GRADED = {"p1": "a5 b2 c0 d0", "p2": "a4 b4 c1 d0", "p3": "c3 d1"}
GRADES = pd.DataFrame(
    [("t", p, each[0], int(each[1])) for p, text in GRADED.items() for each in text.split()],
    columns=["topic", "passage", "entry", "grade"],
)
BANK = {"t": frozenset("abcd")}
JUDGED = {"t": {"p1": 3, "p2": 0, "p3": 2}}


def test_entries_that_a_passage_judged_low_answers():
    rows = spurious_entries(GRADES, JUDGED)
    assert rows[["entry", "passages", "judged", "share"]].to_numpy().tolist() == [
        ["a", 1, 1, 1],
        ["b", 1, 1, 1],
    ]
    assert spurious_entries(GRADES, {"t": {"p1": 3}}).empty


def test_relevant_passages_that_answer_no_entry():
    (row,) = uncovered_passages(GRADES, JUDGED).to_dict("records")
    assert row == {"topic": "t", "passage": "p3", "judgment": 2, "best": 3}
    assert uncovered_passages(GRADES, {"t": {"p1": 3}}).empty


def test_entries_that_nearly_all_systems_cover_or_nearly_none():
    runs = {f"s{n}": {"t": ["p1"]} for n in range(9)} | {"last": {"t": ["p3"]}, "none": {}}
    rows = entry_difficulty(runs, GRADES, BANK).set_index("entry")
    assert rows["covered"].to_dict() == {"a": 9, "b": 0, "c": 0, "d": 0}
    assert set(rows["systems"]) == {10}  # one ranks nothing for the topic
    assert rows["kind"].to_dict() == {"a": "universal", "b": "hard", "c": "hard", "d": "hard"}
    rows = entry_difficulty(runs, GRADES, BANK, level=3).set_index("entry")
    assert (rows["share"]["c"], rows["kind"]["c"]) == (0.1, "")  # a tenth is not fewer than it
    assert entry_difficulty({"none": {}}, GRADES, BANK)["kind"].tolist() == [""] * 4


def test_raters_of_an_entry_who_are_far_apart():
    votes = pd.DataFrame(
        [
            ("t", "a", "p", "bob", 0),
            ("t", "a", "p", "dora", 4),
            ("t", "a", "q", "bob", 3),
            ("t", "a", "q", "dora", 3),
            ("t", "b", "p", "bob", 1),
        ],
        columns=["topic", "entry", "passage", "worker", "score"],
    )
    (row,) = rater_distance(votes).to_dict("records")
    assert (row["entry"], row["cells"], row["raters"]) == ("a", 2, 2)
    assert (row["distance"], row["far"]) == (2, 0.5)


@pytest.mark.parametrize("width", [1, 2, 10])
def test_far_apart_is_a_share_of_the_scale(width):
    values = [("p", 0, 0.4), ("q", 0, 0.39), ("r", 0.6, 1)]
    rows = [
        ("t", "a", passage, worker, score * width)
        for passage, *scores in values
        for worker, score in zip(("bob", "dora"), scores, strict=True)
    ]
    votes = pd.DataFrame(rows, columns=["topic", "entry", "passage", "worker", "score"])
    (row,) = rater_distance(votes, width).to_dict("records")
    assert row["far"] == pytest.approx(2 / 3)


@given(st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=8), min_size=1, max_size=4))
def test_the_mean_difference_is_that_of_all_pairs(groups):
    expected = [np.mean([abs(a - b) for a, b in combinations(group, 2)]) for group in groups]
    rows = [(name, score) for name, group in enumerate(groups) for score in group]
    votes = pd.DataFrame(rows, columns=["text", "score"]).sample(frac=1, random_state=1)
    assert mean_differences(votes, ["text"]).tolist() == pytest.approx(expected)
