"""Markdown to safe HTML. Texts come from anywhere: nothing in them may act."""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = {
    "p", "br", "hr", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "blockquote",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip  # no images: they would tell a third party who is reading

MOST_REMEMBERED = 10_000  # characters; the cache holds 2,048 texts, each shown to several workers

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(
    ["table", "strikethrough"]
)


def rendered(text: str) -> SafeString:
    """Sanitised HTML of a Markdown text; raw HTML in it is shown as text."""
    return _remembered(text) if len(text) < MOST_REMEMBERED else _rendered(text)


def _rendered(text: str) -> SafeString:
    html = nh3.clean(
        _markdown.render(text),
        tags=TAGS,
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # cleaned in the line above


_remembered = lru_cache(maxsize=2048)(_rendered)
