"""Where a text cites its passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.citations import cited_places


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("So it is [0].", [0]),
        ("So it is [2, 5], and [1][3].", [2, 5, 1, 3]),
        ("[0,10,3]", [0, 10, 3]),
        ("[ 4 ,\n7 ]", [4, 7]),
        ("twice [3], twice [3]", [3, 3]),
        ("[[6]]", [6]),
        ("مرحبا [1] 🍁 [2]", [1, 2]),
    ],
)
def test_it_finds_bracketed_numbers_in_the_order_of_the_text(text, numbers):
    assert cited_places(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "[]",
        "[...]",
        "[Winter, 1997]",
        "[3.4]",
        "[5,]",
        "[-1]",
        "[1 2]",
        "(3)",
        "[4",
        "5]",
        "[٣]",
        "[1234567890]",
    ],
)
def test_it_leaves_other_brackets_to_the_text(text):
    assert cited_places(text) == []


groups = st.lists(st.lists(st.integers(0, 999_999_999), min_size=1, max_size=5), max_size=8)
words = st.text(st.characters(exclude_characters="[]"), max_size=20)


@given(groups=groups, gap=words, comma=st.sampled_from([",", ", ", " ,", " , "]))
def test_what_is_written_is_read_whatever_stands_between(groups, gap, comma):
    text = gap.join(f"[{comma.join(map(str, group))}]" for group in groups)
    assert cited_places(text) == [number for group in groups for number in group]


@given(st.text(st.sampled_from("[],0 19a\n")))
def test_any_text_can_be_read(text):
    assert all(0 <= number <= 999_999_999 for number in cited_places(text))


@pytest.mark.parametrize("piece", ["[", "[1,", "[ ", "[1", "1,", "[9999999999"])
def test_a_million_characters_of_almost_citations_are_read_at_once(piece):
    assert cited_places(piece * (1_000_000 // len(piece))) == []
