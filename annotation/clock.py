"""Time of the database: the only clock by which hosts store times and decide on stored ones.

A host whose clock is wrong would declare the work of another one dead, or expire places early. A
process reads the time of PostgreSQL twice a minute and counts on from there with the seconds since
its machine started, which no correction of a clock changes. An SQLite file has one host.
"""

import time
from datetime import UTC, datetime, timedelta

from django.db import Error, connection
from django.utils import timezone

SINCE_START = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # macOS has the second alone
READ_AGAIN = 30.0  # seconds

_reading: tuple[float, datetime] | None = None  # seconds since the start, and the time then


def database_now() -> datetime:
    """Return the time of the database, within milliseconds."""
    if connection.vendor == "sqlite":
        return timezone.now()  # noqa: TID251
    global _reading  # of this process; replaced as a whole, so threads need no lock
    reading, elapsed = _reading, time.clock_gettime(SINCE_START)
    if reading is None or elapsed - reading[0] > READ_AGAIN:
        try:
            reading = _reading = (elapsed, _read())
        except Error:  # the caller's next query reports it
            if reading is None:
                raise
    return reading[1] + timedelta(seconds=elapsed - reading[0])


def _read() -> datetime:
    """Ask without a queryset: pages count theirs, and the answer must not be a transaction's."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        row = connection.connection.execute("SELECT clock_timestamp()").fetchone()
    moment: datetime = row[0]
    return moment.astimezone(UTC)
