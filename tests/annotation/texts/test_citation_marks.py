"""Marks of citations in answers, and brackets that are none."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.texts.citation_marks import Form, NoMark, marks_of
from annotation.texts.literal_spans import literal_spans


def written(text):
    return [
        (text[mark.start : mark.end], mark.form, mark.numbers)
        for mark in marks_of(text)
        if not mark.refused
    ]


def refused(text):
    marks = filter(lambda mark: mark.refused, marks_of(text))
    return [(text[mark.start : mark.end], mark.refused) for mark in marks]


@pytest.mark.parametrize(
    ("text", "form", "numbers"),
    [
        ("Rivers [1].", Form.BRACKET, (1,)),
        ("Rivers [ 0, 12;3 ].", Form.BRACKET, (0, 12, 3)),
        ("Rivers [2-4].", Form.BRACKET, (2, 3, 4)),
        ("Rivers [2–3, 7].", Form.BRACKET, (2, 3, 7)),
        ("Rivers [1997-2].", Form.BRACKET, (1997, 2)),
        ("Rivers.[^4]", Form.FOOTNOTE, (4,)),
        ("Rivers【1†source】.", Form.LENTICULAR, (1,)),
        ("Rivers【4:2†report.pdf】.", Form.LENTICULAR, (2,)),
        ("Rivers [doc1].", Form.WORD, (1,)),
        ("Rivers (Source: 2).", Form.WORD, (2,)),
        ("Rivers [citation:3].", Form.WORD, (3,)),
        ("Rivers [Dokument 5, 6].", Form.WORD, (5, 6)),
        ("Rivers [[1]](https://example.org/a).", Form.LINK, (1,)),
        ("Rivers [2](https://example.org/a).", Form.LINK, (2,)),
        ("Rivers <cite>2</cite>.", Form.TAG, (2,)),
        ("Rivers<sup>3</sup>.", Form.TAG, (3,)),
        ("Rivers ##4$$.", Form.HASH, (4,)),
        # As people write: without a space, after signs, after words with digits.
        ("an occult pneumonia[2].", Form.BRACKET, (2,)),
        ("(Kiger, The Origin)[0].", Form.BRACKET, (0,)),
        ("up to 54%[1].", Form.BRACKET, (1,)),
        ("in the U.S.[1], so", Form.BRACKET, (1,)),
        ("of CO2[1].", Form.BRACKET, (1,)),
        ("Medicare Part A[0].", Form.BRACKET, (0,)),
        ("of distance[3].After", Form.BRACKET, (3,)),
        ("ending in [6,11].", Form.BRACKET, (6, 11)),
        ("a temperature range [0,3,4].", Form.BRACKET, (0, 3, 4)),
        ("It costs $5 [1] and no $10.", Form.BRACKET, (1,)),
    ],
)
def test_marks_are_read_in_every_form(text, form, numbers):
    assert [(form, numbers)] == [found[1:] for found in written(text)]


def test_neighbours_are_marks_of_their_own():
    assert [numbers for _, _, numbers in written("Rivers [1][2] [3].")] == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Use `x[1]`.", NoMark.CODE),
        ("```python\nx = [1, 2]\n```", NoMark.CODE),
        ("~~~\n[1]", NoMark.CODE),
        ("So:\n\n    x[1]\n", NoMark.CODE),
        ("$x_{[1]}$", NoMark.FORMULA),
        ("$$\n[1]\n$$", NoMark.FORMULA),
        (r"\( a[1] \)", NoMark.FORMULA),
        (r"\[ [1] \]", NoMark.FORMULA),
        ("call items[2] first", NoMark.NAME),
        ("call f(x)[0] first", NoMark.NAME),
        ("call my_list[0] first", NoMark.NAME),
        ("call os.argv[1] first", NoMark.NAME),
        ("call rowCount[1] first", NoMark.NAME),
        ("call x1[2] first", NoMark.NAME),
        ("counts[1] = 3", NoMark.NAME),
        ("see [the page][1]", NoMark.NAME),
        ("10<sup>2</sup>", NoMark.NAME),
        ("The interval [1, 2] is closed.", NoMark.NUMBERS),
        ("x ∈ [0, 1]", NoMark.NUMBERS),
        ("a value between [0, 1]", NoMark.NUMBERS),
        ("the list [1, 2, 3] has", NoMark.NUMBERS),
        ("[^1]: A note.", NoMark.DEFINITION),
        ("text\n[1]: https://example.org", NoMark.DEFINITION),
        ("Rivers (1).", NoMark.UNSURE),
        ("Rivers¹.", NoMark.UNSURE),
    ],
)
def test_other_brackets_are_none(text, reason):
    assert (written(text), [found for _, found in refused(text)]) == ([], [reason])


def test_brackets_of_code_follow_one_another():
    assert [reason for _, reason in refused("m[1][10] is it")] == [NoMark.NAME, NoMark.NAME]


@pytest.mark.parametrize("text", ["[3.4]", "[Winter, 1997]", "[...]", "[5,]", "[]", "[1234567890]"])
def test_words_in_brackets_are_words(text):
    assert marks_of(text) == []


PIECES = st.sampled_from(
    [
        "[1]",
        "[2, 3]",
        "`",
        "```",
        "\n",
        "\n\n",
        "    ",
        "$",
        "$$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "a",
        "x[1]",
        "【1†s】",
        "[^1]",
        " ",
        "(1)",
        "[[1]](u)",
        "\r\n",
        "\t",
        "> ",
        "- ",
        "é",
        "\u2028",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_marks_share_no_character(text):
    places = marks_of(text)
    assert all(one.end <= other.start for one, other in pairwise(places))
    assert all(0 <= place.start < place.end <= len(text) for place in places)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_mark_begins_in_code_or_a_formula(text):
    literal = [range(span.start, span.end) for span in literal_spans(text)]
    marks = [mark for mark in marks_of(text) if not mark.refused]
    assert not any(mark.start in span for mark in marks for span in literal)
    assert all(one.stop <= other.start for one, other in pairwise(literal))


def test_a_long_hostile_text_is_read_in_bounded_time():
    for piece in ("\\(", "$a ", "`a``b", "```\n", "[1", "[1]", "【1†", "((1", "[doc "):
        marks_of(piece * (100_000 // len(piece)))
