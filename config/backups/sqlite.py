"""Copy of a SQLite database with SQLite's own backup, which is of one moment."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection as ours

from config.backups import BackupFailed, digests
from config.backups.contents import FRESH, HOLDS, Contents
from config.backups.digests import TableDigest

PATIENCE = 30.0  # seconds for a lock


def dump(file: Path) -> Contents:
    """Copy the database; counts and digests are of the copy."""
    with _opened(_path()) as source, _opened(file) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # all in one file
        return Contents.of(copy.execute, digests.of_sqlite(copy))


def load(file: Path, expected: dict[str, TableDigest], *, put_files: Callable[[], None]) -> None:
    """Replace an empty database by a copy, in one transaction.

    `put_files` runs last, before the copy. Raises BackupFailed, which leaves all as it was.
    """
    with _opened(file) as copy:
        if difference := digests.difference(expected, digests.of_sqlite(copy)):
            raise BackupFailed(f"The restored data differ ({difference}). Nothing was changed.")
        for table, statement in HOLDS.items():
            if table in expected:
                copy.execute(statement)
        copy.commit()
        require_empty()
        put_files()
        ours.close()
        with _opened(_path()) as target:
            copy.backup(target)


def require_empty() -> None:
    """Raise BackupFailed if the database has data."""
    with _opened(_path()) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for table in sorted({name for (name,) in tables if not name.startswith("sqlite_")} - FRESH):
            if connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone():
                raise BackupFailed(
                    f"This installation has data ({table}). Restore into an empty one."
                )


def _path() -> Path:
    return Path(str(ours.settings_dict["NAME"]))


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, timeout=PATIENCE)
    try:
        yield connection
    except sqlite3.Error as error:
        raise BackupFailed(f"SQLite refused, and nothing was changed: {error}") from error
    finally:
        connection.close()
