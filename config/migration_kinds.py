"""Kinds of migrations: online ones run while people work, offline ones behind a maintenance page.

The release before must keep working on the new tables, and no statement may lock one for long: a
migration that only expands is online. Removals and renamings are offline, unless an earlier release
stopped using what goes ("expand, then contract"): that migration says `online = True`. The same
attribute with False makes any migration offline.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection, migrations, models
from django.db.migrations import operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from annotation.migration_operations import CreateModels, ForbidChanges

STATE_ONLY = (operations.AlterModelOptions, operations.AlterModelManagers)
# A trigger forbids what no release does; a new table has neither rows nor readers.
EXPANDING = (operations.CreateModel, CreateModels, ForbidChanges, *STATE_ONLY)


@dataclass(frozen=True)
class PendingMigration:
    """A migration that the database still needs."""

    name: str
    is_online: bool


def pending() -> list[PendingMigration]:
    """Return the migrations that the database needs, in their order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [PendingMigration(f"{step.app_label}.{step.name}", is_online(step)) for step, _ in plan]


def is_online(migration: migrations.Migration) -> bool:
    """Return whether the release before works during and after a migration."""
    marked: bool | None = getattr(migration, "online", None)
    if marked is not None:
        return marked
    made = {name.lower() for name in _created(migration.operations)}
    return all(_is_online(operation, made) for operation in migration.operations)


def _is_online(operation: Operation, made: set[str]) -> bool:
    if isinstance(operation, EXPANDING):
        return True
    if isinstance(operation, operations.SeparateDatabaseAndState):
        return all(_is_online(part, made) for part in operation.database_operations)
    if getattr(operation, "model_name", "").lower() in made:
        return True  # of a table that the same migration makes
    if isinstance(operation, operations.AddField):
        # The release before inserts rows without it.
        field = operation.field
        return field.many_to_many or field.null or field.db_default is not models.NOT_PROVIDED
    return False


def _created(parts: Iterable[Operation]) -> list[str]:
    return [part.name for part in parts if isinstance(part, operations.CreateModel)]


def shipped() -> list[str]:
    """Return the names of all migrations of this release."""
    return sorted(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
