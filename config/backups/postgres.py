"""Dump and load of a PostgreSQL database, with its own programs."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import psycopg
from django.db import connection as ours
from psycopg import sql
from psycopg.conninfo import make_conninfo

from config.backups import BackupFailed, digests
from config.backups.contents import FRESH, HOLDS, Contents
from config.backups.digests import TableDigest
from config.processes import dies_with_parent

NOT_OURS = ("--no-owner", "--no-privileges", "--no-comments")
LOCK_PATIENCE = "10s"
BUSY = "This database is still in use. Stop web, worker and beat, then try again."
# Commands of psql, and a setting that servers before 17 don't know.
LEFT_OUT = (b"\\restrict ", b"\\unrestrict ", b"SET transaction_timeout ")
FUNCTIONS = """
    SELECT p.oid::regprocedure::text FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


def dump(file: Path) -> Contents:
    """Write a dump in the custom format; counts and digests are of the same snapshot."""
    with _connected() as connection:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        snapshot = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert snapshot is not None
        options = ("--format=custom", f"--file={file}", f"--snapshot={snapshot[0]}")
        with _running("pg_dump", *options, *NOT_OURS, f"--dbname={_address()}"):
            contents = Contents.of(connection.execute, digests.of_postgres(connection))
        connection.rollback()
    return contents


def load(file: Path, expected: dict[str, TableDigest], *, put_files: Callable[[], None]) -> None:
    """Replace an empty database by a dump, in one transaction.

    `put_files` runs last, before the commit. Raises BackupFailed, which leaves all as it was.
    """
    with _connected() as connection:
        _make_room(connection)
        path = connection.execute("SHOW search_path").fetchone()
        assert path is not None
        with _running("pg_restore", "--file=-", *NOT_OURS, str(file)) as script:
            _execute(connection, iter(script))
        connection.execute(sql.SQL("SET search_path = {}").format(sql.SQL(path[0])))
        if difference := digests.difference(expected, digests.of_postgres(connection)):
            raise BackupFailed(f"The restored data differ ({difference}). Nothing was changed.")
        for table, statement in HOLDS.items():
            if table in expected:
                connection.execute(statement)
        put_files()
        connection.commit()
        connection.execute("ANALYZE")
        connection.commit()


def require_empty() -> None:
    """Raise BackupFailed if the database has data."""
    with _connected() as connection:
        _require_empty(connection, _names(connection, TABLES))


def _make_room(connection: psycopg.Connection[Any]) -> None:
    connection.execute(f"SET lock_timeout = '{LOCK_PATIENCE}'")
    tables = _names(connection, TABLES)
    names = sql.SQL(", ").join(map(sql.Identifier, tables))
    try:
        # Two restores at once would both see an empty database.
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('crowdwright restore'))")
        if tables:
            connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))
    except psycopg.errors.LockNotAvailable as error:
        raise BackupFailed(BUSY) from error
    _require_empty(connection, tables)
    if tables:
        connection.execute(sql.SQL("DROP TABLE {} CASCADE").format(names))
    for function in _names(connection, FUNCTIONS):
        connection.execute(sql.SQL("DROP FUNCTION {} CASCADE").format(sql.SQL(function)))


def _require_empty(connection: psycopg.Connection[Any], tables: Iterable[str]) -> None:
    for table in sorted(set(tables) - FRESH):
        query = sql.SQL("SELECT EXISTS (SELECT 1 FROM {})").format(sql.Identifier(table))
        if (row := connection.execute(query).fetchone()) and row[0]:
            raise BackupFailed(f"This installation has data ({table}). Restore into an empty one.")


def _names(connection: psycopg.Connection[Any], query: str) -> list[str]:
    return [name for (name,) in connection.execute(query.encode())]


def _execute(connection: psycopg.Connection[Any], lines: Iterator[bytes]) -> None:
    """Run the script of pg_restore: statements, and after each COPY its rows up to their mark."""
    statements: list[bytes] = []
    for line in lines:
        if line.startswith(b"COPY ") and line.rstrip().endswith(b" FROM stdin;"):
            connection.execute(b"".join(statements))
            statements = []
            with connection.cursor() as cursor, cursor.copy(line) as copy:
                for row in iter(lambda: next(lines, b"\\.\n"), b"\\.\n"):
                    copy.write(row)
        elif not line.startswith(LEFT_OUT):
            statements.append(line)
    connection.execute(b"".join(statements))


@contextmanager
def _connected() -> Iterator[psycopg.Connection[Any]]:
    """Yield a connection of its own, in a transaction that ends without effect unless committed."""
    password = ours.settings_dict["PASSWORD"] or None
    try:
        connection = psycopg.connect(_address(), password=password)
    except psycopg.OperationalError as error:
        raise BackupFailed("The database doesn't answer.") from error
    try:
        yield connection
    except psycopg.Error as error:
        reason = str(error).splitlines()[0]
        raise BackupFailed(f"PostgreSQL refused, and nothing was changed: {reason}") from error
    finally:
        connection.close()


def _address() -> str:
    """Return the address of the database without its password, which other users would see."""
    values = ours.get_connection_params()
    # Of Psycopg and Django, not of libpq.
    for name in ("password", "cursor_factory", "context", "prepare_threshold"):
        values.pop(name, None)
    return make_conninfo(**values)


@contextmanager
def _running(name: str, *arguments: str) -> Iterator[IO[bytes]]:
    """Run one of PostgreSQL's programs until the end of the block; yield its output."""
    environment = {**os.environ, "PGPASSWORD": ours.settings_dict["PASSWORD"] or ""}
    with TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                [name, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                preexec_fn=dies_with_parent(),
            )
        except FileNotFoundError as error:
            raise BackupFailed(f"{name} is missing. Install PostgreSQL's client.") from error
        with process:
            assert process.stdout is not None
            try:
                yield process.stdout
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            errors.seek(0)
            reason = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise BackupFailed(f"{name} failed. {' '.join(reason)}")
