"""Best-worst counts against a plain count, and their own laws."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.choices.best_worst import best_worst
from analysis.stats.choices.choices import Choices
from analysis.stats.errors import CannotCompute
from tests.analysis.coded_errors import assert_different_reasons, bad_setting, cannot_compute
from tests.analysis.stats.choices.conftest import BLOCKS, frame_of

MERITS = np.linspace(-1.5, 1.5, 8)


@st.composite
def answered(draw):
    """One to twenty answers that rank a block of four."""
    ranking = st.sampled_from(BLOCKS).flatmap(st.permutations)
    return draw(st.lists(ranking, min_size=1, max_size=20))


def test_blocks_are_those_of_the_paper():
    """Popp et al.: v = 8, k = 4, b = 14, r = 7, lambda = 3."""
    assert len(BLOCKS) == 14
    assert {sum(text in block for block in BLOCKS) for text in range(8)} == {7}


def test_one_text_that_always_wins_has_the_most_that_the_paper_allows(ranked):
    """Popp et al.: #best - #worst is at most 7 blocks x 5 people = 35; the sum over texts is 0."""
    result = best_worst(Choices.from_frame(frame_of(ranked([0] * 7 + [50], 5))))
    assert result.best[7] - result.worst[7] == 35
    assert result.value[7] == 1
    assert (result.best - result.worst).sum() == 0


@given(rankings=answered())
@settings(max_examples=60)
def test_it_counts_as_a_plain_loop_does(rankings):
    result = best_worst(Choices.from_frame(frame_of(rankings)))
    for unit, value, best, worst, shown in zip(
        result.units, result.value, result.best, result.worst, result.shown, strict=True
    ):
        mine = [ranking for ranking in rankings if int(unit[1:]) in ranking]
        first = sum(ranking[0] == int(unit[1:]) for ranking in mine)
        last = sum(ranking[3] == int(unit[1:]) for ranking in mine)
        assert (first, last, len(mine)) == (best, worst, shown)
        assert value == (first - last) / len(mine)  # exactly: equal counts are equal scores


@given(rankings=answered(), turned=st.permutations(range(8)))
@settings(max_examples=40)
def test_other_names_and_another_order_change_nothing(rankings, turned):
    plain = best_worst(Choices.from_frame(frame_of(rankings))).frame()
    renamed = [[turned[text] for text in ranking] for ranking in reversed(rankings)]
    other = best_worst(Choices.from_frame(frame_of(renamed))).frame()
    columns = ["value", "best", "worst", "shown"]
    plain["unit"] = [f"t{turned[int(unit[1:])]}" for unit in plain["unit"]]
    pd.testing.assert_frame_equal(
        plain.set_index("unit")[columns].sort_index(), other.set_index("unit")[columns].sort_index()
    )


def test_each_once_best_and_once_worst_are_all_zero():
    turns = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]]
    assert best_worst(Choices.from_frame(frame_of(turns))).value.tolist() == [0] * 4


def test_the_interval_holds_the_truth_as_often_as_it_says(choices):
    """The truth from 400 answers a block; 60 studies of 5, all eight texts: 480 intervals."""
    truth = best_worst(choices(MERITS, 400, seed=1)).value
    held = [
        (found.low <= truth) & (truth <= found.high)
        for seed in range(60)
        for found in [best_worst(choices(MERITS, 5, seed=seed + 2))]
    ]
    assert 0.93 <= np.mean(held) <= 0.98


def test_without_a_worst_it_is_the_share_of_best(ranked):
    frame = frame_of(ranked(MERITS, 5))
    frame["mark"] = frame["mark"].clip(lower=0)
    result = best_worst(Choices.from_frame(frame))
    assert result.value == pytest.approx(result.best / result.shown)


def test_five_raters_who_agree_leave_an_interval_with_width():
    result = best_worst(Choices.from_frame(frame_of([[0, 1, 2, 3]] * 5)))
    assert result.value.tolist() == [1, 0, 0, -1]
    assert result.high[0] == 1
    assert 0 < result.low[0] < 0.8


BROKEN = [
    [("a1", "t1", 1), ("a1", "t2", 1)],  # two best units
    [("a1", "t1", 1), ("a1", "t1", 0)],  # a unit twice
    [("a1", "t1", 1)],  # a unit alone
]


def choices_of(rows):
    return Choices.from_frame(pd.DataFrame(rows, columns=["answer", "unit", "mark"]))


@pytest.mark.parametrize("rows", BROKEN)
def test_it_says_what_is_no_choice(rows):
    with cannot_compute("broken_choice", match="a1"):
        choices_of(rows)


def test_each_fault_of_a_choice_is_told_by_itself():
    assert_different_reasons(CannotCompute, *(partial(choices_of, rows) for rows in BROKEN))


def test_nothing_chosen_is_said_so():
    with cannot_compute("no_choices"):
        Choices.from_frame(pd.DataFrame({"answer": [1, 1], "unit": ["a", "b"], "mark": [0, 0]}))


def test_a_confidence_of_one_is_refused(choices):
    with bad_setting("confidence"):
        best_worst(choices(MERITS, 1), confidence=1.0)


def by_raters(rankings, raters):
    frame = frame_of(rankings)
    return Choices.from_frame(frame.assign(worker=frame["answer"] % raters))


def test_interval_takes_five_raters(ranked):
    rankings = ranked(MERITS, 5)
    assert np.isnan(best_worst(by_raters(rankings, 4)).low).all()
    result = best_worst(by_raters(rankings, 5))
    assert (result.raters == 5).all()
    assert (result.low < result.value).all()
    assert (result.value < result.high).all()


def test_raters_who_answer_alike_count_once(ranked):
    """Ten raters; each of them gives all their answers twice, which is no new evidence."""
    rankings = ranked(MERITS, 5)
    frame = frame_of(rankings).assign(worker=lambda rows: rows["answer"] % 10)
    again = frame.assign(answer=frame["answer"] + len(rankings))
    once, twice = (
        best_worst(Choices.from_frame(rows)) for rows in (frame, pd.concat([frame, again]))
    )
    width = (twice.high - twice.low) / (once.high - once.low)
    assert width.min() > 0.9
