"""A database with rows from before the data migrations, migrated to today and back again.

Each of MODULES fills it with the models of that time (`fill`), reads it with today's (`today`), and
reads it where it began (`back`). All go in one subprocess, since the way takes seconds.
"""

import fcntl
import importlib
import json
import os
import subprocess
import sys
from typing import Any

import psycopg
import pytest

from tests.services.children import ROOT
from tests.services.databases import Database
from tests.services.session import run_folder

BEFORE = [
    ("annotation", "0059_a_study_names_any_number_of_methods"),
    ("judging", "0025_edited_entries_are_new_entries"),
]
MODULES = (
    "tests.annotation.fieldwork.screening.shared_qualifications",
    "tests.judging.raters.shared_workers",
)


def findings(storage: str, request: pytest.FixtureRequest, module: str) -> dict[str, Any]:
    """Return the answers of a module's functions; the database is migrated once in a test run."""
    file = run_folder() / f"older-{storage}.json"
    with (run_folder() / f"older-{storage}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            file.write_text(_migrated(empty_database(storage, request, "older").url))
    return json.loads(file.read_text())[module]


def empty_database(storage: str, request: pytest.FixtureRequest, name: str) -> Database:
    if storage == "sqlite":
        return Database.file(f"{name}.sqlite3")
    server = os.environ["DATABASE_URL"]
    if server.startswith("sqlite"):
        server = request.getfixturevalue("own_postgres").url()
    else:
        request.getfixturevalue("services")
    server = server.rpartition("/")[0]
    with psycopg.connect(f"{server}/postgres", autocommit=True) as database:
        database.execute(f'CREATE DATABASE "{name}"')
    return Database(name, f"{server}/{name}")


def _migrated(address: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "tests.older_database"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": address},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()[-1]


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    modules = {name: importlib.import_module(name) for name in MODULES}
    old_models = _migrate_to_before()
    answers = {name: module.fill(old_models) for name, module in modules.items()}
    call_command("migrate", verbosity=0)
    for name, module in modules.items():
        answers[name] |= module.today()
    old_models = _migrate_to_before()
    for name, module in reversed(modules.items()):
        answers[name] |= module.back(old_models)
    sys.stdout.write(json.dumps(answers, default=str))


def _migrate_to_before() -> Any:
    """Return the models of that time."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    return executor.loader.project_state(BEFORE).apps


if __name__ == "__main__":
    main()
