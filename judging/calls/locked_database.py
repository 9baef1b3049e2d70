"""Patience with a database that somebody else has locked.

SQLite knows one writer at a time: while a long import writes, a write waits as long as the setting
allows, and then fails. Calls that are on their way then have been paid for, and their answers would
be lost: so it is tried again, for a while. PostgreSQL says nothing like it.
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
    """Do it, and again while the database is locked by another. `write` begins with its
    transaction, so that nothing was done where that is refused."""
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
