"""Retries of writes while another process locks the database.

SQLite has one writer at a time: during a long import a write waits as long as the setting allows,
and then fails. Sent calls have been paid for, and their answers would be lost, so the write is
repeated for a while. PostgreSQL has no such error.
"""

import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import structlog
from django.db import OperationalError

log = structlog.get_logger(__name__)

LONGEST = 900.0  # seconds
FIRST, MOST = 0.1, 5.0  # seconds between two tries
Given = ParamSpec("Given")
Found = TypeVar("Found")


def patiently(write: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
    """Call `write`, again while the database is locked. `write` begins with its transaction."""
    until, pause = time.monotonic() + LONGEST, FIRST
    while True:
        try:
            return write(*given, **named)
        except OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= until:
                raise
        log.info("the database is locked: a write of calls waits", seconds=pause)
        time.sleep(pause)
        pause = min(2 * pause, MOST)
