"""The public keys of Prolific's signed links.

A worker process fetches them into the shared cache; a request only reads. An unknown key ID, which
anybody can invent, asks for a fetch at most once a minute. Without an answer of Prolific the last
keys stay in use.
"""

import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import shared_task
from django.core.cache import cache
from jwt import PyJWK, PyJWKError

from annotation import jobs
from annotation.clock import database_now
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.jobs import CALLS_LIMIT, GRACE
from annotation.models import Batch, Study

log = structlog.get_logger(__name__)
PUBLISHED, WANTED = "prolific-keys", "prolific-keys-wanted"  # in the shared cache
FRESH = 3600.0  # seconds in which a set is not fetched again by itself
REREAD = 60.0  # seconds after which a process looks into the cache again
PAUSE = 60.0  # seconds between two fetches that unknown ids ask for


class Keys:
    """Public keys by ID, as this process knows them.

    `load` returns the last set (RFC 7517) or None; `want` asks for another fetch.
    """

    def __init__(
        self,
        load: Callable[[], dict[str, Any] | None],
        want: Callable[[], object] = lambda: None,
    ) -> None:
        self.load, self.want = load, want
        self.known: dict[str, Any] = {}
        self.read_at = self.wanted_at = float("-inf")

    def __call__(self, kid: str) -> Any:
        """Return the key with this ID; None where none is known yet."""
        now = time.monotonic()
        if kid not in self.known or now - self.read_at > REREAD:
            self._read(now)
        if kid not in self.known and now - self.wanted_at > PAUSE:
            self.wanted_at = now
            self.want()
        return self.known.get(kid)

    def _read(self, now: float) -> None:
        self.read_at = now
        published = self.load()
        if published is None:
            return
        try:
            self.known = _parsed(published)
        except (PyJWKError, KeyError, TypeError) as error:
            log.error("the keys of Prolific cannot be read", error=str(error))


def _parsed(published: dict[str, Any]) -> dict[str, Any]:
    return {
        str(entry["kid"]): PyJWK(entry, algorithm="RS256").key
        for entry in published["keys"]
        if entry.get("kty") == "RSA" and entry.get("use", "sig") == "sig"
    }


def fetch() -> None:
    """Fetch Prolific's keys for all processes."""
    try:
        published = client_for_settings().jwks()
        _parsed(published)
    except (calls.CallRefused, calls.OutcomeUnknown, PyJWKError, KeyError, TypeError) as error:
        log.error("the keys of Prolific cannot be fetched", error=str(error))
        return
    stored = {"keys": published["keys"], "fetched_at": database_now().timestamp()}
    cache.set(PUBLISHED, stored, timeout=None)


def fetch_due() -> None:
    """Fetch the keys if a running study needs them and they are missing or an hour old."""
    stored = cache.get(PUBLISHED)
    if stored is not None and database_now().timestamp() - stored["fetched_at"] < FRESH:
        return
    running = Batch.objects.filter(state__in=Batch.RUNNING).values("study")
    if Study.objects.filter(signed_links=True, pk__in=running).exists():
        fetch()


def _want() -> None:
    """Send the task of fetching the keys, at most once a minute on all servers together."""
    if cache.add(WANTED, True, timeout=PAUSE):
        jobs.send(fetch_prolific_keys)


@shared_task(
    name="annotation.tasks.fetch_prolific_keys",
    soft_time_limit=CALLS_LIMIT,
    time_limit=CALLS_LIMIT + GRACE,
)
def fetch_prolific_keys() -> None:
    """Fetch the public keys of Prolific's signed links."""
    fetch()


keys = Keys(lambda: cache.get(PUBLISHED), want=_want)
