"""Citations and pages agree on what is code and what is a formula."""

import re
import time
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.texts.literal_spans import literal_spans
from annotation.texts.markdown import rendered

PIECES = st.sampled_from(
    [
        "*", "**", "_", "~~", "`", "``", "```\n", "```python\n", "~~~\n", "$", "$$", "$$\n",
        "\\(", "\\)", "\\[", "\\[\n", "\\]", "\\]\n", "\\$", "\\`", "[", "]", "(", ")", "![",
        "](", "](https://example.org)", "[^1]", "[^1]: ", "[1]: https://example.org\n", "<", ">",
        "<sup>", "</sup>", "<br>", "<details>\n", "</details>\n", "<summary>", "</summary>\n",
        "|", "| a | b |\n|---|---|\n| ", "\\|", "\n", "\n\n", "\r\n", "\r", "    ", "\t", "- ",
        "1. ", "> ", ">\t", "# ", " #", "---\n", "===\n", " ", "{", "^2", "=", "5", "5$",
        "\\frac{1}{2}", "\x00", "\u2028", "\u00a0", "data:image/png;base64,AAAA", "ü", "😀",
    ]
)  # fmt: skip
WORD = "w{}x"
WORDS = re.compile(r"w\d+x")
LITERAL = re.compile(
    r"<pre[^>]*>.*?</pre>|<code>.*?</code>|<span data-formula=\"\w+\">.*?</span>", re.DOTALL
)


def words_in_literals(text):
    return {
        match[0]
        for start, end, _ in literal_spans(text)
        for match in WORDS.finditer(text, start, end)
    }


def shown_in_literals(html):
    return {word for literal in LITERAL.findall(html) for word in WORDS.findall(literal)}


@settings(max_examples=1500, deadline=None)
@given(pieces=st.lists(st.one_of(PIECES, st.just(WORD)), max_size=40))
def test_a_page_and_a_citation_agree_on_code_and_formulas(pieces):
    text = "".join(piece.format(n) if piece == WORD else piece for n, piece in enumerate(pieces))
    html = rendered(text)
    if "as-written" in html:
        return
    visible = set(WORDS.findall(html))
    assert words_in_literals(text) & visible == shown_in_literals(html)


@settings(max_examples=500, deadline=None)
@given(pieces=st.lists(PIECES, max_size=40))
def test_spans_are_in_the_text_and_apart(pieces):
    text = "".join(pieces)
    last = 0
    for start, end, _ in literal_spans(text):
        assert last <= start < end <= len(text)
        last = end


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        ("a `b[1]` c", ["`b[1]`"]),
        ("> - x `b` y\n>   `c`", ["`b`", "`c`"]),
        ("| a | b |\n|---|---|\n| `x` \\| `y|` | `x` |", ["`x`", "`x`"]),
        ("| a |\n|---|\n| \\| `b` |", ["`b`"]),
        ("# `a` `b` ##", ["`a`", "`b`"]),
        ("<details>\n<summary>`a`</summary>\n\n`b`\n</details>", ["`a`", "`b`"]),
        ("x\n\n    [1]\n\ny", ["    [1]\n"]),
        ("$5 and $10, `a`", ["`a`"]),
        ("\\$x$ and $y_1$", ["$y_1$"]),
        ("![a](data:image/png;base64,AAAAAAAA) `b`", ["`b`"]),
        ("a\r\n`b`\r`c`", ["`b`", "`c`"]),
        ("- [x] $a^2$\n  more `b`", ["$a^2$", "`b`"]),
        ("[`a`](https://example.org)", ["`a`"]),
        ("a[^1]\n\n[^1]: note `b`", ["`b`"]),
        ("\t- `a`\n", ["\t- `a`\n"]),
        ("- a\n\n\t`b`", ["`b`"]),
    ],
)
def test_literals_are_found_in_the_text(text, literals):
    assert [text[start:end] for start, end, _ in literal_spans(text)] == literals


def test_blocks_of_code_count_in_a_text_that_is_too_long_to_be_rendered():
    text = "word [1] " * 30_000 + "\n\n```\nx[1]\n```\n"
    assert "as-written" in rendered(text)
    (span,) = literal_spans(text)
    assert text[span.start : span.end] == "```\nx[1]\n```\n"


@pytest.mark.parametrize("piece", ["`a ", "$a ", "\\(", "> ", "- `a` ", "`" * 7 + " ", "[`a`", "|"])
def test_a_line_of_a_million_characters_takes_bounded_time(piece):
    text = piece * (1_000_000 // len(piece))
    begin = time.process_time()
    literal_spans(text)
    rendered(text)
    assert time.process_time() - begin < 10


def test_a_shown_text_of_code_is_that_of_the_span():
    text = "Use `a[1]` and $b_[2]$"
    shown = [unescape(re.sub("<[^>]+>", "", found)) for found in LITERAL.findall(rendered(text))]
    assert shown == ["a[1]", "$b_[2]$"]
