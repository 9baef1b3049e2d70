"""Heartbeat of jobs on database rows."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import structlog
from django.db import DatabaseError, connection
from django.db.models import QuerySet

from annotation.clock import database_now

log = structlog.get_logger(__name__)

HEARTBEAT = timedelta(seconds=5)
STALE = timedelta(seconds=30)  # six missed heartbeats: whoever had the row is gone


@contextmanager
def heartbeat(rows: "QuerySet[Any]") -> Iterator[None]:
    """Touch the rows every few seconds, so that no other worker takes them for abandoned."""
    done = threading.Event()

    def beat() -> None:
        has_connected = False  # most steps end before the first beat
        try:
            while not done.wait(HEARTBEAT.total_seconds()):
                has_connected = True
                try:
                    rows.update(touched_at=database_now())
                except DatabaseError as error:  # it may be back at the next beat
                    log.warning("heartbeat missed", rows=rows.model.__name__, error=repr(error))
                    connection.close()
        finally:
            if has_connected:
                connection.close()

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
