"""Sealing and hashing of values that the database must not give away; the key is not in it.

The keys come from settings.PSEUDONYM_KEY, one for each purpose.
"""

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet
from django.conf import settings


def key_for(purpose: str, secret: str = "") -> bytes:
    """`secret` is another key than that of the settings: an old one (recruiting.rekeying)."""
    key = (secret or settings.PSEUDONYM_KEY).encode()
    return hmac.new(key, purpose.encode(), hashlib.sha256).digest()


def sealed(text: str, *, purpose: str) -> bytes:
    return _fernet(purpose).encrypt(text.encode())


def unsealed(data: bytes | memoryview, *, purpose: str, secret: str = "") -> str:
    """Decrypt data. Raises cryptography's InvalidToken with another key."""
    return _fernet(purpose, secret).decrypt(bytes(data)).decode()


def _fernet(purpose: str, secret: str = "") -> Fernet:
    return Fernet(base64.urlsafe_b64encode(key_for(purpose, secret)))


def token_hash(token: str) -> str:
    """Under what the assignment of a worker's address is found (SHA-256, hex).

    Without a key: 128 random bits cannot be tried out, and links go on working if the key is lost.
    """
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
