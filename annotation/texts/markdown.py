"""Markdown to safe HTML. Texts come from anywhere: nothing in them may act.

A link leads to another site, in a new tab, and tells it nothing of the page, whose address holds
the worker's token. What would lead into our own site (a relative address, one of our hosts) is
shown as words: a judged text must not offer to withdraw.
"""

import re
from functools import lru_cache
from urllib.parse import urlsplit

import nh3
from django.conf import settings
from django.http.request import validate_host
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

TAGS = {
    "p", "br", "hr", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "blockquote",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip  # no images: they would tell a third party who is reading

MOST_REMEMBERED = 10_000  # characters; the cache holds 2,048 texts, each shown to several workers

# Browsers read other spellings, too (https:/x, https:\\x, hosts with % or full-width letters), and
# not as Python does: such a link is none.
_ELSEWHERE = re.compile(r"https?://[a-z0-9.-]+(:\d+)?([/?#]|$)", re.IGNORECASE)

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
        attribute_filter=_kept,
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # cleaned in the line above


def _kept(tag: str, attribute: str, value: str) -> str | None:
    return value if attribute != "href" or _leads_elsewhere(value) else None


def _leads_elsewhere(address: str) -> bool:
    if not _ELSEWHERE.match(address):
        return False
    host = (urlsplit(address).hostname or "").rstrip(".")
    ours = [urlsplit(settings.PUBLIC_URL).hostname or "", *settings.ALLOWED_HOSTS]
    # With "*" any host may be ours, and PUBLIC_URL alone says which is.
    return not validate_host(host, [pattern for pattern in ours if pattern != "*"])


_remembered = lru_cache(maxsize=2048)(_rendered)
