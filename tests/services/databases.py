"""Databases that are made once and copied from then on; and how one is emptied between tests.

What is made is kept in pytest's cache under the digest of what it was made of, for the next run of
the tests; `pytest --cache-clear` forgets it.
"""

import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from tests.services.children import ROOT, ServiceFailed
from tests.services.postgres import find_postgres
from tests.services.session import run_folder

CACHE = "CROWDWRIGHT_TEST_CACHE"  # the folder of what is kept, for all processes of the run
ALWAYS_THERE = {"django_migrations", "django_content_type", "auth_permission"}


@dataclass(frozen=True)
class Database:
    """A database beside the test run's own: on its PostgreSQL, or a SQLite file in its folder."""

    name: str  # of SQLite the path
    url: str

    @classmethod
    def named(cls, name: str) -> "Database":
        from django.db import connection

        own = connection.settings_dict
        if connection.vendor == "sqlite":
            return cls.file(name if name.startswith("/") else f"{name}.sqlite3")
        return cls(name, f"postgres://{own['USER']}@127.0.0.1:{own['PORT']}/{name}")

    @classmethod
    def file(cls, name: str) -> "Database":
        path = str(run_folder() / name)
        return cls(path, f"sqlite:///{path}")

    @property
    def is_a_file(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def called(self) -> str:
        return f"{Path(self.name).stem}-{'sqlite' if self.is_a_file else 'postgres'}"

    def copy(self, template: "Database") -> None:
        """Become a copy of the template, to which nobody may be connected."""
        if self.is_a_file:
            template.dump(Path(self.name))
        else:
            self._create(template.name)

    def dump(self, file: Path) -> None:
        if self.is_a_file:
            with closing(sqlite3.connect(self.name)) as connection:
                connection.execute("VACUUM INTO ?", [str(file)])
        else:
            _client("pg_dump", "--format=custom", f"--file={file}", self.url)

    def restore(self, file: Path) -> None:
        if self.is_a_file:
            shutil.copyfile(file, self.name)
        else:
            self._create("template0")
            _client("pg_restore", "--single-transaction", f"--dbname={self.url}", file)
            with psycopg.connect(self.url, autocommit=True) as connection:
                connection.execute("ANALYZE")

    def _create(self, template: str) -> None:
        server = self.url.removesuffix(self.name) + "postgres"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{self.name}" TEMPLATE "{template}"')

    def manage(self, *arguments: str) -> None:
        """Run a command of ours on it."""
        command = [sys.executable, "manage.py", *arguments]
        env = {**os.environ, "DATABASE_URL": self.url}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            raise ServiceFailed(f"manage.py {arguments[0]} failed:\n{done.stderr}")


def _client(program: str, *arguments: str | Path) -> None:
    command = [find_postgres() / program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ServiceFailed(f"{program} failed:\n{done.stderr}")


def migrated() -> Database:
    """Return the database with all its tables and nothing in them, as a template.

    Nobody connects.
    """
    return made_once(Database.named("migrated"), of=_migrations(), make=_migrate)[0]


def migrated_file() -> Path:
    """Return the same as a SQLite file to copy, whatever the tests run on."""
    file = Database.file("migrated.sqlite3")
    return Path(made_once(file, of=_migrations(), make=_migrate)[0].name)


def migrated_at(address: str) -> None:
    """Migrate the database at this address, of a PostgreSQL of one test."""
    template, there = migrated(), Database(address.rpartition("/")[2], address)
    with _locked("migrated"):
        kept = _kept(template, _migrations()) / "database"
        if not template.is_a_file and kept.exists():
            there.restore(kept)
        else:
            _migrate(there)


def _migrations() -> list[Path]:
    others = [
        ROOT / "annotation/migration_operations.py",
        ROOT / "config/settings.py",
        ROOT / "requirements.txt",
    ]
    return [*ROOT.glob("*/migrations/*.py"), *others]


def _migrate(database: Database) -> dict[str, Any]:
    if database.is_a_file:
        Path(database.name).unlink(missing_ok=True)
    else:
        database._create("template0")
    database.manage("migrate", "--verbosity", "0")
    return {}


def made_once(
    database: Database, *, of: Iterable[Path], make: Callable[[Database], dict[str, Any]]
) -> tuple[Database, dict[str, Any]]:
    """Return the database, made once for the whole run, and its making's result.

    Whichever process asks first makes it, or restores the one kept from files equal to `of`.
    """
    said = run_folder() / f"{database.called}.json"
    with _locked(Path(database.name).stem):
        if not said.exists():
            kept = _kept(database, of)
            text = _restored(database, kept)
            if text is None:
                text = json.dumps(make(database))
                _keep(database, kept, text)
            said.write_text(text)
    return database, json.loads(said.read_text())


def _kept(database: Database, of: Iterable[Path]) -> Path:
    return _cache() / database.called / _digest(of)


def _restored(database: Database, kept: Path) -> str | None:
    if not (kept / "said.json").exists():
        return None
    database.restore(kept / "database")
    return (kept / "said.json").read_text()


def _keep(database: Database, kept: Path, text: str) -> None:
    """In the place of what was kept under this name, of other files."""
    if not database.is_a_file and not (find_postgres() / "pg_dump").exists():
        return
    shutil.rmtree(kept.parent, ignore_errors=True)
    kept.mkdir(parents=True)
    database.dump(kept / "database")
    (kept / "said.json").write_text(text)  # last: without it nothing is there


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache() -> Path:
    return Path(os.environ[CACHE])


@contextmanager
def _locked(name: str) -> Iterator[None]:
    """Among all runs of this checkout, which share what is kept."""
    with (_cache() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def empty() -> None:
    """Empty the tables that have rows: a test fills a few of our many tables.

    What the migrations left stays: content types and permissions, which no test changes.
    """
    from django.db import connection, transaction

    tables = set(connection.introspection.django_table_names(only_existing=True)) - ALWAYS_THERE
    quoted = sorted(map(connection.ops.quote_name, tables))
    with (
        connection.constraint_checks_disabled(),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        if connection.vendor == "postgresql":
            # Whoever still writes finishes first, and no foreign key is asked about any row.
            cursor.execute(f"LOCK TABLE {', '.join(quoted)} IN EXCLUSIVE MODE")
            cursor.execute("SET LOCAL session_replication_role = replica")
        triggers = _without_triggers(cursor) if connection.vendor == "sqlite" else []
        some = [
            f"SELECT {at} WHERE EXISTS (SELECT 1 FROM {name})" for at, name in enumerate(quoted)
        ]
        cursor.execute(" UNION ALL ".join(some))
        for (at,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {quoted[at]}")
        for trigger in triggers:
            cursor.execute(trigger)


def _without_triggers(cursor: Any) -> list[str]:
    """Drop the triggers, which guard rows from being deleted; return how they are made again."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    found = cursor.fetchall()
    for name, _ in found:
        cursor.execute(f"DROP TRIGGER {name}")
    return [sql for _, sql in found]
