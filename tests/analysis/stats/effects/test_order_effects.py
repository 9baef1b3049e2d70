"""Order effects: the published ones, invented ones that must be found, and what must be refused."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.agreement.alpha import alpha_from_counts
from analysis.stats.effects.order_effects import (
    questionnaire_halves,
    right_hand_share,
    sign_flip_p,
    within_item_order,
)
from analysis.stats.errors import BadSetting
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS
from tests.hooks import numbers

OPTIONS = ("a", "n", "b")


def canonical(votes, dimension):
    """Return the votes of one dimension on unordered pairs.

    A is the response with the smaller id.
    """
    straight = votes.response_a < votes.response_b
    low = votes.response_a.where(straight, votes.response_b)
    high = votes.response_b.where(straight, votes.response_a)
    value = votes[dimension].str.lower()
    return pd.DataFrame(
        {
            "item": votes.query_id + "/" + low + "/" + high,
            "worker": votes.worker,
            "value": value.where(straight, value.map({"a": "b", "n": "n", "b": "a"})),
            "shown": np.where(straight, "a,b", "b,a"),
            "task": votes.submission_id,
            "position": votes.item_index,
        }
    )


def questionnaires(*, careless_from=12, workers=60, items=12, seed=0):
    """Each worker sees all items in an own order and direction, and guesses from a position on."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(OPTIONS, items)
    rows = []
    for worker in range(workers):
        for position, item in enumerate(rng.permutation(items)):
            value = truth[item] if position < careless_from else rng.choice(OPTIONS)
            shown = rng.choice(["a,b", "b,a"])
            rows.append((item, worker, value, shown, "task", position + 1))
    return pd.DataFrame(rows, columns=["item", "worker", "value", "shown", "task", "position"])


# --- the published corpus ---------------------------------------------------------------------


@pytest.mark.corpus
def test_it_meets_the_share_of_the_right_hand_side(five_votes):
    # analysis.md: 51.4 % of the non-neutral votes. The plain test would call that certain.
    votes = pd.concat(canonical(five_votes, dimension) for dimension in DIMENSIONS)
    result = right_hand_share(votes)
    assert result.share == pytest.approx(0.514, abs=0.0005)
    assert (result.votes, result.neutral, result.clusters) == (33955, 13365, 420)
    assert result.binomial_p < 1e-6
    assert 0.03 < result.p < 0.07
    assert result.low == pytest.approx(0.500, abs=0.002)
    assert right_hand_share(votes, cluster="task").p > 0.1


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("dimension", "expected"),
    # Gienapp et al. 2025, Table 5: shown against the order of the ids, along it, both
    list(
        zip(
            DIMENSIONS,
            [
                (0.180, 0.194, 0.171),
                (0.179, 0.188, 0.180),
                (0.080, 0.142, 0.105),
                (0.267, 0.277, 0.261),
                (0.270, 0.266, 0.265),
                (0.127, 0.154, 0.141),
                (0.159, 0.171, 0.151),
            ],
            strict=True,
        )
    ),
)
def test_it_meets_the_published_order_within_pairs(five_votes, dimension, expected):
    result = within_item_order(canonical(five_votes, dimension), options=OPTIONS, draws=50)
    found = (result.second.value, result.first.value, result.both.value)
    assert found == pytest.approx(expected, abs=0.006)
    assert (result.items, result.first.votes, result.both.votes) == (377, 1885, 3770)
    assert result.low < result.difference < result.high


@pytest.mark.corpus
def test_the_halves_of_the_published_questionnaires_cannot_be_compared(five_votes):
    with cannot_compute("shared_order"):
        questionnaire_halves(canonical(five_votes, DIMENSIONS[0]), options=OPTIONS)


# --- sides ------------------------------------------------------------------------------------


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=8))
@settings(deadline=None, max_examples=40)
def test_the_sign_flip_test_equals_the_enumeration_of_all_signs(differences):
    d = np.array(differences)
    sums = [abs(np.dot(signs, d)) for signs in product((-1, 1), repeat=len(d))]
    assert sign_flip_p(d) == pytest.approx(np.mean(np.array(sums) >= abs(d.sum())), abs=1e-12)


def test_the_share_follows_the_side_and_not_the_text():
    frame = pd.DataFrame(
        [
            ("x", "b", "a,b"),  # right
            ("x", "a", "b,a"),  # right
            ("y", "a", "a,b"),  # left
            ("y", "n", "a,b"),
            ("z", None, "b,a"),
            ("z", "a", "b,a"),  # right
        ],
        columns=["worker", "value", "shown"],
    )
    result = right_hand_share(frame, draws=0)
    assert (result.share, result.votes, result.neutral, result.clusters) == (0.75, 4, 1, 3)
    assert np.isnan([result.low, result.high]).all()


def test_habits_of_workers_are_no_evidence_for_a_side():
    # eleven always take the right, nine always the left, fifty votes each
    rows = [(w, "b" if w < 11 else "a", "a,b") for w in range(20) for _ in range(50)]
    result = right_hand_share(pd.DataFrame(rows, columns=["worker", "value", "shown"]))
    assert result.binomial_p < 0.01
    assert result.p == pytest.approx(0.8238, abs=1e-4)  # 2 P(X >= 11), X ~ Binomial(20, 1/2)
    assert result.low < 0.5 < result.high


def sided(shares, votes=20):
    """Workers, by how many of their votes are for the right-hand side."""
    rows = [
        (worker, "b" if k < right else "a", "a,b")
        for worker, right in enumerate(shares)
        for k in range(votes)
    ]
    return pd.DataFrame(rows, columns=["worker", "value", "shown"])


def test_with_equally_many_votes_of_each_the_interval_is_that_of_the_t_test():
    rights = [8, 11, 9, 14, 13, 10]
    result = right_hand_share(sided(rights))
    expected = scipy.stats.ttest_1samp(np.array(rights) / 20, 0).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((expected.low, expected.high))
    assert (result.interval, result.why) == ("jackknife", "")


def test_the_interval_is_wider_than_that_of_the_bootstrap_and_within_what_a_share_can_be():
    result = right_hand_share(sided([20, 19, 20, 11, 20]))
    drawn = right_hand_share(sided([20, 19, 20, 11, 20]), interval="bootstrap", seed=1)
    assert (result.share, result.p) == (drawn.share, drawn.p)
    assert result.low < drawn.low < drawn.high <= result.high == 1


@pytest.mark.parametrize(
    ("rights", "cluster", "called", "few"),
    [
        ([8, 11, 9, 14], "worker", "participant", [5, 4]),
        ([8, 11, 9, 14], "task", "task", [5, 4]),
        ([20] * 6, "worker", "participant", []),
    ],
)
def test_where_it_would_not_cover_there_is_no_interval_and_a_sentence(rights, cluster, called, few):
    result = right_hand_share(sided(rights).rename(columns={"worker": cluster}), cluster=cluster)
    assert np.isnan([result.low, result.high]).all()
    assert numbers(result.why) == few
    assert called in result.why
    drawn = right_hand_share(
        sided(rights).rename(columns={"worker": cluster}), cluster=cluster, interval="bootstrap"
    )
    assert (drawn.low <= drawn.share <= drawn.high, drawn.why) == (True, "")


def test_a_bias_to_the_right_is_found():
    rng = np.random.default_rng(1)
    rows = [
        (w, side if rng.random() < 0.7 else "a", "a,b")
        for w in range(40)
        for side in rng.choice(["a", "b"], 20, p=[0.1, 0.9])
    ]
    result = right_hand_share(pd.DataFrame(rows, columns=["worker", "value", "shown"]), seed=2)
    assert result.low > 0.5
    assert result.p < 0.001
    assert (result.seed, result.draws, result.confidence, result.cluster) == (
        2,
        1000,
        0.95,
        "worker",
    )


# --- directions and halves --------------------------------------------------------------------


def plain_alpha(frame):
    counts = pd.crosstab(frame["item"], frame["value"]).reindex(columns=OPTIONS, fill_value=0)
    return alpha_from_counts(counts.to_numpy(), level="ordinal")


def test_the_halves_are_those_of_each_workers_own_sequence():
    frame = questionnaires(careless_from=6)
    result = questionnaire_halves(frame, options=OPTIONS, draws=200)
    assert result.first.value == pytest.approx(plain_alpha(frame[frame.position <= 6]))
    assert result.second.value == pytest.approx(plain_alpha(frame[frame.position > 6]))
    assert result.first.value == 1
    assert result.low > 0.5
    assert (result.first_name, result.items) == ("in the first half", 12)


def test_the_middle_item_belongs_to_no_half():
    result = questionnaire_halves(questionnaires(items=11), options=OPTIONS, draws=0)
    assert result.first.votes == result.second.votes == 60 * 5
    assert np.isnan(result.low)


def test_directions_compare_the_same_items_only():
    frame = questionnaires(workers=5, careless_from=6)
    often = frame.groupby(["item", "shown"]).size().unstack(fill_value=0)
    common = often.index[(often >= 2).all(axis=1)]
    assert 0 < len(common) < 12
    kept = frame[frame.item.isin(common)]
    result = within_item_order(frame, options=OPTIONS, draws=30, seed=5)
    assert result.items == len(common)
    assert result.first.value == pytest.approx(plain_alpha(kept[kept.shown == "a,b"]))
    assert result.both.value == pytest.approx(plain_alpha(kept))
    assert (result.both.draws, result.both.seed) == (30, 5)
    assert result == within_item_order(frame.sample(frac=1), options=OPTIONS, draws=30, seed=5)


# --- refusals ---------------------------------------------------------------------------------


def test_it_says_why_there_is_no_share():
    frame = questionnaires()
    with cannot_compute("no_preferences"):
        right_hand_share(frame.assign(value="n"))
    with cannot_compute("one_cluster"):
        right_hand_share(frame.assign(worker=1))
    with cannot_compute("unknown_sides", match="'a'"):
        right_hand_share(frame.assign(shown="a"))
    with cannot_compute("missing_columns", match="topic"):
        right_hand_share(frame, cluster="topic")
    with bad_setting("confidence"):
        right_hand_share(frame, confidence=2)
    with pytest.raises(BadSetting):
        right_hand_share(frame, interval="percentiles")


def test_it_says_why_directions_cannot_be_compared():
    frame = questionnaires()
    with cannot_compute("one_direction", match="1"):
        within_item_order(frame.assign(shown="a,b"), options=OPTIONS)
    by_item = frame.assign(shown=np.where(frame.item < 6, "a,b", "b,a"))
    with cannot_compute("no_common_items"):
        within_item_order(by_item, options=OPTIONS)


def test_it_says_why_halves_cannot_be_compared():
    shared = questionnaires()
    shared = shared.assign(position=shared.item)
    with cannot_compute("shared_order"):
        questionnaire_halves(shared, options=OPTIONS)
    alone = shared.assign(task=shared.worker)
    with cannot_compute("no_common_items"):
        questionnaire_halves(alone, options=OPTIONS)
