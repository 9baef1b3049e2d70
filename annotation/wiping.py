"""Removing erased data from the file and the write-ahead log of an embedded database.

SQLite zeroes what it deletes (`secure_delete` in the settings), but it leaves copies where it had
moved a row to another page before, and its write-ahead log keeps old pages until it is truncated.
A marker notes each erasure; the sweep then rebuilds the file. PostgreSQL manages its own files.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

from annotation.models import Erasure

PATIENCE = 0.2  # seconds to wait for other connections; a page that saves waits no longer
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def mark_erasure() -> None:
    """Note, in the transaction that erases, that data must leave the database file."""
    if connection.vendor == "sqlite":
        Erasure.objects.create()


def wipe() -> bool:
    """Remove erased data from SQLite's file and log; return whether all of it is gone.

    Rebuild the file if anything was erased since the last time, and truncate the log in any case.
    While other connections are busy it does nothing: the next sweep tries again.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return False
    last = Erasure.objects.order_by("-pk").values_list("pk", flat=True).first()
    with _impatient() as cursor:
        if last is not None:
            if not _rebuilt(cursor):
                return False
            Erasure.objects.filter(pk__lte=last).delete()
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (busy, *_) = cursor.fetchone()
    return not busy


def _rebuilt(cursor: CursorWrapper) -> bool:
    try:
        cursor.execute("VACUUM")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) not in LOCKED:
            raise
        return False
    return True


@contextmanager
def _impatient() -> Iterator[CursorWrapper]:
    """Wait only shortly for other connections, and rebuild in a file rather than in memory."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute("PRAGMA temp_store")
        (store,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout={int(PATIENCE * 1000)}")
        cursor.execute("PRAGMA temp_store=FILE")
        try:
            yield cursor
        finally:
            cursor.execute(f"PRAGMA busy_timeout={int(usual)}")
            cursor.execute(f"PRAGMA temp_store={int(store)}")
