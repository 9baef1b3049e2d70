"""Compact letter displays: their law, Piepho's example of use, and the bootstrap behind them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.bradley_terry.letter_display import compact_letters, letter_groups
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.errors import BadSetting
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.bradley_terry.test_merit_intervals import fitted, league


@st.composite
def differences(draw):
    n = draw(st.integers(1, 9))
    cells = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
    upper = np.triu(np.array(cells).reshape(n, n), 1)
    return upper | upper.T


@given(different=differences())
@settings(deadline=None, max_examples=60)
def test_two_share_a_letter_exactly_if_they_do_not_differ(different):
    letters = [set(word) for word in compact_letters(different)]
    n = len(letters)
    shared = np.array([[bool(letters[i] & letters[j]) for j in range(n)] for i in range(n)])
    assert (shared == ~different).all()


@given(different=differences())
@settings(deadline=None, max_examples=30)
def test_no_letter_is_superfluous(different):
    words = compact_letters(different)
    bearers = {
        letter: {k for k, word in enumerate(words) if letter in word}
        for letter in set("".join(words))
    }
    for letter, mine in bearers.items():
        assert not any(mine <= other for name, other in bearers.items() if name != letter)
    assert words[0].startswith("a")
    assert bearers.keys() == set("abcdefghijklmnopqrstuvwxyz"[: len(bearers)])


def test_overlapping_groups_share_their_letters():
    # 1 differs from 3 and 4, 2 from 4: ab would be wrong for 1, and 2 and 3 stand between
    different = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 2), (0, 3), (1, 3)):
        different[i, j] = different[j, i] = True
    assert compact_letters(different) == ["a", "ab", "bc", "c"]


def test_thirty_that_all_differ_have_letters_of_their_own():
    words = compact_letters(~np.eye(30, dtype=bool))
    assert (words[0], words[-1]) == ("a", "ad")
    assert len(set(words)) == 30


def test_the_bootstrap_parts_the_best_from_the_worst():
    groups = letter_groups(bootstrap_merits(fitted(league(rounds=8)), draws=400), 1)
    assert groups.frame.response.tolist()[0] == 4
    best, worst = groups.frame.letters.iloc[[0, -1]]
    assert not set(best) & set(worst)
    assert groups.family == len(groups.p) == 10
    letters = groups.frame.set_index("response").letters
    for i, j, different in zip(groups.first, groups.second, groups.different, strict=True):
        assert different == (not set(letters[i]) & set(letters[j]))


def test_the_correction_finds_no_more_differences():
    intervals = bootstrap_merits(fitted(league(rounds=2)), draws=200)
    corrected = letter_groups(intervals, 0)
    plain = letter_groups(intervals, 0, correction="none")
    assert (corrected.p >= plain.p).all()
    assert (corrected.different <= plain.different).all()


def test_equals_share_one_letter():
    frame = league(rounds=2).assign(outcome="tie")
    groups = letter_groups(bootstrap_merits(fitted(frame), draws=100), 0)
    assert groups.frame.letters.tolist() == ["a"] * 5
    assert groups.p.tolist() == [1.0] * 10


def test_it_refuses_what_it_cannot_answer():
    intervals = bootstrap_merits(fitted(league()), draws=30)
    with cannot_compute("too_few_draws", match=r"30.*0\.0645"):
        letter_groups(intervals, 0)
    with cannot_compute("unknown_problem", match="'x'"):
        letter_groups(intervals, "x", alpha=0.1)
    with bad_setting("alpha"):
        letter_groups(intervals, 0, alpha=0.0)
    with bad_setting("correction"):
        letter_groups(intervals, 0, alpha=0.1, correction="holm")
    with pytest.raises(BadSetting, match="symmetric"):
        compact_letters(np.array([[False, True], [False, False]]))
