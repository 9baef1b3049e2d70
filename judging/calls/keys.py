"""Keys of endpoints: sealed in the database, or in the server's environment by host.

A key of the server is sent to its own host alone, at any address that a researcher types. No page,
log, export or error contains a key.
"""

from urllib.parse import urlsplit

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.utils.translation import gettext

from annotation.encryption import sealed, unsealed
from judging.calls.client import RefusedCall
from judging.models.calls import Asker

PURPOSE = "machine key"


def seal(key: str) -> bytes:
    return sealed(key, purpose=PURPOSE) if key else b""


def key_of(asker: Asker) -> str:
    """Return the key, empty for servers without one. Raises Refused."""
    if not asker.sealed_key:
        return key_of_server(asker.base_url)
    try:
        return unsealed(asker.sealed_key, purpose=PURPOSE)
    except InvalidToken as error:
        raise RefusedCall("key", gettext("Can't read the stored key. Enter it again.")) from error


def key_of_server(base_url: str) -> str:
    """Return the key in the environment for https:// addresses of this host."""
    parts = urlsplit(base_url)
    if parts.scheme != "https" and not settings.MACHINE_ENDPOINTS_INSIDE:
        return ""
    return str(settings.MACHINE_KEYS.get((parts.hostname or "").lower(), ""))
