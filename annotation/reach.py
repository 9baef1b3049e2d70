"""From where a link of this server can be opened, and its picture for a phone. Only computes."""

from urllib.parse import urlsplit

import segno
from django.utils.safestring import mark_safe


def opens_here_alone(link: str) -> bool:
    """Whether the address is one that every computer understands as itself."""
    host = urlsplit(link).hostname or ""
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")


def qr_code(text: str) -> str:
    """An SVG without style or script; its ground is white in a dark page too."""
    drawn = segno.make(text, error="m", micro=False)
    return mark_safe(drawn.svg_inline(omitsize=True, light="#fff", svgclass=None, lineclass=None))
