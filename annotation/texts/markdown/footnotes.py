"""Footnotes of Markdown: `[^1]` and `[^1]: text`. No text is lost.

The definitions move to the end. One that nothing refers to, or that repeats a label, is shown as
well. The labels are those of the text: a worker who reads `[^3]` finds 3.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def, footnote_ref


def footnote_plugin(md: MarkdownIt) -> None:
    """Add the rules to a parser; `env["name"]` makes the ids those of one text on a page."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference"]}
    md.block.ruler.before("reference", "footnote_def", footnote_def, alternatives)
    md.inline.ruler.after("image", "footnote_ref", footnote_ref)
    md.core.ruler.after("inline", "footnotes", _move_to_end)
    md.add_render_rule("footnote_ref", _reference)
    md.add_render_rule("footnote_open", _opened)
    md.add_render_rule("footnote_back", _back)


def _move_to_end(state: StateCore) -> None:
    if "footnotes" not in state.env:
        return
    kept: list[Token] = []
    definitions: list[tuple[str, list[Token]]] = []
    open_definitions: list[list[Token]] = [kept]
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            definitions.append((token.meta["label"], []))
            open_definitions.append(definitions[-1][1])
        elif token.type == "footnote_reference_close":
            open_definitions.pop()
        else:
            open_definitions[-1].append(token)
    state.tokens = kept
    if definitions:
        kept += _list(definitions, state.env["footnotes"]["list"])


def _list(
    definitions: list[tuple[str, list[Token]]], references: dict[int, dict[str, Any]]
) -> Iterable[Token]:
    """Yield the list of footnotes: first those that are referred to, in the order of the text."""
    numbers = {data["label"]: number for number, data in references.items()}
    first: dict[str, int] = {}
    for position, (label, _) in enumerate(definitions):
        first.setdefault(label, position)
    leads = {position: numbers[label] for label, position in first.items() if label in numbers}
    order = sorted(range(len(definitions)), key=lambda n: (leads.get(n, len(numbers)), n))
    yield _block_token("footnotes_open", "ul", 1, {"class": "footnotes"})
    for position in order:
        label, tokens = definitions[position]
        item = _block_token("footnote_open", "li", 1)
        item.meta = {"id": leads.get(position), "label": label}
        yield item
        yield from tokens
        if position in leads:
            back = Token("footnote_back", "", 0)
            back.meta = item.meta
            yield back
        yield _block_token("footnote_close", "li", -1)
    yield _block_token("footnotes_close", "ul", -1)


def _block_token(kind: str, tag: str, nesting: Any, attrs: dict[str, Any] | None = None) -> Token:
    return Token(kind, tag, nesting, attrs=attrs or {}, block=True)


def _id(env: Any, number: int) -> str:
    return f"{env.get('name') or 'text'}-{number + 1}"


def _reference(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    meta = tokens[idx].meta
    name = _id(env, meta["id"])
    mark = "" if meta["subId"] else f' id="fnref-{name}"'
    label = escapeHtml(meta["label"])
    return f'<sup class="footnote-ref"><a href="#fn-{name}"{mark}>{label}</a></sup>'


def _opened(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    meta = tokens[idx].meta
    mark = "" if meta["id"] is None else f' id="fn-{_id(env, meta["id"])}"'
    return f'<li{mark}><span class="footnote-label">{escapeHtml(meta["label"])}</span>\n'


def _back(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    meta = tokens[idx].meta
    return f'<a href="#fnref-{_id(env, meta["id"])}" class="footnote-back">↩\ufe0e</a>'
