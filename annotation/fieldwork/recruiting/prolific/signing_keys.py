"""The public keys with which Prolific signs its links.

A worker process fetches them and keeps them in the shared cache; a request only reads what is
there. Anybody can invent the id of a key: an id that is not known asks for a fetch, at most once a
minute, and is answered at once. While Prolific does not answer, the last keys stay in use.
"""

import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import shared_task
from django.core.cache import cache
from jwt import PyJWK, PyJWKError

from annotation import jobs
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.jobs import CALLS, GRACE
from annotation.models import Batch, Study

log = structlog.get_logger(__name__)
PUBLISHED, WANTED = "prolific-keys", "prolific-keys-wanted"  # in the shared cache
FRESH = 3600.0  # seconds in which a set is not fetched again by itself
REREAD = 60.0  # seconds after which a process looks into the cache again
PAUSE = 60.0  # seconds between two fetches that unknown ids ask for


class Keys:
    """Public keys by their id, as this process knows them.

    `load` returns the set that was fetched last (RFC 7517), None where there is none; `want` asks
    for another fetch.
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
        """Return the key with this id; None where none is known yet."""
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
        str(each["kid"]): PyJWK(each, algorithm="RS256").key
        for each in published["keys"]
        if each.get("kty") == "RSA" and each.get("use", "sig") == "sig"
    }


def fetch() -> None:
    """Ask Prolific for its keys and keep them for all processes."""
    try:
        published = client_for_settings().jwks()
        _parsed(published)
    except (calls.CallRefused, calls.OutcomeUnknown, PyJWKError, KeyError, TypeError) as error:
        log.error("the keys of Prolific cannot be fetched", error=str(error))
        return
    kept = {"keys": published["keys"], "fetched_at": time.time()}
    cache.set(PUBLISHED, kept, timeout=None)


def fetch_due() -> None:
    """Fetch the keys where a running study needs them and they are missing or an hour old."""
    kept = cache.get(PUBLISHED)
    if kept is not None and time.time() - kept["fetched_at"] < FRESH:
        return
    running = Batch.objects.filter(state__in=Batch.RUNNING).values("study")
    if Study.objects.filter(signed_links=True, pk__in=running).exists():
        fetch()


def _want() -> None:
    """Have a worker process fetch the keys, once a minute on all servers together."""
    if cache.add(WANTED, True, timeout=PAUSE):
        jobs.send(fetch_prolific_keys)


@shared_task(
    name="annotation.tasks.fetch_prolific_keys", soft_time_limit=CALLS, time_limit=CALLS + GRACE
)
def fetch_prolific_keys() -> None:
    """Fetch the public keys that sign Prolific's links. Done twice, it is done once."""
    fetch()


keys = Keys(lambda: cache.get(PUBLISHED), want=_want)
