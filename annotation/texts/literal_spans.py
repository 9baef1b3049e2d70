"""Code and formulas of a Markdown text, where a bracket is no citation. Pure.

What is code and what is a formula is decided by the parser that shows texts
(annotation.texts.markdown): its tokens are found again in the text. Of a text that is too long or
nested too deeply to be shown as Markdown only blocks of code count.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from markdown_it.token import Token

from annotation.texts.markdown.formulas import FORMULA
from annotation.texts.markdown.images import shortened
from annotation.texts.markdown.parser import blocks_of, parser, tokens_of

# The begin of a line: what lists and quotes put there, and what a block of code begins with.
_MARGIN = r"[ \t>*+\-0-9.)]"
# A line with a | may be the head of a table.
_FENCE = re.compile(r"(`{3,})[^`|]*$|(~{3,})[^|]*$")
_NESTED = re.compile(rf"{_MARGIN}*(?:`{{3}}|~{{3}})|{_MARGIN}*[>*+\-.)](?: {{4}}|[ ]*\t)")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_WORD = re.compile(rf"{_MARGIN}*[^\W\d_]")

_BLANK = " \t\r\n"


def margin_fences(lines: list[str]) -> list[tuple[int, int]] | None:
    """Return the ranges of lines in fences; None if other lines may be code, too.

    A parser takes ten times as long, and most answers have nested lists or plain fences at most.
    An indented line is no code where the line before is words of a paragraph. Rows of a table are
    no paragraph. A fence that is not closed is left to the parser.
    """
    ranges: list[tuple[int, int]] = []
    fence, first, has_words = "", 0, False
    may_have_table = any("|" in line for line in lines)
    for number, line in enumerate(lines):
        if fence:
            if _closes(line, fence):
                ranges.append((first, number + 1))
                fence, has_words = "", False
        elif match := _FENCE.match(line.rstrip("\r\n")):
            fence, first = match[1] or match[2], number
        elif _NESTED.match(line) or (not has_words and _is_indented(line)):
            return None
        else:
            has_words = not may_have_table and _WORD.match(line) is not None
    return None if fence else ranges


def _is_indented(line: str) -> bool:
    return _INDENTED.match(line) is not None and bool(line.strip(_BLANK))


def _closes(line: str, fence: str) -> bool:
    sign = line.strip(_BLANK)
    return not _INDENTED.match(line) and sign.startswith(fence) and not sign.strip(fence[0])


_PARSER = parser()
_OF_BLOCKS = ("```", "~~~", "    ", "\t")  # one of these is in each text with a block of code
_OF_LINES = ("`", "$", "\\(", "\\[")
_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
_CELLS = ("th_open", "td_open")


class Span(NamedTuple):
    """The characters text[start:end]; `is_code`, or a formula."""

    start: int
    end: int
    is_code: bool


def literal_spans(text: str) -> list[Span]:
    """Return the code and formulas of a text in their order; they do not overlap."""
    has_lines = any(sign in text for sign in _OF_LINES)
    if not has_lines and not any(sign in text for sign in _OF_BLOCKS):
        return []
    plain = _in_plain_fences(text)
    if plain is not None:
        return plain
    short = shortened(text)
    tokens = tokens_of(_PARSER, short.text) if has_lines else None
    if tokens is None:
        tokens = blocks_of(_PARSER, short.text)
    return sorted(
        Span(short.original_place(start), short.original_place(end), is_code)
        for start, end, is_code in _spans(tokens, short.text)
    )


def _in_plain_fences(text: str) -> list[Span] | None:
    """Return the code of a text that has no other than fences at the margin; otherwise None."""
    if "]:" in text:  # the definition of a link or footnote, which is no paragraph
        return None
    lines = _LINE_END.split(text)
    ranges = margin_fences(lines)
    if ranges is None:
        return None
    starts = [0, *accumulate(map(len, lines))]
    spans = [Span(starts[first], starts[last], is_code=True) for first, last in ranges]
    behind = [0, *(span.end for span in spans)]
    before = [*(span.start for span in spans), len(text)]
    outside = "".join(text[a:b] for a, b in zip(behind, before, strict=True))
    return None if any(sign in outside for sign in _OF_LINES) else spans


def _spans(tokens: list[Token], text: str) -> Iterator[Span]:
    source = _Source(text)
    for before, token in pairwise([Token("", "", 0), *tokens]):
        if token.type in ("fence", "code_block", FORMULA) and token.map:
            yield Span(*source.of_lines(*token.map), is_code=token.type != FORMULA)
        literals = [child for child in token.children or () if "span" in child.meta]
        if literals and token.map:
            places = source.places(token, is_cell=before.type in _CELLS)
            for child in literals:
                start, end = child.meta["span"]
                yield Span(places.start(start), places.end(end), child.type != FORMULA)


class _Source:
    """Lines of a text, as the parser counts them."""

    def __init__(self, text: str) -> None:
        self._lines = _LINE_END.split(text.replace("\0", "\ufffd"))
        self._starts = [0, *accumulate(map(len, self._lines))]
        self._cells: dict[int, int] = {}  # line -> where its next cell is looked for

    def of_lines(self, first: int, last: int) -> tuple[int, int]:
        return self._starts[first], self._starts[min(last, len(self._lines))]

    def places(self, token: Token, *, is_cell: bool) -> "_Places":
        """Return where the words of a paragraph, heading or cell are in the text."""
        assert token.map is not None
        lines = token.content.split("\n")
        find = self._cell if is_cell else self._line
        return _Places(
            lines, [find(number, line) for number, line in enumerate(lines, token.map[0])]
        )

    def _line(self, number: int, words: str) -> tuple[int, str]:
        """Return the place of words that a line of the text has behind its marks."""
        line, core = self._lines[min(number, len(self._lines) - 1)], words.strip()
        column = max(0, line.rfind(core)) if core else 0
        blank = len(words) - len(words.lstrip())
        return self._starts[number] + column - blank, ""

    def _cell(self, number: int, words: str) -> tuple[int, str]:
        r"""Return the place of a cell; of the signs in it, `\|` was read as `|`."""
        written = words.replace("|", "\\|")
        column = self._lines[number].find(written, self._cells.get(number, 0))
        self._cells[number] = max(column, 0) + len(written)
        return self._starts[number] + max(column, 0), words


class _Places:
    """Positions of a token's characters in the text."""

    def __init__(self, lines: list[str], places: list[tuple[int, str]]) -> None:
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._places = places

    def start(self, place: int) -> int:
        index = min(bisect_right(self._starts, place) - 1, len(self._places) - 1)
        start, cell = self._places[index]
        column = place - self._starts[index]
        return start + column + cell[:column].count("|")

    def end(self, place: int) -> int:
        return self.start(place - 1) + 1
