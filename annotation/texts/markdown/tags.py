"""The few HTML tags that answers of models use: line break, superscript, subscript, details.

A tag without its partner stays visible as text, as every other tag does.
"""

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_TAG = re.compile(r"<(?:(br) ?/?|(/?)(sup|sub))>", re.IGNORECASE)
_DETAILS = re.compile(r"<details(?: open)?>\s*(?:<summary>(.*?)</summary>)?\s*$", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary>(.*?)</summary>\s*$", re.IGNORECASE)


def tag_plugin(md: MarkdownIt) -> None:
    """Add the rules to a parser."""
    md.inline.ruler.before("autolink", "tag", _inline)
    md.core.ruler.after("inline", "tag_pairs", _pair)
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("paragraph", "details", _details, alternatives)


def _inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<":
        return False
    match = _TAG.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        if match[1]:
            state.push("hardbreak", "br", 0)
        else:
            token = state.push("tag", "", 0)
            token.content = match[0]
            token.meta = {"tag": match[3].lower(), "closes": bool(match[2])}
    state.pos = match.end()
    return True


def _pair(state: StateCore) -> None:
    """Make elements of the tags that open and close between the same neighbours."""
    for block in state.tokens:
        if block.type != "inline":
            continue
        opened: list[list[Token]] = [[]]
        for token in block.children or ():
            if token.nesting > 0:
                opened.append([])
            elif token.nesting < 0 and len(opened) > 1:
                opened.pop()
            elif token.type == "tag":
                token.type = "text"  # until its partner is found
                _pair_one(token, opened[-1])


def _pair_one(token: Token, opened: list[Token]) -> None:
    if not token.meta["closes"]:
        opened.append(token)
    elif opened and opened[-1].meta["tag"] == token.meta["tag"]:
        first = opened.pop()
        first.type, first.nesting, token.type, token.nesting = "tag_open", 1, "tag_close", -1
        for part in (first, token):
            part.tag, part.content = part.meta["tag"], ""


def _details(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Read `<details>` and `</details>` in lines of their own, with Markdown between them."""
    line = _line(state, start_line)
    if not line.startswith("<") or state.is_code_block(start_line):
        return False
    match = _DETAILS.match(line)
    last = _partners(state).get(start_line, -1) if match else -1
    if match is None or not start_line < last < end_line:
        return False
    if silent:
        return True
    inside, summary, line_of_summary = start_line + 1, match[1], start_line
    if summary is None and inside < last and (own_line := _SUMMARY.match(_line(state, inside))):
        summary, inside, line_of_summary = own_line[1], inside + 1, inside
    _push(state, "details", 1)
    if summary is not None:
        _push(state, "summary", 1)
        words = state.push("inline", "", 0)
        words.content, words.children = summary, []
        words.map = [line_of_summary, line_of_summary + 1]
        _push(state, "summary", -1)
    parent, maximum = state.parentType, state.lineMax
    state.parentType, state.lineMax = "details", last
    state.md.block.tokenize(state, inside, last)
    state.parentType, state.lineMax = parent, maximum
    state.line = last + 1
    _push(state, "details", -1)
    return True


def _push(state: StateBlock, tag: str, nesting: Any) -> None:
    token = state.push(f"{tag}_open" if nesting > 0 else f"{tag}_close", tag, nesting)
    token.block = True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


def _partners(state: StateBlock) -> dict[int, int]:
    """Return the line that closes the details of each line, found once a text."""
    if "details" not in state.env:
        partners: dict[int, int] = {}
        opened: list[int] = []
        for number in range(state.lineMax):
            line = _line(state, number).lower()
            if _DETAILS.match(line):
                opened.append(number)
            elif line == "</details>" and opened:
                partners[opened.pop()] = number
        state.env["details"] = partners
    closing_lines: dict[int, int] = state.env["details"]
    return closing_lines
