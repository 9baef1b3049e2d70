"""Compact letter displays: their law and Piepho's example of use."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.bradley_terry.letter_display import compact_letters
from tests.analysis.coded_errors import bad_setting


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


def test_a_mask_that_is_not_symmetric_is_refused():
    with bad_setting("different"):
        compact_letters(np.array([[False, True], [False, False]]))
