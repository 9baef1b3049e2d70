"""The statements of a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.texts.citations import cited_places
from annotation.texts.statements import statements, without_citations


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("No source.", [("No source.", ())]),
        ("One [0]. Two [1, 2].", [("One.", (0,)), ("Two.", (1, 2))]),
        ("One. [0] Two", [("One.", (0,)), ("Two", ())]),
        ("A run [1][3] [3], it says", [("A run,", (1, 3, 3)), ("it says", ())]),
        ('"Quoted [4]." So it is', [('"Quoted."', (4,)), ("So it is", ())]),
        ("- one [0]\n- two [5].\n", [("- one", (0,)), ("- two.", (5,))]),
        ("[7] comes first", [("", (7,)), ("comes first", ())]),
        ("[Winter, 1997] is no citation [2]", [("[Winter, 1997] is no citation", (2,))]),
        ("An aside [1] (as it is) [2].", [("An aside", (1,)), ("(as it is).", (2,))]),
    ],
)
def test_a_statement_reaches_up_to_its_citations(text, expected):
    assert [(statement.text, statement.cited) for statement in statements(text)] == expected


written = st.text(st.sampled_from('ab .,\n-[]()0123"'), max_size=60)


@given(text=written)
@settings(max_examples=200, deadline=None)
def test_the_pieces_put_together_are_the_text(text):
    pieces = statements(text)
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text * bool(text.strip())
    assert all(piece.start < piece.end for piece in pieces)


@given(text=written)
@settings(max_examples=200, deadline=None)
def test_no_citation_is_lost_or_left_in_the_words(text):
    pieces = statements(text)
    assert [number for piece in pieces for number in piece.cited] == cited_places(text)
    assert not any(cited_places(piece.text) for piece in pieces)


def test_a_text_without_its_citations_reads_on():
    assert without_citations("So it is [0, 4].\n\nAnd so [1] [2] it stays.") == (
        "So it is.\n\nAnd so it stays."
    )
