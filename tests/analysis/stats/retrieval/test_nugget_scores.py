"""Scores of nuggets: the published vector of nuggetizer, its formulas, missing answers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.retrieval.nugget_scores import SUPPORT, nugget_board, nugget_scores
from analysis.stats.retrieval.support_scores import support_board
from tests.analysis.coded_errors import cannot_compute

VITAL, PARTIAL, NOT = SUPPORT["support"], SUPPORT["partial_support"], SUPPORT["not_support"]


def test_scores_equal_the_published_ones_of_nuggetizer():
    """Vital supported, vital partial, okay not: .5, 1/3, .75, .5 in calculate_nugget_scores."""
    scores = nugget_scores(np.array([VITAL, PARTIAL, NOT]), ["vital", "vital", "okay"])
    assert scores["strict vital"] == 0.5
    assert scores["strict all"] == pytest.approx(1 / 3)
    assert scores["vital"] == 0.75
    assert scores["all"] == 0.5
    assert scores["weighted"] == pytest.approx(1.5 / 2.5)
    assert scores["strict weighted"] == pytest.approx(1 / 2.5)


def test_an_answer_without_nuggets_of_a_kind_scores_zero():
    scores = nugget_scores(np.array([1.0]), ["okay"])
    assert (scores["vital"], scores["strict vital"], scores["all"]) == (0, 0, 1)
    assert set(nugget_scores(np.array([]), []).values()) == {0}


def test_avoided_nuggets_have_a_score_of_their_own():
    scores = nugget_scores(np.array([1.0, 1.0, 0.5]), ["vital", "avoid", "avoid"])
    assert scores["avoid"] == 0.75
    assert scores["all"] == 1


def test_an_unknown_importance_is_refused():
    with cannot_compute("unknown_importance"):
        nugget_scores(np.array([1.0]), ["good"])


def plain(assigned, kinds, strict):
    """Return the mean support of the nuggets of some kinds, by a loop over them."""
    mine = [value for value, kind in assigned if kind in kinds]
    if not mine:
        return 0
    return sum(int(value == 1) if strict else value for value in mine) / len(mine)


@given(st.lists(st.tuples(st.sampled_from([0, 0.5, 1]), st.sampled_from(["vital", "okay"]))))
def test_scores_equal_a_plain_loop(assigned):
    scores = nugget_scores(np.array([s for s, _ in assigned]), [kind for _, kind in assigned])
    for name, kinds in {"vital": {"vital"}, "okay": {"okay"}, "all": {"vital", "okay"}}.items():
        assert scores[name] == pytest.approx(plain(assigned, kinds, False))
    assert scores["strict all"] == pytest.approx(plain(assigned, {"vital", "okay"}, True))
    assert scores["strict all"] <= scores["all"]


BANK = pd.DataFrame(
    [("t", "a", "vital"), ("t", "b", ""), ("u", "c", "vital")],
    columns=["topic", "entry", "importance"],
)
LABELS = pd.DataFrame(
    [("x", "t", "a", 1.0), ("x", "t", "b", 0.5), ("x", "u", "c", 0.0), ("y", "t", "a", 1.0)],
    columns=["system", "topic", "entry", "support"],
)


def test_topics_without_an_answer_count_as_zero():
    board = nugget_board(LABELS, BANK, ["x", "y", "z"]).set_index(["system", "measure"])
    assert board["value"]["x", "vital"] == 0.5
    assert board["value"]["x", "all"] == pytest.approx((0.75 + 0) / 2)
    assert board["value"]["y", "vital"] == 0.5
    assert board["value"]["z", "all"] == 0
    assert board["missing"].groupby("system").first().to_dict() == {"x": 0, "y": 1, "z": 2}
    assert board["judged"]["y", "all"] == pytest.approx(1 / 3)
    assert ("x", "avoid") not in board.index  # the bank has none


def test_a_bank_without_nuggets_is_refused():
    with cannot_compute("empty_bank"):
        nugget_board(LABELS, BANK[:0], ["x"])


STATEMENTS = pd.DataFrame(
    [
        ("x", "t", 1, True, 1.0),
        ("x", "t", 2, True, 0.5),
        ("x", "t", 3, False, float("nan")),
        ("x", "u", 1, False, float("nan")),
        ("y", "t", 1, True, float("nan")),
    ],
    columns=["system", "topic", "statement", "cited", "support"],
)


def test_support_precision_is_over_cited_and_recall_over_all_statements():
    board = support_board(STATEMENTS, ["x", "y"], ["t", "u"]).set_index(["system", "measure"])
    assert board["value"]["x", "support precision"] == pytest.approx(0.75 / 2)
    assert board["value"]["x", "support recall"] == pytest.approx(0.5 / 2)
    assert board["value"]["y", "support precision"] == 0  # its only citation is unjudged
    assert board["judged"]["y", "support recall"] == 0
    assert board["missing"]["y", "support recall"] == 1
    with cannot_compute("missing_columns"):
        support_board(STATEMENTS.drop(columns="cited"), ["x"], ["t"])
