r"""LaTeX in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]` as tokens of their own.

A token keeps the formula as it was written, with its delimiters: the browser typesets it, and
shows it untouched if it cannot. Amounts of money, escaped brackets and code are not formulas.
"""

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

FORMULA = "formula"
MAX_LENGTH = 5_000  # characters; what is longer is no formula, and is searched no further
CLOSINGS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)", "$": "$"}
BLOCKS = ("$$", "\\[")
_TEX = re.compile(r"[\\^_={}<>+|*]")  # signs that prose does not have between two dollars
_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}")
_WORD_IN_PROSE = re.compile(r"\s[(]?[A-Za-z]{2,}|[A-Za-z]{2,}[,.;:]?\s")
_COMMAND = re.compile(r"\\[A-Za-z]+|\{[^{}]*\}")
_NUMBERS = re.compile(r"[\d\s,;–-]+")
_FUNCTIONS = {"sin", "cos", "tan", "log", "ln", "exp", "max", "min", "mod", "det", "lim"}


def formula_plugin(md: MarkdownIt) -> None:
    """Add the rules to a parser."""
    md.inline.ruler.before("escape", FORMULA, _inline)
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", FORMULA, _block, alternatives)
    md.add_render_rule(FORMULA, _html)


def _inline(state: StateInline, silent: bool) -> bool:
    opening = _opening(state.src, state.pos)
    if not opening:
        return False
    end = _end(state.src, state.pos, state.posMax, opening)
    if end < 0:
        return False
    if not silent:
        token = state.push(FORMULA, "", 0)
        token.content = state.src[state.pos : end]
        token.info = "display" if opening in BLOCKS else "inline"
        token.meta["span"] = (state.pos, end)
    state.pos = end
    return True


def _opening(src: str, pos: int) -> str:
    if src[pos] not in "$\\":
        return ""
    return next((opening for opening in CLOSINGS if src.startswith(opening, pos)), "")


def _end(src: str, pos: int, maximum: int, opening: str) -> int:
    """Return the position behind the formula that opens at `pos`, or -1."""
    closing, start = CLOSINGS[opening], pos + len(opening)
    close = src.find(closing, start, min(maximum, start + MAX_LENGTH))
    while closing.startswith("$") and close > 0 and src[close - 1] == "\\":  # an escaped dollar
        close = src.find(closing, close + 1, min(maximum, start + MAX_LENGTH))
    if close < 0:
        return -1
    content, end = src[start:close], close + len(closing)
    after = src[end : min(end + 1, maximum)]
    before = src[pos - 1] if pos else ""
    if not content.strip() or "`" in content or _is_prose(content, opening):
        return -1
    if opening == "$" and not _is_set_in_dollars(content, before, after):
        return -1
    return end


def _is_set_in_dollars(content: str, before: str, after: str) -> bool:
    """Return whether single dollars around this content are those of a formula, not of money."""
    if content != content.strip() or before.isalnum() or before == "$":
        return False
    if after.isdigit() or after == "$":
        return False
    has_sign = _TEX.search(content) is not None
    if after.isalpha() and not (has_sign or len(content) == 1):  # $HOME/$USER
        return False
    if "\n" in content and not has_sign:
        return False
    # "$5 + tax) and (3$": an amount, and words that are no command's.
    return not (content[0].isdigit() and _words(_COMMAND.sub(" ", content)))


def _is_prose(content: str, opening: str) -> bool:
    r"""Return whether this is text in escaped brackets, as in `\[sic\]`, or between two amounts."""
    if _TEX.search(content):
        return False
    if opening == "\\[":
        return bool(_words(content)) or _NUMBERS.fullmatch(content) is not None
    return opening != "$$" and bool(_WORD_IN_PROSE.search(content)) and bool(_words(content))


def _words(content: str) -> list[str]:
    return [word for word in _WORD.findall(content) if word not in _FUNCTIONS]


def _block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Read a formula that has its lines for itself."""
    if state.is_code_block(start_line):
        return False
    begin = state.bMarks[start_line] + state.tShift[start_line]
    opening = state.src[begin : begin + 2]
    if opening not in BLOCKS:
        return False
    last = _last_line(state, start_line, end_line, opening)
    if last < 0:
        return False
    source = state.getLines(start_line, last + 1, state.sCount[start_line], False).strip()
    content = source[2:-2]
    if len(source) < 5 or "`" in content or _is_prose(content, opening):
        return False
    if silent:
        return True
    state.line = last + 1
    state.push("paragraph_open", "p", 1).block = True
    token = state.push(FORMULA, "", 0)
    token.content, token.info, token.map = source, "display", [start_line, last + 1]
    state.push("paragraph_close", "p", -1).block = True
    return True


def _last_line(state: StateBlock, start_line: int, end_line: int, opening: str) -> int:
    """Return the line that ends with the closing; -1 if the next closing is in a line."""
    closing, length = CLOSINGS[opening], 0
    for number in range(start_line, end_line):
        begin = state.bMarks[number] + state.tShift[number]
        line = state.src[begin : state.eMarks[number]].rstrip()
        outside = number > start_line and state.sCount[number] < state.blkIndent
        length += len(line)
        if not line or outside or length > MAX_LENGTH:
            return -1
        end = line.find(closing, 2 if number == start_line else 0)
        if end >= 0:
            return number if end == len(line) - 2 else -1
    return -1


def _html(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    token = tokens[idx]
    return f'<span data-formula="{token.info}">{escapeHtml(token.content)}</span>'
