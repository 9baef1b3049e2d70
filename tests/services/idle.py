"""Our WSGI application, which also says when it does nothing: for a server that many tests ask."""

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings

from annotation import jobs
from config.wsgi import application
from tests.services.web import BROKER_PATIENCE, BROKER_PAUSE, IDLE

# As in the tests' own process: else whoever logs in first waits until the password is hashed anew.
settings.PASSWORD_HASHERS = ["tests.hashing.QuickHasher"]
# A job that a busy machine's broker did not take within a second waits for the sweep, which no
# clock starts here.
jobs.PATIENCE = float(os.environ.get(BROKER_PATIENCE, jobs.PATIENCE))
jobs.PAUSE = float(os.environ.get(BROKER_PAUSE, jobs.PAUSE))
PATIENCE = 10.0  # seconds

under_way = 0
changed = threading.Condition()


def counted(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer `IDLE` when all other requests are answered, and the others as always."""
    if environ["PATH_INFO"] == IDLE:
        with changed:
            idle = changed.wait_for(lambda: under_way == 0, timeout=PATIENCE)
        start_response("204 No Content" if idle else "503 Service Unavailable", [])
        return []
    _count(1)
    try:
        return application(environ, start_response)
    finally:
        _count(-1)


def _count(by: int) -> None:
    global under_way
    with changed:
        under_way += by
        changed.notify_all()
