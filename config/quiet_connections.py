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
from django.db import connection
from django.dispatch import receiver

TRUSTED_SECONDS = 60  # since the last request on a connection; firewalls wait for minutes


@receiver(request_started)
def trust_quiet(**_: Any) -> None:
    """Skip the query of the check on a quiet connection; runs after Django's own receiver."""
    link = connection.connection
    if connection.vendor != "postgresql" or link is None:
        return
    now = time.monotonic()
    is_recent = now - getattr(link, "last_request", -TRUSTED_SECONDS) < TRUSTED_SECONDS
    link.last_request = now
    if is_recent and is_quiet():
        connection.health_check_done = True  # type: ignore[attr-defined]  # the stubs lack it


def is_quiet() -> bool:
    """Return whether the open connection has nothing to read, not even its end."""
    link = connection.connection
    if link.closed:
        return False
    poller = select.poll()
    poller.register(link.fileno(), select.POLLIN)
    return not poller.poll(0)
