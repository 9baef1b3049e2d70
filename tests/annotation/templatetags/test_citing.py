"""Citations of a shown text lead to their passages; the text stays as it is written."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.console.shown_texts import texts_of
from annotation.models import Corpus, Passage, Response
from annotation.templatetags.citing import citing
from annotation.texts.citation_marks import marks_of

PASSAGES = [Passage(title=f"Passage <{n}>", text="Words.") for n in range(3)]


def shown(text, marks):
    texts = texts_of(Corpus(pk=1, slug="leaves"))
    return citing(Response(text=text, marks=marks), PASSAGES, texts)


def links(html):
    return re.findall(r'href="#passage-(\d)" title="[^"]*"[^>]*>([^<]*)</a>', html)


@pytest.mark.parametrize(
    ("text", "places", "expected"),
    [
        ("So [1, 2].", [0, 1], [("0", "1"), ("1", "2")]),
        ("So [7].", [2], [("2", "7")]),
        ("So 【1†source】.", [1], [("1", "1")]),
        ("So [1-3].", [0, 1, 2], [("0", "[1-3]")]),
        ("So [[1]](https://example.org).", [0], [("0", "[1]")]),
        ("So [1](https://example.org).", [0], [("0", "[1]")]),
        ("**So [1]**.", [1], [("1", "1")]),
        ("| a |\n|---|\n| [1] |", [2], [("2", "1")]),
        ("So<sup>1</sup>.", [1], [("1", "1")]),
        ("So [1].\n\n[1]: https://example.org", [1], [("1", "1")]),
    ],
)
def test_marks_are_links_to_their_passages(text, places, expected):
    (mark,) = [mark for mark in marks_of(text) if not mark.refused]
    assert links(shown(text, [[mark.start, mark.end, *places]])) == expected


def test_a_text_without_stored_marks_cites_as_our_editor_writes():
    assert links(shown("So [0] and `[1]`.", None)) == [("0", "0")]


def test_brackets_without_a_mark_are_words():
    assert links(shown("So [1].", [])) == []


PIECES = st.sampled_from(["[1]", "a ", "`", "\n", "\n\n", "**", "](x)", "<b>", "\ue000", "|"])


@given(st.lists(PIECES, max_size=20).map("".join))
def test_no_stand_in_is_left_in_any_text(text):
    marks = [[mark.start, mark.end, 0] for mark in marks_of(text) if not mark.refused]
    html = unescape(shown(text, marks))
    assert html.count("\ue000") == text.count("\ue000") or "\ue000" not in html
    assert not re.search("[\ue001-\uf8fe]", html)
    assert html.count("[1]") + len(links(html)) >= len(marks) or "](x)" in text
