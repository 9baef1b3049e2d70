"""Two raters: published vectors, scipy, orientation, and the human yardstick of the corpus."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.stats.agreement.bland_altman import NotMatched, bland_altman
from analysis.stats.agreement.pair_labels import LabelledTwice, NotOriented, PairLabels
from analysis.stats.agreement.raters import compare_labels, compare_scores, order_consistency
from analysis.stats.errors import BadSetting
from tests.analysis.stats.conftest import DIMENSIONS


def labels(*rows, source="Bob"):
    """Rows of left, right, preferred (None: tied), all of one topic."""
    frame = pd.DataFrame(rows, columns=["left", "right", "preferred"], dtype=object)
    frame = frame.assign(topic="t", tied=frame.preferred.isna())
    return PairLabels.from_frame(frame, source=source)


MANY = [("x", "y", "x"), ("x", "z", "z"), ("y", "z", None), ("w", "x", "x"), ("w", "y", "w")]


# --- numbers ----------------------------------------------------------------------------------


def test_tau_meets_the_vector_of_the_definition():
    # RAGElo, E10: P 9, Q 0, T 3, U 2
    result = compare_scores([2, 1, 2, 0, 1, 2], [2, 1, 1, 0, 0, 2], draws=50)
    assert result.tau == pytest.approx(9 / np.sqrt(12 * 11), abs=1e-12)
    assert result.tau == pytest.approx(0.78335, abs=1e-5)
    assert result.same == pytest.approx(4 / 6)


def test_the_limits_meet_those_of_the_paper():
    # RAGElo: bias .12 with limits -1.17 and 1.41, which is s = .658
    d = np.array([-1.0, 1.0] * 50)
    d = 0.12 + 0.658 * d / d.std(ddof=1)
    result = bland_altman(np.zeros(100), d)
    assert (result.bias, result.s) == pytest.approx((0.12, 0.658))
    assert (round(result.lower, 2), round(result.upper, 2)) == (-1.17, 1.41)
    # Bland and Altman (1999): the error of a limit is 1.71 s / sqrt(n)
    half = stats.t.ppf(0.975, 99) * 1.71 * 0.658 / 10
    assert result.upper_high - result.upper == pytest.approx(half, rel=0.01)
    assert result.lower - result.lower_low == pytest.approx(half, rel=0.01)


@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=20))
@settings(deadline=None, max_examples=20)
def test_it_equals_scipy(rows):
    x, y = np.array(rows).T
    if len(set(x)) == 1 or len(set(y)) == 1:
        return
    result = compare_scores(x, y, draws=3)
    assert result.tau == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert result.rho == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    if len(set(y - x)) > 1:
        t = stats.ttest_rel(y, x)
        assert (result.difference.t, result.difference.t_p) == pytest.approx(
            (t.statistic, t.pvalue), abs=1e-9
        )
        low, high = t.confidence_interval()
        assert (result.difference.bias_low, result.difference.bias_high) == pytest.approx(
            (low, high)
        )


def test_the_intervals_are_those_of_drawing_items():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 5, 60)
    y = np.clip(x + rng.integers(-1, 2, 60), 0, 4)
    index = rng.integers(0, 60, (1000, 60))
    drawn = [stats.spearmanr(x[k], y[k]).statistic for k in index]
    result = compare_scores(x, y, draws=3000)
    expected = np.quantile(drawn, [0.025, 0.975])
    assert (result.rho_low, result.rho_high) == pytest.approx(expected, abs=0.03)
    assert result.alpha_low < result.alpha < result.alpha_high
    assert result.tau_low < result.tau < result.tau_high


def test_items_that_one_left_out_are_counted():
    result = compare_scores([1, 2, np.nan, 3, np.nan], [1, 2, 3, 4, np.nan], draws=5)
    assert (result.n, result.unmatched) == (3, 1)


def test_full_agreement_has_no_t():
    result = compare_scores([1, 2, 3], [1, 2, 3], draws=50)
    assert (result.alpha, result.tau, result.rho, result.same) == (1.0, 1.0, 1.0, 1.0)
    assert (result.difference.upper, result.difference.lower) == (0.0, 0.0)
    assert np.isnan(result.difference.t)


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        ([1], [1], "they have 1 items in common"),
        ([], [], "they have 0 items in common"),
        ([1, 2], [1], "there are 2 and 1 values"),
        ([1, 1, 1], [1, 2, 3], "Bob gives every item the same value, 1"),
        ([1, np.inf], [1, 2], "a value is infinite"),
    ],
)
def test_it_refuses_scores_without_an_agreement(one, other, sentence):
    with pytest.raises(NotMatched, match=f"cannot be computed because {sentence}"):
        compare_scores(one, other, names=("Bob", "model"), draws=5)


# --- pairs ------------------------------------------------------------------------------------


def test_the_order_shown_does_not_matter_to_whom_is_preferred():
    turned = [(right, left, preferred) for left, right, preferred in MANY]
    result = compare_labels(labels(*MANY), labels(*turned, source="model"), draws=20)
    assert (result.alpha, result.tau, result.same, result.n) == (1.0, 1.0, 1.0, 5)
    assert (result.one, result.other) == ("Bob", "model")


def test_only_pairs_shown_in_the_same_order_match_as_shown():
    turned = [("y", "x", "x"), *MANY[1:], ("v", "w", "v")]
    result = compare_labels(labels(*MANY), labels(*turned), match="shown", draws=5)
    assert (result.n, result.unmatched) == (4, 3)


def test_a_label_without_orientation_is_refused():
    with pytest.raises(NotOriented, match="'a' is neither of the two responses shown, 'x' and 'y'"):
        labels(("x", "y", "a"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"preferred": None}, "is not tied names no preferred response"),
        ({"tied": True}, "a tied pair names a preferred response"),
        ({"tied": "no"}, "tied is neither true nor false"),
        ({"right": "x"}, "the same response twice"),
        ({"topic": None}, "a row has no topic"),
    ],
)
def test_it_refuses_labels_that_say_nothing(change, sentence):
    row = {"topic": "t", "left": "x", "right": "y", "preferred": "x", "tied": False} | change
    with pytest.raises(NotOriented, match=sentence):
        PairLabels.from_frame(pd.DataFrame([row]), source="Bob")


def test_it_refuses_two_labels_where_it_compares_one():
    with pytest.raises(LabelledTwice, match="in the same order from the same source"):
        labels(("x", "y", "x"), ("x", "y", "y"))
    both_orders = labels(("x", "y", "x"), ("y", "x", "y"))
    with pytest.raises(LabelledTwice, match="in one order or the other"):
        compare_labels(both_orders, both_orders)
    with pytest.raises(BadSetting, match="setting match is"):
        compare_labels(both_orders, both_orders, match="any")
    with pytest.raises(NotOriented, match="lacks the columns tied"):
        PairLabels.from_frame(
            pd.DataFrame(columns=["topic", "left", "right", "preferred"]), source="Bob"
        )


def test_a_side_that_is_preferred_twice_is_inconsistent():
    once = [("x", "y", "x"), ("x", "z", "x"), ("y", "z", "z"), ("w", "x", None), ("w", "y", "w")]
    again = [("y", "x", "x"), ("z", "x", "z"), ("z", "y", "y"), ("x", "w", "x")]
    result = order_consistency(labels(*once, *again), draws=20)
    # left twice: x of (x, z), then z; right twice: z of (y, z), then y
    assert (result.left_twice, result.right_twice, result.tie_once) == (1, 1, 1)
    assert (result.agreement.n, result.agreement.unmatched) == (4, 1)
    assert result.agreement.same == 0.25


@pytest.mark.corpus
def test_it_meets_the_human_yardstick_of_the_corpus(ratings):
    # the agreement of published gold labels between the two orders of 377 pairs: mean .307
    alphas = []
    for dimension in DIMENSIONS:
        gold = ratings[f"{dimension}_gold"]
        preferred = np.select(
            [gold == "a", gold == "b"], [ratings.response_a, ratings.response_b], None
        )
        frame = pd.DataFrame(
            {
                "topic": ratings.query_id,
                "left": ratings.response_a,
                "right": ratings.response_b,
                "preferred": preferred,
                "tied": gold == "n",
            }
        )
        result = order_consistency(PairLabels.from_frame(frame, source="gold"), draws=100)
        assert (result.agreement.n, result.agreement.unmatched) == (377, 598)
        assert result.agreement.alpha_low < result.agreement.alpha < result.agreement.alpha_high
        alphas.append(result.agreement.alpha)
    assert np.mean(alphas) == pytest.approx(0.307, abs=0.0006)
