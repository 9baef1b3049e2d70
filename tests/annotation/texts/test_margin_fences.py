"""Code that is found without a parser is the code that the parser finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.texts import literal_spans as module
from annotation.texts.literal_spans import literal_spans, margin_fences

PIECES = st.sampled_from(
    [
        "```",
        "```py",
        "````",
        "~~~",
        "~~~~",
        "    ",
        " ",
        "\t",
        "- ",
        "* ",
        "1. ",
        "12) ",
        "> ",
        "# ",
        "***",
        "word",
        "Two words",
        "**bold**",
        "---",
        "===",
        "\n",
        "\n",
        "\n",
        "\n\n",
        "[1]",
        "[^1]",
        "`a`",
        "|",
        "a|b\n-|-\n",
        "$x$",
        "$$",
        "<details>",
        "</details>",
        "\r\n",
        "\r",
        "5",
        "日本",
        "\\[",
        "\\",
        "\u0000",
        "\u000b",
        "\u0085",
        "\u00a0",
        "    - sub",
        "   ```\n",
        "    code[1]",
        "-\t",
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


@settings(max_examples=400)
@given(TEXTS)
def test_code_of_plain_fences_is_that_of_the_parser(text):
    spans = literal_spans(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "margin_fences", lambda lines: None)
        assert literal_spans(text) == spans


@pytest.mark.parametrize(
    "text",
    [
        "Lists [1]:\n- one\n    - two [2]\n        - three [3]\n",
        "```py\nx[1]\n\n    y[2]\n```\nSo [1].\n",
        "Words\n~~~~\n~~~\n~~~~\nmore",
    ],
)
def test_usual_answers_need_no_parser(text):
    assert margin_fences(text.splitlines(keepends=True)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Words.\n\n    code[1]\n",
        "- ```\n  code[1]\n  ```\n",
        "-     code[1]\n",
        "> ~~~\n> code[1]\n",
        "a|b\n-|-\nrow\n    code[1]\n",
        "```\ncode[1]\n",
    ],
)
def test_other_code_is_left_to_the_parser(text):
    assert margin_fences(text.splitlines(keepends=True)) is None
