"""Health checks of database connections without a query.

Django sends `SELECT 1` before the first query of each request, to find connections that PostgreSQL
(or pgbouncer) has closed. A closed connection can also be told by its socket: there is something to
read, its end. A firewall may drop a connection that nobody used for minutes without such an end.
For sockets with something to read, or unused for long, Django's own check stays.
"""

import select
import time
from typing import Any

from django.core.signals import request_started
from django.db import DEFAULT_DB_ALIAS, connections
from django.dispatch import receiver

TRUSTED_SECONDS = 60  # since the last request on a connection; firewalls wait for minutes


@receiver(request_started)
def trust_quiet(**_: Any) -> None:
    """Skip the query of the check on a quiet connection; runs after Django's own receiver."""
    own: Any = connections[DEFAULT_DB_ALIAS]
    if own.vendor != "postgresql" or own.connection is None:
        return
    if _is_quiet(own.connection):
        own.health_check_done = True
    own.connection.last_request = time.monotonic()


def is_ready() -> bool:
    """Return whether this thread's connection serves a request that Django knows nothing of.

    Django would open it, close it for its age or after an error, or send a query to check it.
    """
    own: Any = connections[DEFAULT_DB_ALIAS]
    link, now = own.connection, time.monotonic()
    if (
        link is None
        or own.errors_occurred
        or own.in_atomic_block
        or own.queries_logged
        or (own.close_at is not None and now >= own.close_at)
    ):
        return False
    if own.vendor == "postgresql":
        # Its socket isn't looked at: a save that fails is repeated with Django's own handling.
        if link.closed or not _is_recent(link):
            return False
        own.health_check_done = True
        link.last_request = now
    return True


def _is_quiet(link: Any) -> bool:
    """Return whether a recently used connection has nothing to read, not even its end."""
    if link.closed or not _is_recent(link):
        return False
    poller = select.poll()
    poller.register(link.fileno(), select.POLLIN)
    return not poller.poll(0)


def _is_recent(link: Any) -> bool:
    unused = time.monotonic() - getattr(link, "last_request", -TRUSTED_SECONDS)
    return unused < TRUSTED_SECONDS
