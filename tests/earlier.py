"""A database that goes the way of ours: from its first days to today, and back again.

On the way each of the modules below fills it as it was in its days (`fill`), with the models of
that time; they look at it as it is today (`today`), and some again where they began (`back`). The
way takes as long as all our migrations there and back, so that it is gone once for all of them.
"""

import fcntl
import gc
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

DAYS = ("tests.annotation.old_links", "tests.judging.older_studies")
DAYS += ("tests.annotation.access.before_rights", "tests.judging.redone_work")
DAYS += ("tests.annotation.corpora.uncounted_passages",)  # in their order


def said(storage: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the modules found, by their names; gone once in a run of the tests."""
    found = run_folder() / f"earlier-{storage}.json"
    with (run_folder() / f"earlier-{storage}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            found.write_text(_gone(_empty(storage, request)))
    return json.loads(found.read_text())


def _empty(storage: str, request: pytest.FixtureRequest) -> str:
    """The address of a database with nothing in it."""
    if storage == "sqlite":
        return Database.file("earlier.sqlite3").url
    server = os.environ["DATABASE_URL"]
    if server.startswith("sqlite"):
        server = request.getfixturevalue("own_postgres").url()
    server = server.rpartition("/")[0]
    with psycopg.connect(f"{server}/postgres", autocommit=True) as database:
        database.execute("CREATE DATABASE earlier")
    return f"{server}/earlier"


def _gone(address: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "tests.earlier"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": address},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()[-1]


def main() -> None:
    import importlib

    import django

    django.setup()
    from django.core.management import call_command

    gc.freeze()  # else a fifth of the way is looking at what Django has loaded
    _take_fields_apart_once()
    _make_models_where_they_are_asked_for()
    days = {name: importlib.import_module(name) for name in DAYS}
    found: dict[str, dict[str, Any]] = {}
    for name, module in days.items():
        found[name] = module.fill(models_of(module.BEFORE))
    call_command("migrate", verbosity=0)
    for name, module in days.items():
        found[name] |= module.today()
    for name, module in reversed(days.items()):
        if hasattr(module, "back"):
            found[name] |= module.back(models_of(module.BEFORE))
    sys.stdout.write(json.dumps(found, default=str))


def _take_fields_apart_once() -> None:
    """Django makes the models of each day anew after every step, and asks each field of each of
    them what it is made of, although a field of a migration never changes."""
    from django.db.models import Field

    made_of: dict[int, tuple[Field, Any, Any]] = {}  # by identity; holds the field, so it is kept

    def clone(field: Field) -> Field:
        known = made_of.get(id(field))
        if known is None:
            _, _, args, kwargs = field.deconstruct()
            known = made_of[id(field)] = (field, args, kwargs)
        return field.__class__(*known[1], **known[2])

    Field.clone = clone


def _make_models_where_they_are_asked_for() -> None:
    """On the way back Django makes the models anew after every single operation between there and
    today; the steps that are gone back ask for those of their own day, which are made for each."""
    from django.db.migrations import Migration
    from django.db.migrations.state import ProjectState

    mutate_state = Migration.mutate_state

    def mutated(step: Migration, state: ProjectState, preserve: bool = True) -> ProjectState:
        kept = state.__dict__.pop("apps", None) if preserve else None  # a copy would have them too
        after = mutate_state(step, state, preserve)
        if kept is not None:
            state.__dict__["apps"] = kept
        return after

    Migration.mutate_state = mutated


def models_of(before: list[tuple[str, str]]) -> Any:
    """Migrate there, and return the models of that time."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    executor.migrate(before)
    return executor.loader.project_state(before).apps


if __name__ == "__main__":
    main()
