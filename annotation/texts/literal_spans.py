r"""Code and formulas of a Markdown text, where a bracket is no citation. Pure.

Blocks of code are those of CommonMark (markdown-it); code in a line stands between equal runs of
backticks; formulas stand between `$`, `$$`, `\(` and `\)`, `\[` and `\]`, as chat windows read
them: `$5 and $10` is money. Linear in the length of the text but for a logarithm.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from markdown_it import MarkdownIt

_BLOCKS = MarkdownIt("commonmark", {"html": False}).disable("inline")
_OF_BLOCKS = ("```", "~~~", "    ", "\t")  # one of these is in each text with a block of code
_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
# What opens or closes code and formulas, and what neither may go across.
_DELIMITER = re.compile(r"(?P<tick>`+)|\\(?P<paren>[()\[\]])|(?P<other>\\.)|(?P<dollar>\$\$?)")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_CLOSING = {"(": ")", "[": "]", "$$": "$$"}


class Span(NamedTuple):
    """The characters text[start:end]; `is_code`, or a formula."""

    start: int
    end: int
    is_code: bool


def literal_spans(text: str) -> list[Span]:
    """Return the code and formulas of a text in their order; they do not overlap."""
    blocks = [*_code_blocks(text)]
    if not any(sign in text for sign in "`$\\"):
        return blocks
    return sorted([*blocks, *_inline(text, blocks)])


def _code_blocks(text: str) -> Iterator[Span]:
    if not any(sign in text for sign in _OF_BLOCKS):
        return
    lines = _LINE_END.split(text)
    starts = [0, *accumulate(map(len, lines))]
    for token in _BLOCKS.parse(text):
        if token.type in ("fence", "code_block") and token.map:
            first, last = token.map
            yield Span(starts[first], starts[min(last, len(lines))], is_code=True)


def _inline(text: str, blocks: list[Span]) -> Iterator[Span]:
    """Yield the code in lines and the formulas outside blocks of code."""
    delimiters = [*_outside(blocks, _DELIMITER.finditer(text))]
    closing = _closing(delimiters, text)
    barriers = sorted(
        [*(match.start() for match in _BLANK_LINE.finditer(text)), *(s.start for s in blocks)]
    )
    line_ends = [match.start() for match in re.finditer("\n", text)]
    end = 0
    for delimiter in delimiters:
        if delimiter.start() < end or not (kind := _kind(delimiter, text)):
            continue
        close = _next(closing[kind], delimiter.end())
        barrier = _next(line_ends if kind == "$" else barriers, delimiter.end())
        if close is None or (barrier is not None and barrier < close):
            continue
        end = close + len(_sign(kind))
        yield Span(delimiter.start(), end, is_code=kind.startswith("`"))


def _outside(blocks: list[Span], matches: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    left = iter(blocks)
    block = next(left, None)
    for match in matches:
        while block and block.end <= match.start():
            block = next(left, None)
        if not block or match.start() < block.start:
            yield match


def _kind(match: re.Match[str], text: str) -> str:
    """Return what closes this delimiter if it opens anything, else nothing."""
    if match["tick"]:
        return match["tick"]
    if match["paren"]:
        return _CLOSING.get(match["paren"], "")
    if match["dollar"] == "$":
        after = text[match.end() : match.end() + 1]
        return "$" if after and not after.isspace() else ""
    return "$$" if match["dollar"] else ""


def _closing(delimiters: list[re.Match[str]], text: str) -> dict[str, list[int]]:
    """Return where a delimiter of each kind may close, in the order of the text."""
    closing: dict[str, list[int]] = defaultdict(list)
    for match in delimiters:
        if match["tick"]:
            closing[match["tick"]].append(match.start())
        elif match["paren"] in (")", "]"):
            closing[match["paren"]].append(match.start())
        elif match["dollar"] == "$$":
            closing["$$"].append(match.start())
        elif match["dollar"] and _closes(match, text):
            closing["$"].append(match.start())
    return closing


def _closes(dollar: re.Match[str], text: str) -> bool:
    """Return whether a dollar sign ends a formula: no space before it, no digit after it."""
    start = dollar.start()
    before, after = text[max(0, start - 1) : start], text[dollar.end() : dollar.end() + 1]
    return bool(before) and not before.isspace() and not after.isdigit()


def _next(places: list[int], start: int) -> int | None:
    index = bisect_left(places, start)
    return places[index] if index < len(places) else None


def _sign(kind: str) -> str:
    return f"\\{kind}" if kind in ")]" else kind
