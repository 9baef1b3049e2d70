"""Images in Markdown: those that came with the texts, and a box in the place of all others.

A remote image would tell a third party who is reading: it is never loaded. The box shows its
alternative text and the host of its address.
"""

import base64
import binascii
import hashlib
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

EMBEDDED = "embedded-"  # and the digest: what the parser reads for a data: address
_DATA = re.compile(r"data:image/[a-z0-9.+-]+;base64,", re.IGNORECASE)
_WHOLE = re.compile(r"data:image/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=%]*", re.IGNORECASE)
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


class ShortenedText(NamedTuple):
    """A text with short addresses for its data: addresses.

    originals: what each is short for. ends: for each in the order of the text where it ends, and
    how many characters were removed up to there.
    """

    text: str
    originals: dict[str, str]
    ends: list[tuple[int, int]]

    def original_place(self, place: int) -> int:
        """Return the place in the text as it came."""
        index = bisect_right(self.ends, place, key=lambda end: end[0])
        return place + (self.ends[index - 1][1] if index else 0)


def shortened(text: str) -> ShortenedText:
    """Return a text with short addresses for its data: addresses.

    The parser reads addresses letter by letter; those of images may have millions.
    """
    if "data:image/" not in text:
        return ShortenedText(text, {}, [])
    originals: dict[str, str] = {}
    ends: list[tuple[int, int]] = []

    def short(match: re.Match[str]) -> str:
        content = embedded(match[0])
        if content is None:
            return match[0]
        name = f"{EMBEDDED}{digest_of(content)}"
        originals[name] = match[0]
        removed = (ends[-1][1] if ends else 0) + len(match[0]) - len(name)
        ends.append((match.end() - removed, removed))
        return name

    return ShortenedText(_WHOLE.sub(short, text), originals, ends)


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
    return "/".join(part for part in unquote(parts.path).split("/") if part not in ("", ".", ".."))


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
    origin = "" if source.startswith(EMBEDDED) else host_of(source) or name_of(source)
    parts = [f"<span>{escapeHtml(part)}</span>" for part in (words, title, origin) if part]
    return f'<span class="image-away">{" ".join(parts)}</span>'


def image_addresses(text: str) -> list[str]:
    """Return the addresses of the images in a text; of a reference, an empty one."""
    return [match["address"] or "" for match in _IMAGE.finditer(text)] if "![" in text else []
