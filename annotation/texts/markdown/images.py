"""Images in Markdown: those that came with the texts, and a box in the place of all others.

A remote image would tell a third party who is reading: it is never loaded. The box shows its
alternative text and the host of its address.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

_DATA = re.compile(r"data:image/[a-z0-9.+-]+;base64,", re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\]]*\]\(\s*<?(?P<address>[^\s)>]+)|!\[[^\]]*\]\[")


@dataclass(frozen=True)
class ShownImage:
    """An image of our own origin."""

    address: str
    width: int
    height: int


class Images(Protocol):
    """The images that came with the texts of a corpus."""

    def find(self, source: str) -> ShownImage | None:
        """Return the image that a text means by this address, or None."""


def image_plugin(md: MarkdownIt) -> None:
    """Render images by `env["images"]`."""
    md.add_render_rule("image", _html)


def embedded(source: str) -> bytes | None:
    """Return the bytes of an image in a data: address, or None."""
    match = _DATA.match(source)
    if match is None:
        return None
    try:
        return base64.b64decode(unquote(source[match.end() :]), validate=True)
    except (binascii.Error, ValueError):
        return None


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def name_of(source: str) -> str:
    """Return the name of a file beside the texts, as an address in a text has it; "" if remote."""
    try:
        parts = urlsplit(source)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc:
        return ""
    return "/".join(part for part in unquote(parts.path).split("/") if part not in ("", "."))


def host_of(source: str) -> str:
    """Return the host of a remote address, or an empty text."""
    try:
        return urlsplit(source).hostname or ""
    except ValueError:
        return ""


def _html(self: Any, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
    token = tokens[idx]
    source, title = str(token.attrs.get("src", "")), str(token.attrs.get("title", ""))
    words = token.content  # as written: formulas and code in it are words, too
    images: Images | None = env.get("images")
    image = images.find(source) if images else None
    if image is not None:
        size = f'width="{image.width}" height="{image.height}" loading="lazy"'
        hint = f' title="{escapeHtml(title)}"' if title else ""
        return f'<img src="{image.address}" alt="{escapeHtml(words)}" {size}{hint}>'
    origin = host_of(source) or name_of(source)
    parts = [f"<span>{escapeHtml(part)}</span>" for part in (words, title, origin) if part]
    return f'<span class="image-away">{" ".join(parts)}</span>'


def image_addresses(text: str) -> list[str]:
    """Return the addresses of the images in a text; of a reference, an empty one."""
    return [match["address"] or "" for match in _IMAGE.finditer(text)] if "![" in text else []
