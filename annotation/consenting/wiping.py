"""What was erased leaves the files of an embedded database, too.

SQLite overwrites what is deleted (`secure_delete` in the settings), but its log of writes keeps
the pages as they were until it is begun again. PostgreSQL looks after its files by itself.
"""

from datetime import datetime, timedelta

from django.db import connection

from annotation.models import Assignment

LATELY = timedelta(days=1)
PATIENCE = 0.2  # seconds: a page that saves waits no longer for this


def wipe(*, now: datetime) -> bool:
    """Begin SQLite's log again where somebody has withdrawn lately; whether that was done.

    Where others read just now it is left for the next time.
    """
    gone = Assignment.objects.filter(state=Assignment.State.WITHDRAWN, ended_at__gt=now - LATELY)
    if connection.vendor != "sqlite" or connection.in_atomic_block or not gone.exists():
        return False
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        try:
            cursor.execute(f"PRAGMA busy_timeout={int(PATIENCE * 1000)}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (busy, *_) = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout={int(usual)}")
    return not busy
