"""From where a link of this server can be opened, and its picture for a phone. Only computes."""

from urllib.parse import urlsplit

import segno
from django.utils.safestring import mark_safe

from annotation.texts.sentences import marked

HOW_OTHERS_GET_IN = marked(
    "For others, run Crowdwright on a server with a name of its own, by Docker: write .env as "
    ".env.example says, put the certificate of the name into the folder tls, and type “docker "
    "compose up -d”."
)


def opens_here_alone(link: str) -> bool:
    """Return whether the address is one that every computer understands as itself."""
    host = urlsplit(link).hostname or ""
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")


def qr_code(text: str) -> str:
    """Return a QR code as SVG without style or script; its background is always white."""
    drawn = segno.make(text, error="m", micro=False)
    return mark_safe(drawn.svg_inline(omitsize=True, light="#fff", svgclass=None, lineclass=None))
