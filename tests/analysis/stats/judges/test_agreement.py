"""A judge against people's majority: sums by hand, plain loops, and judges of known quality."""

from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.judges import comparators
from analysis.stats.judges.agreement import ALIKE, judge_measure
from analysis.stats.judges.orientation import oriented
from analysis.stats.judges.permutation_null import habits_alone
from analysis.stats.judges.tables import (
    PeopleVotes,
    Tables,
    accuracy_of,
    alpha_at,
    further,
    kappa_of,
    majority_shares,
)
from tests.hooks import numbers

OPTIONS = ("a", "n", "b")
ORDINAL = alpha_at("ordinal", np.arange(3.0))


def people(*votes, topics=None):
    """Return the letters of each item, one a person."""
    rows = [
        (f"i{k:03}", f"w{w}", letter, f"t{(topics or range(len(votes)))[k]}")
        for k, letters in enumerate(votes)
        for w, letter in enumerate(letters)
    ]
    frame = pd.DataFrame(rows, columns=["unit", "worker", "value", "topic"])
    return PeopleVotes.of(frame.assign(direction=frame["unit"]), options=OPTIONS)


def judged(labels):
    return np.array([[letter == option for option in OPTIONS] for letter in labels], dtype=float)


def test_tied_labels_of_people_are_half_of_either():
    assert majority_shares(np.array([[2.0, 0, 2], [1, 3, 1], [0, 0, 0]])).tolist() == [
        [0.5, 0, 0.5], [0, 1, 0], [0, 0, 0],
    ]  # fmt: skip


def test_the_measures_are_those_of_a_sum_by_hand():
    # Gold a, a, b, n, and a tie of a and b; the judge says a, b, b, n, a: right 3.5 times of 5.
    # Margins: judge a 2, n 1, b 2; people a 2.5, n 1, b 1.5. p_e = (2 * 2.5 + 1 + 2 * 1.5) / 25.
    held = Tables.of(people("aab", "aaa", "bb", "nna", "aabb"), comparators.judge(judged("abbna")))
    T = held.T.sum(axis=0)[None]
    assert accuracy_of(T)[0] == pytest.approx(0.7)
    assert kappa_of(T)[0] == pytest.approx((0.7 - 9 / 25) / (1 - 9 / 25))


def test_alpha_is_that_of_the_package_with_one_label_a_side():
    gold, labels = "aabbnnab", "abbbnana"
    held = Tables.of(people(*gold), comparators.judge(judged(labels)))
    data = [["anb".index(letter) for letter in side] for side in (gold, labels)]
    peer = krippendorff.alpha(reliability_data=data, level_of_measurement="ordinal")
    assert ORDINAL(held.T.sum(axis=0)[None])[0] == pytest.approx(peer, abs=1e-12)


@given(st.lists(st.text("anb", min_size=2, max_size=6), min_size=1, max_size=5))
def test_halves_are_all_halves(votes):
    counts = people(*votes).counts()
    found = comparators.split_halves()(counts, np.arange(len(votes)))
    for letters, T in zip(votes, found, strict=True):
        places, size = range(len(letters)), len(letters) // 2
        tables = []
        for half in combinations(places, size):
            parts = [[letters[k] for k in places if (k in half) == mine] for mine in (True, False)]
            one, other = (majority_shares(judged(part).sum(axis=0)) for part in parts)
            tables.append((np.outer(one, other) + np.outer(other, one)) / 2)
        assert np.allclose(T, np.mean(tables, axis=0))


def test_one_is_compared_with_the_others():
    # aab: each a meets a and b (half of either), the b meets a.
    T = comparators.leave_one_out(people("aab").counts(), np.arange(1))[0]
    assert np.allclose(T * 3, [[1, 0, 1], [0, 0, 0], [1, 0, 0]])


def test_directions_are_turned_before_they_meet():
    rows = [("x|y", "x", "y", "a", "bob"), ("y|x", "y", "x", "b", "dora")]
    frame = pd.DataFrame(rows, columns=["item", "a", "b", "value", "worker"])
    frame = oriented(frame.assign(topic="t", shown="a,b"), turns=True)
    assert frame["value"].tolist() == ["a", "a"]
    assert frame["left"].tolist() == ["a", "b"]
    assert frame["side"].tolist() == ["left", "right"]
    both = PeopleVotes.of(frame, options=OPTIONS, directions=True)
    T = Tables.of(both, comparators.two_directions, slots=2).T.sum(axis=0)
    assert T[0, 0] == T.sum() == 1


def test_a_judge_that_was_never_wrong_is_not_certain():
    held = Tables.of(people(*("aab", "bba") * 10), comparators.judge(judged("ab" * 10)))
    result = judge_measure(held, accuracy_of, name="accuracy")
    assert result.value == result.high == 1
    assert 0.7 < result.low < 0.9
    alpha = judge_measure(held, ORDINAL, name="alpha")
    assert np.isnan(alpha.low)
    assert alpha.why == ALIKE.format("alpha")


def test_few_items_have_no_interval_and_people_need_people():
    few = Tables.of(people("aab", "bba"), comparators.judge(judged("ab")))
    assert 10 in numbers(judge_measure(few, ORDINAL, name="alpha").why)
    votes = [("aabab", "bbaba", "nnaba", "abnnb")[k % 4] for k in range(40)]
    alone = Tables.of(people(*votes), comparators.leave_one_out)
    assert 40 in numbers(judge_measure(alone, ORDINAL, name="alpha", of_people=True).why)


def test_people_add_what_is_over_the_noise_of_their_votes():
    # By hand: v = 6 over units (3 / 4 of 8) and over people; 9 / 16 of the squares over cells.
    changes = np.array([1.0, 1, -1, -1]) * 2**0.5
    for size, added in ((1, 6 - 9 / 4), (2, 0)):
        cells = np.array([1.0, -1, 1, -1]) * size
        for shift in (0, 0.7):  # what any vote less does is not noise
            error, degrees = error_of_leaps(changes, changes, cells + shift)
            assert error == pytest.approx((6 + added) ** 0.5)
            assert degrees == pytest.approx((6 + added) ** 2 / (36 / 3 + added**2 / 3))


@pytest.mark.parametrize(("judge", "knows"), [("copies", True), ("left", False), ("guess", False)])
def test_habits_explain_all_of_a_judge_that_knows_nothing(judge, knows):
    rng = np.random.default_rng(5)
    gold, left = rng.choice([0, 2], 300, p=[0.7, 0.3]), rng.integers(0, 2, 300)
    label = {"copies": gold, "left": 2 * left, "guess": rng.integers(0, 3, 300)}[judge]
    T = np.zeros((3, 3))
    np.add.at(T, (label, gold), 1)
    null = habits_alone(
        label=label, left_is_second=left, gold=np.eye(3)[gold],
        weight=np.ones(len(gold)), ends=(0, 2),
        statistics={"alpha": ORDINAL}, reached={"alpha": float(ORDINAL(T[None])[0])}, seed=1,
    )["alpha"]  # fmt: skip
    assert (null.p <= 0.05) is knows
    assert abs(null.mean) < 0.15


def test_who_always_says_left_keeps_all_of_it_under_the_null():
    gold, left = np.array([0, 0, 2, 0] * 10), np.array([0, 0, 1, 1] * 10)
    null = habits_alone(
        label=2 * left, left_is_second=left, gold=np.eye(3)[gold],
        weight=np.ones(len(gold)), ends=(0, 2),
        statistics={"accuracy": accuracy_of}, reached={"accuracy": 0.75},
    )["accuracy"]  # fmt: skip
    assert (null.mean, null.low, null.high, null.p) == (0.75, 0.75, 0.75, 1.0)


def test_judge_and_person_are_compared_with_the_same_others():
    votes, labels = ("aab", "bban", "nn", "a", "abba"), "abna "
    made = Tables.of(people(*votes), comparators.beside_one_person(judged(labels))).T
    expected = []
    for letters, label in zip(votes, labels, strict=True):
        both = np.zeros((3, 6))
        for k in range(len(letters)):
            others = letters[:k] + letters[k + 1 :]
            most = max((others.count(option) for option in OPTIONS), default=0)
            top = [option for option in OPTIONS if most and others.count(option) == most]
            for option in top if label != " " else ():
                share = 1 / len(top) / len(letters)
                both[OPTIONS.index(label), OPTIONS.index(option)] += share
                both[OPTIONS.index(letters[k]), 3 + OPTIONS.index(option)] += share
        if both.any():  # one vote has no others, and one item no label
            expected.append(both)
    assert made == pytest.approx(np.array(expected))
    whole = made.sum(axis=0)[None]
    apart = accuracy_of(whole[..., :3]) - accuracy_of(whole[..., 3:])
    assert further(accuracy_of)(whole) == pytest.approx(apart)


def test_judge_like_one_person_is_no_better_and_one_that_copies_all_is():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 150)
    drawn = np.where(rng.random((150, 6)) < 0.7, truth[:, None], 1 - truth[:, None])
    letters = np.array(["a", "b"])[drawn]
    voters = people(*("".join(row[:5]) for row in letters))
    alike, copy = (judged(row) for row in (letters[:, 5], np.array(["a", "b"])[truth]))
    p = {}
    for name, labels in (("alike", alike), ("copy", copy)):
        tables = Tables.of(voters, comparators.beside_one_person(labels))
        found = judge_measure(tables, further(ORDINAL), name="alpha")
        assert (found.low <= 0 <= found.high) == (found.p > 0.05)
        p[name] = found.p
    assert p["alike"] > 0.05
    assert p["copy"] < 0.001
