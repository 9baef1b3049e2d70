"""What a page costs: how long the server computes, its queries, its size as it is sent.

Seconds are those that this process and its connection to the database compute, so that others on
the machine do not count.
"""

import gzip
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

TRIES = 3
MOST_BYTES = 300_000  # promised of every page, on the imported corpus


@dataclass(frozen=True)
class Cost:
    """`seconds` is one figure of several tries, usually the least: the rest is other load."""

    seconds: float
    queries: int
    sent: int  # bytes


def cost_of(
    ask: Callable[[], HttpResponse],
    *,
    before: Callable[[], object] = lambda: None,
    of: Callable[[list[float]], float] = min,
) -> Cost:
    """Return the cost of an answer on a warm server.

    `before` runs uncounted before each try, and `of` summarises the tries.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # all in one process, whose seconds are known
            cursor.execute("SET max_parallel_workers_per_gather = 0")
    before()
    with CaptureQueriesContext(connection) as captured:
        answer = ask()
    queries = len(captured)  # now: a client's next request forgets them
    took = []
    for _ in range(TRIES):
        before()
        began = computed()
        ask()
        took.append(computed() - began)
    return Cost(of(took), queries, len(gzip.compress(answer.content)))


def computed() -> float:
    """Seconds that this process and its connection to the database have computed so far."""
    own = time.process_time()
    if connection.vendor != "postgresql":
        return own
    connection.ensure_connection()
    schedule = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return own + int(schedule.split()[0]) / 1e9


def answer_to(path: str) -> HttpResponse:
    """Return the page as its view answers somebody who may see all.

    To log in would write a session.
    """
    request = RequestFactory().get(path)
    request.user = User(username="rita", is_superuser=True)
    request.resolver_match = resolve(request.path)
    view, args, kwargs = request.resolver_match
    answer = view(request, *args, **kwargs)
    assert answer.status_code == 200, path
    return answer
