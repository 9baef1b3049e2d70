"""The door: what comes in as votes, and what is turned away."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import cannot_compute

FRAME = pd.DataFrame(
    {
        "item": ["i2", "i1", "i2", "i1"],
        "worker": ["Bob", "Alice", "Alice", "Bob"],
        "value": ["A", "B", None, "A"],
    }
)


def test_it_counts_the_options_of_every_item():
    votes = Votes.from_frame(FRAME, options=("A", "N", "B"))
    assert votes.items == ("i1", "i2")
    assert votes.counts().tolist() == [[1, 0, 1], [1, 0, 0]]


def test_a_missing_answer_is_no_vote():
    assert len(Votes.from_frame(FRAME, options=("A", "B"))) == 3


def test_it_brings_votes_into_one_order():
    votes = Votes.from_frame(FRAME, options=("A", "B"))
    again = Votes.from_frame(FRAME.iloc[::-1], options=("A", "B"))
    for name in ("item", "worker", "value"):
        assert np.array_equal(getattr(votes, name), getattr(again, name))


def test_it_reads_numbers_as_options():
    frame = FRAME.assign(value=[1, -1, 3, np.nan])
    votes = Votes.from_frame(frame, options=(-3, -1, 1, 3))
    assert votes.counts().tolist() == [[0, 1, 0, 0], [0, 0, 1, 1]]


def test_it_takes_a_frame_without_rows():
    assert len(Votes.from_frame(FRAME.iloc[:0], options=("A", "B"))) == 0


def test_it_names_the_columns_that_are_missing():
    with cannot_compute("missing_columns", match="worker.*value"):
        Votes.from_frame(FRAME[["item"]], options=("A", "B"))


def test_it_refuses_a_value_that_is_not_an_option():
    with cannot_compute("unknown_option", match="'B'.*'A'.*'N'"):
        Votes.from_frame(FRAME, options=("A", "N"))


def test_it_refuses_a_vote_of_nobody():
    with cannot_compute("incomplete_vote", match="1"):
        Votes.from_frame(FRAME.assign(worker=["Bob", None, "Alice", "Bob"]), options=("A", "B"))


@pytest.mark.parametrize(
    ("item", "worker", "value"),
    [([0, 1], [0], [0, 0]), ([0], [0], [2]), ([-1], [0], [0])],
    ids=["unequal lengths", "beyond the options", "below zero"],
)
def test_it_refuses_indices_that_point_nowhere(item, worker, value):
    with cannot_compute("broken_indices"):
        Votes.from_indices(np.array(item), np.array(worker), np.array(value), options=("A", "B"))


def test_every_refusal_is_one_that_callers_can_catch():
    assert issubclass(CannotCompute, ValueError)
