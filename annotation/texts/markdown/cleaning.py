"""The last wall: only these tags, attributes and addresses leave a rendered text.

A link leads to another site, in a new tab, and tells it nothing of the page, whose address holds
the worker's token. What would lead into our own site (a relative address, one of our hosts) is
shown as words: a judged text must not offer to withdraw.
"""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import nh3
from django.conf import settings
from django.http.request import validate_host
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from annotation.texts.markdown.code import CLASS_NAMES
from annotation.texts.markdown.parser import BLOCKS

TAGS = {
    "p", "br", "hr", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "blockquote",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a",
    "sup", "sub", "details", "summary", "span", "div", "img",
}  # fmt: skip
ATTRIBUTES = {
    **{tag: {"dir"} for tag in BLOCKS},
    "a": {"href", "target", "class", "id", "title"},
    "ol": {"dir", "start"},
    "ul": {"dir", "class"},
    "li": {"id", "class"},
    "th": {"class"},
    "td": {"class"},
    "sup": {"class"},
    "span": {"class", "data-formula"},
    "div": {"class"},
    "pre": {"class", "data-language"},
    "img": {"src", "alt", "width", "height", "loading", "title"},
}
CLASSES = CLASS_NAMES | {
    "at-start", "at-center", "at-end", "cited", "cites", "footnote-back", "footnote-label",
    "footnote-ref", "footnotes", "image-away", "short", "task", "wide", "as-written",
}  # fmt: skip
# Browsers read other spellings, too (https:/x, https:\\x, hosts with % or full-width letters), and
# not as Python does: such a link is none.
_ELSEWHERE = re.compile(r"https?://[a-z0-9.-]+(:\d+)?([/?#]|$)", re.IGNORECASE)
_ON_PAGE = re.compile(r"#(fn|fnref|passage|text)-[A-Za-z0-9-]+")
_ID = re.compile(r"(fn|fnref)-[A-Za-z0-9-]+")
_OUR_IMAGE = re.compile(r"/[A-Za-z0-9/_-]+/images/[0-9a-f]{64}/")


def cleaned(html: str) -> str:
    """Return the HTML without anything that could act."""
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=_kept,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )


def _kept(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "class":
        is_kept = CLASSES.issuperset(value.split())
    elif attribute == "href":
        is_kept = _ON_PAGE.fullmatch(value) is not None or leads_elsewhere(value)
    elif attribute == "id":
        is_kept = _ID.fullmatch(value) is not None
    elif attribute == "src":
        is_kept = _OUR_IMAGE.fullmatch(value) is not None
    else:
        is_kept = True
    return value if is_kept else None


def leads_elsewhere(address: str) -> bool:
    """Return whether an address is that of another site."""
    if not _ELSEWHERE.match(address):
        return False
    host = (urlsplit(address).hostname or "").rstrip(".")
    ours = [urlsplit(settings.PUBLIC_URL).hostname or "", *settings.ALLOWED_HOSTS]
    # With "*" any host may be ours, and PUBLIC_URL alone says which is.
    return not validate_host(host, [pattern for pattern in ours if pattern != "*"])


def link_opened(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    """Return the start of a link, without an address if it would lead into our own site."""
    address = str(tokens[idx].attrs.get("href", ""))
    title = str(tokens[idx].attrs.get("title", ""))
    hint = f' title="{escapeHtml(title)}"' if title else ""
    if not leads_elsewhere(address):
        return f"<a{hint}>"
    return f'<a href="{escapeHtml(address)}" target="_blank"{hint}>'
