"""Addresses under which a link of this server opens, and its QR code. Only computes."""

from urllib.parse import urlsplit

import segno
from django.utils.safestring import mark_safe

from annotation.texts.sentences import marked

HOW_OTHERS_GET_IN = marked(
    "To share it, run Crowdwright on a server: copy .env.example to .env and fill it in, put the "
    "TLS certificate into tls, and run “docker compose up -d”."
)


def opens_here_alone(link: str) -> bool:
    """Return whether the address is one that every computer understands as itself."""
    host = urlsplit(link).hostname or ""
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")


def qr_code(text: str) -> str:
    """Return a QR code as SVG without style or script; its background is always white."""
    drawn = segno.make(text, error="m", micro=False)
    return mark_safe(drawn.svg_inline(omitsize=True, light="#fff", svgclass=None, lineclass=None))
