"""Migrations of empty, complete and partly migrated databases.

An empty database takes one step for each app; one with all replaced steps takes none; one
with only some of them is refused.
"""

import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from benchmarks.unchanged.schema import sorted_columns
from tests.services.databases import migrated_file

Key = tuple[str, str]
Plan = Callable[[Iterable[Key]], list[Key]]
LOADER = MigrationLoader(None)
SQUASHED = LOADER.replacements
OURS = {app for app, _ in SQUASHED}
REPLACED = [part for migration in SQUASHED.values() for part in migration.replaces]
ACCOUNTS = LOADER.graph.forwards_plan(LOADER.graph.leaf_nodes("auth")[0])
LATER = [key for key in LOADER.graph.nodes if key not in [*SQUASHED, *ACCOUNTS]]
DEFINITIONS = """
    SELECT table_name, column_name, data_type, character_maximum_length::text, is_nullable,
        column_default, is_identity FROM information_schema.columns WHERE table_schema = 'public'
    UNION SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '', '', ''
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION SELECT tablename, indexname, indexdef, '', '', '', ''
        FROM pg_indexes WHERE schemaname = 'public'
"""


def record(monkeypatch: pytest.MonkeyPatch, keys: Iterable[Key]) -> None:
    """Let the database have applied these migrations."""
    applied = dict.fromkeys(keys)
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: dict(applied))


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """`plan(applied)`: the steps of `migrate` in a database that has applied these."""

    def planned(applied: Iterable[Key]) -> list[Key]:
        record(monkeypatch, applied)
        executor = MigrationExecutor(connection)
        executor.loader.check_consistent_history(connection)
        steps = executor.migration_plan(executor.loader.graph.leaf_nodes())
        assert not any(backwards for _, backwards in steps)
        return [(step.app_label, step.name) for step, _ in steps]

    return planned


def test_an_empty_database_takes_one_step_for_each_app(plan):
    assert sorted(OURS) == ["analysis", "annotation", "judging", "writing"]
    assert sorted(plan([])) == sorted([*ACCOUNTS, *SQUASHED, *LATER])


@pytest.mark.parametrize("squashed", [[], list(SQUASHED)], ids=["singles", "both"])
def test_a_database_with_all_replaced_steps_takes_only_later_ones(plan, squashed):
    applied = [*ACCOUNTS, *REPLACED, *squashed]
    assert sorted(plan(applied)) == sorted(LATER)
    assert plan([*applied, *LATER]) == []


@pytest.mark.django_db
@pytest.mark.parametrize("app", sorted(OURS))
def test_a_database_with_some_of_them_is_refused(monkeypatch, app):
    first = next(part for part in REPLACED if part[0] == app)
    record(monkeypatch, [*ACCOUNTS, first, *(part for part in REPLACED if part[0] != app)])
    with pytest.raises(CommandError, match=rf"0\.1\.0 \({app}\)"):
        call_command("migrate", verbosity=0)


@pytest.mark.storage
@pytest.mark.django_db
def test_tables_created_at_once_equal_those_of_each_migration(a_database_of_its_own):
    """`migrate` created them at once; here they are taken back and made by each migration."""
    connection = a_database_of_its_own
    before = tables(connection), guards(connection), definitions(connection)
    assert any("entry_decisions_are_final" in name for name in before[1])
    MigrationExecutor(connection).migrate([("annotation", None)])
    assert not [name for name in tables(connection) if name.partition("_")[0] in OURS]
    assert guards(connection) == []
    newest = MigrationLoader(connection).graph.leaf_nodes()
    MigrationExecutor(connection).migrate([key for key in newest if key[0] in OURS])
    assert (tables(connection), guards(connection), definitions(connection)) == before
    with connection.cursor() as cursor:  # a new database has no rows that a migration made
        ours = [name for name in tables(connection) if name.partition("_")[0] in OURS]
        cursor.execute(" UNION ".join(f"SELECT '{name}' FROM {name}" for name in ours))
        assert cursor.fetchall() == []


@pytest.fixture
def a_database_of_its_own(tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    """On PostgreSQL the test's own transaction undoes it; SQLite alters no table in one."""
    if connection.vendor == "postgresql":
        yield connection
        return
    copy = shutil.copyfile(migrated_file(), tmp_path / "own.sqlite3")
    own = connections.create_connection("default")
    own.alias, own.settings_dict = "own", {**own.settings_dict, "NAME": str(copy)}
    connections["own"] = own
    yield own
    own.close()
    del connections["own"]


def tables(connection: BaseDatabaseWrapper) -> list[str]:
    return sorted(connection.introspection.table_names())


def guards(connection: BaseDatabaseWrapper) -> list[str]:
    sqlite = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    postgres = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    with connection.cursor() as cursor:
        cursor.execute(sqlite if connection.vendor == "sqlite" else postgres)
        return sorted(name for (name,) in cursor.fetchall())


def definitions(connection: BaseDatabaseWrapper) -> list[str]:
    """Columns, indexes and constraints, in no order of columns."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            return sorted(sorted_columns(sql) for (sql,) in cursor.fetchall())
        cursor.execute(DEFINITIONS)
        return sorted(without_casts(" ".join(map(str, row))) for row in cursor.fetchall())


def without_casts(sql: str) -> str:
    """Remove types from lists of words: a database from a dump casts each, others the list."""
    sql = re.sub(r"\('([^']*)'::character varying\)::text", r"'\1'", sql)
    sql = re.sub(r"'([^']*)'::character varying", r"'\1'", sql)
    return re.sub(r"\(ARRAY\[([^]]*)\]\)::text\[\]", r"ARRAY[\1]", sql)
