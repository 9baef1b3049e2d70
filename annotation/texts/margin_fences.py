"""Code of a Markdown text that only has fences at the margin, found without a parser. Pure.

A parser takes ten times as long, and most answers have nested lists or plain fences at most.
"""

import re

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
