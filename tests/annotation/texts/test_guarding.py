"""What keeps a spreadsheet from calculating is taken away again without a loss."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.spreadsheets import defused, guarded, unguarded


@given(st.text("'\"=-+@;,\t\r\n ab＝"))
def test_it_is_the_same_text_again_and_no_formula_between(text):
    assert unguarded(guarded(text)) == text
    assert defused(guarded(text)) == guarded(text)


def test_it_marks_what_is_defused_and_nothing_else_where_no_apostrophe_stands():
    for text in ("=1", "a", "x\n-1", '"=1"', "a;=1", ""):
        assert guarded(text) == defused(text)
