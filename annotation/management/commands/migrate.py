"""Django's command, which fills an empty database at once and refuses one from before 0.1.0."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

from annotation.new_database import create_tables

# Options that ask for something else than all migrations.
PARTIAL = (
    "app_label",
    "migration_name",
    "fake",
    "fake_initial",
    "plan",
    "check_unapplied",
    "prune",
)


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        # Django would start in the middle: the steps between are gone.
        if apps := _half_migrated_apps(options["database"]):
            raise CommandError(
                f"This database is older than Crowdwright 0.1.0 ({', '.join(apps)}). "
                "Run `migrate` with version 0.1.0 first, then again with this version."
            )
        if not any(options.get(name) for name in PARTIAL):
            create_tables(connections[options["database"]])
        super().handle(*args, **options)


def _half_migrated_apps(database: str) -> list[str]:
    """Return the apps with some, but not all, of the steps that a squashed migration replaces."""
    loader = MigrationLoader(connections[database])
    apps = []
    for (app, _), squashed in loader.replacements.items():
        applied = [step in loader.applied_migrations for step in squashed.replaces]
        if any(applied) and not all(applied):
            apps.append(app)
    return apps
