"""Errors by which a database says that it is away, as opposed to a query that is wrong."""

from django.db import InterfaceError, OperationalError

# Classes of PostgreSQL: connection, resources (such as connections or its disk), shutdown.
POSTGRES = ("08", "53", "57P", "25006")  # the last: a standby, before it becomes the primary
SQLITE = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_FULL")


def is_outage(error: BaseException | None) -> bool:
    """Return whether the same request may succeed as soon as the database is back."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    if name := getattr(cause, "sqlite_errorname", ""):
        return str(name).startswith(SQLITE)
    # psycopg has no code for a connection that fails or breaks off.
    code = getattr(cause, "sqlstate", None)
    return code is None or code.startswith(POSTGRES)
