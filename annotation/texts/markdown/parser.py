"""The parser of Markdown and the HTML of its tokens: CommonMark, GFM's tables, and our own rules.

CommonMark by markdown-it, with single line breaks as chat windows show them. What would be HTML
stays visible as text, but for a few tags (`tags`). Pure: how links are shown is for the caller.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from annotation.texts.markdown.code import code_span, highlighted
from annotation.texts.markdown.definitions import definition_plugin
from annotation.texts.markdown.footnotes import footnote_plugin
from annotation.texts.markdown.formulas import formula_plugin
from annotation.texts.markdown.images import image_plugin
from annotation.texts.markdown.tables import table_plugin
from annotation.texts.markdown.tags import tag_plugin

MAX_NESTING = 60
MAX_STEPS = 100_000  # of a search for the ends of links, and never more than that in a text
MAX_LENGTH = 200_000  # characters; what is longer is shown as it was written
OPTIONS: Any = {"html": False, "breaks": True, "maxNesting": MAX_NESTING, "store_labels": True}
BLOCKS = {"p", "ul", "ol", "blockquote", "table", "h1", "h2", "h3", "h4", "h5", "h6"}
MARK = "mark"
# Start, end and HTML of the pieces of a text that are marked up, in their order.
Marks = Callable[[str], Iterable[tuple[int, int, str]]]
_LINE_ENDS = re.compile(r"\r\n?")
_TASK = re.compile(r"\[([ xX])\](?=\s|$)")
CELLS = ("th_open", "td_open")
SHORT_CELL = 16  # characters; such a cell is not broken into lines: 55.0 %
_ALIGNED = {
    "text-align:left": "at-start",
    "text-align:center": "at-center",
    "text-align:right": "at-end",
}


class TooMuch(ValueError):
    """A text that is nested too deeply or made to take long: it is shown as it was written."""


class BoundedInline(ParserInline):
    """The parser of a paragraph, with a limit of steps: brackets in brackets take their square."""

    def skipToken(self, state: StateInline) -> None:  # noqa: N802 - its name in markdown-it
        """Go over one token, and count it."""
        steps = state.env["steps"] = state.env.get("steps", 0) + 1
        if steps > MAX_STEPS:
            raise TooMuch
        super().skipToken(state)


def parser() -> MarkdownIt:
    """Return a new parser."""
    md = MarkdownIt("commonmark")
    md.inline = BoundedInline()
    md.configure("commonmark", options_update=OPTIONS).enable(["table", "strikethrough"])
    md.inline.ruler.at("backticks", code_span)
    for plugin in (
        table_plugin,
        footnote_plugin,
        definition_plugin,
        tag_plugin,
        formula_plugin,
        image_plugin,
    ):
        plugin(md)
    md.core.ruler.push("shape", _shape)
    md.core.ruler.push("marks", _mark)
    md.add_render_rule("fence", _code)
    md.add_render_rule("code_block", _code)
    md.add_render_rule("table_open", _table)
    md.add_render_rule("table_close", lambda *_: "</table></div>\n")
    md.add_render_rule(MARK, lambda self, tokens, idx, options, env: tokens[idx].content)
    return md


def tokens_of(md: MarkdownIt, text: str) -> list[Token] | None:
    """Return the tokens of a text; None if it is shown as it was written."""
    if len(text) > MAX_LENGTH:
        return None
    try:
        return md.parse(text, {})
    except TooMuch:
        return None


def blocks_of(md: MarkdownIt, text: str) -> list[Token]:
    """Return the blocks of a text of any length, without what is in their lines."""
    tokens: list[Token] = []
    md.block.parse(_LINE_ENDS.sub("\n", text).replace("\0", "\ufffd"), md, {}, tokens)
    return tokens


def _shape(state: StateCore) -> None:
    """Give blocks their direction, cells their alignment, and tasks their boxes."""
    before: list[Token] = [Token("", "", 0)] * 2
    for token in state.tokens:
        if token.level >= MAX_NESTING - 1:
            raise TooMuch
        if token.level == 0 and token.nesting > 0 and token.tag in BLOCKS:
            token.attrSet("dir", "auto")  # of each block its own; what is in it follows
        if style := token.attrs.pop("style", None):
            token.attrSet("class", _ALIGNED[str(style)])
        kinds = [other.type for other in before]
        if token.type == "inline" and kinds[1] in CELLS and len(token.content) <= SHORT_CELL:
            before[1].attrJoin("class", "short")
        if token.type == "inline" and kinds == ["list_item_open", "paragraph_open"]:
            _put_box(token.children or [])
        before = [before[1], token]


def _put_box(children: list[Token]) -> None:
    first = children[0] if children else None
    match = _TASK.match(first.content) if first and first.type == "text" else None
    if first is None or match is None:
        return
    box = Token(MARK, "", 0)
    box.content = f'<span class="task">{"☐" if match[1] == " " else "☑"}</span>'
    first.content = first.content[match.end() :]
    children.insert(0, box)


def _mark(state: StateCore) -> None:
    """Mark up pieces of the plain text: never in code, in a formula, in a link or in an image."""
    marks: Marks | None = state.env.get("marks")
    if marks is None:
        return
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = list(_with_marks(block.children, marks))


def _with_marks(children: list[Token], marks: Marks) -> Iterator[Token]:
    links = 0
    for token in children:
        links += token.nesting if token.tag == "a" else 0
        if token.type != "text" or links:
            yield token
            continue
        at, text = 0, token.content
        for start, end, html in marks(text):
            yield _text(text[at:start], token)
            mark = Token(MARK, "", 0)
            mark.content = html
            yield mark
            at = end
        yield _text(text[at:], token)


def _text(content: str, like: Token) -> Token:
    token = like.copy()
    token.content = content
    return token


def _code(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    token = tokens[idx]
    info = token.info.strip()
    language = f' data-language="{escapeHtml(info)}"' if info else ""
    name = info.split(maxsplit=1)[0] if info else ""
    return f"<pre{language}><code>{highlighted(token.content, name)}</code></pre>\n"


def _table(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    return f'<div class="wide"><table{self.renderAttrs(tokens[idx])}>\n'
