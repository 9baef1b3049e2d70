"""The public keys with which Prolific signs its links, as this process knows them.

Asked for once a day, and when a token names a key that is not among them, as after a change of
keys; at most once a minute then, since anybody can name a key. While Prolific does not answer, the
keys that we have go on.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

import structlog
from jwt import PyJWK, PyJWKError

from annotation.recruiting import calls
from annotation.recruiting.prolific.client import client_for_settings

log = structlog.get_logger(__name__)
DAY = 24 * 3600.0
PAUSE = 60.0  # seconds between two questions


class Keys:
    """Public keys by their id; `ask` gets the set as published (RFC 7517)."""

    def __init__(self, ask: Callable[[], dict[str, Any]]) -> None:
        self.ask, self.lock = ask, threading.Lock()
        self.known: dict[str, Any] = {}
        self.fetched_at = self.asked_at = float("-inf")

    def __call__(self, kid: str) -> Any:
        """The key with this id; None where there is none."""
        with self.lock:
            now = time.monotonic()
            is_due = kid not in self.known or now - self.fetched_at > DAY
            if is_due and now - self.asked_at > PAUSE:
                self.asked_at = now
                self._fetch(now)
            return self.known.get(kid)

    def _fetch(self, now: float) -> None:
        try:
            published = self.ask()["keys"]
            self.known = {
                str(each["kid"]): PyJWK(each, algorithm="RS256").key
                for each in published
                if each.get("kty") == "RSA" and each.get("use", "sig") == "sig"
            }
        except (calls.Refused, calls.Unknown, PyJWKError, KeyError, TypeError) as error:
            log.error("the keys of Prolific cannot be read", error=str(error))
        else:
            self.fetched_at = now


keys = Keys(lambda: client_for_settings().jwks())
