"""Definitions of links: `[1]: https://example.org "title"`. No text is lost.

A definition that no link refers to is shown as it was written, and so is one that repeats a label.
A link that is a number alone keeps its brackets: `[1]` is read as a citation.
"""

from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

DEFINITION = "definition"


def definition_plugin(md: MarkdownIt) -> None:
    """Replace the rule of definitions in a parser, which stores the labels of links."""
    md.block.ruler.at("reference", _definition)
    md.core.ruler.after("inline", DEFINITION, _show_unused)


def _definition(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    labels = state.env.setdefault("references", {})
    count = len(labels)
    if not reference(state, start_line, end_line, silent):
        return False
    if not silent:
        token = state.push(DEFINITION, "", 0)
        token.content = state.getLines(start_line, state.line, state.blkIndent, False).strip()
        token.map = [start_line, state.line]
        token.meta["label"] = next(reversed(labels)) if len(labels) > count else None
    return True


def _show_unused(state: StateCore) -> None:
    if not any(token.type == DEFINITION for token in state.tokens):
        return
    for token in state.tokens:
        _keep_brackets(token.children or [])
    used = {
        child.meta["label"]
        for token in state.tokens
        for child in token.children or ()
        if "label" in child.meta and child.type in ("link_open", "image")
    }
    state.tokens = list(_without(state.tokens, used))


def _keep_brackets(children: list[Token]) -> None:
    for link, words in pairwise(children):
        label = link.meta.get("label", "") if link.type == "link_open" else ""
        if label.isdecimal() and words.type == "text" and words.content == label:
            words.content = f"[{label}]"


def _without(tokens: list[Token], used: set[str]) -> Iterator[Token]:
    """Yield the tokens; unused definitions that follow each other are lines of a paragraph."""
    unused: list[Token] = []
    for token in tokens:
        if token.type == DEFINITION:
            if token.meta["label"] not in used:
                unused.append(token)
            continue
        yield from _paragraph(unused)
        unused = []
        yield token
    yield from _paragraph(unused)


def _paragraph(definitions: list[Token]) -> Iterator[Token]:
    if not definitions:
        return
    first, last = definitions[0], definitions[-1]
    level = first.level
    assert first.map is not None
    assert last.map is not None
    words = Token("inline", "", 0, level=level + 1, block=True, map=[first.map[0], last.map[1]])
    words.content = "\n".join(token.content for token in definitions)
    words.children = []
    for line in words.content.split("\n"):
        if words.children:
            words.children.append(Token("softbreak", "br", 0))
        words.children.append(Token("text", "", 0, content=line.strip()))
    yield Token("paragraph_open", "p", 1, level=level, block=True)
    yield words
    yield Token("paragraph_close", "p", -1, level=level, block=True)
