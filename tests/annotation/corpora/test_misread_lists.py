"""Cells that a program printed are read as lists, or are a problem: items are never glued."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.written_lists import UnreadList, listed_in


@pytest.mark.parametrize(
    "cell",
    [
        "['a''b']",
        '["a""b"]',
        "('a' 'b')",
        '{"a" "b"}',
        '"a" "b"',
        "'a', 'b'",
        "[['a' 'b']\n ['c' 'd']]",
        "[Document(page_content='a')]",
        "[nan]",
        "[1, 2, 3]",
        "['a', ...]",
        '"a" ' * 100_000 + '"b"',
    ],
)
def test_list_that_cannot_be_read_is_a_problem(cell):
    with pytest.raises(UnreadList):
        listed_in(cell)


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("['a'\n 'b']", ["a", "b"]),
        ("('a', 'b')", ["a", "b"]),
        ("{'a', 'b'}", ["a", "b"]),
        ('{"text": "a"}', [{"text": "a"}]),
        ("[1] a\n[2] b [c]", ["a", "b [c]"]),
        ("[deleted]", ["[deleted]"]),
        ("(see a)", ["(see a)"]),
        ('"A word" in a passage', ['"A word" in a passage']),
    ],
)
def test_what_people_and_programs_write_is_read(cell, items):
    assert listed_in(cell) == items


@given(st.lists(st.text("ab'\", \n", max_size=5), min_size=2, max_size=4))
def test_printed_list_has_its_items(items):
    for cell in (repr(items), repr(tuple(items)), f"[{' '.join(map(repr, items))}]"):
        assert listed_in(cell) == items
