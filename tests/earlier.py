"""A database that goes the way of ours: from its first days to today, and back again.

On the way each of the modules below fills it as it was in its days (`fill`), with the models of
that time; they look at it as it is today (`today`), and some again where they began (`back`). The
way takes as long as all our migrations there and back, so that it is gone once for all of them.
It leads through the single migrations, which an empty database no longer does.
"""

import fcntl
import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from tests.schema import described
from tests.services.children import ROOT
from tests.services.databases import Database
from tests.services.session import run_folder

DAYS = ("tests.annotation.old_links", "tests.judging.older_studies")
DAYS += ("tests.annotation.access.before_rights", "tests.judging.redone_work")
DAYS += ("tests.annotation.corpora.uncounted_passages",)
DAYS += ("tests.annotation.screening.shared_qualifications", "tests.judging.raters.shared_workers")
OF_NONE_OF_THEM = [("writing", "0004_the_log_comes_to_the_writing_app")]
OF_NONE_OF_THEM += [("analysis", "0013_certainty_is_simulated_by_workers")]


def said(storage: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the modules found, by their names; gone once in a run of the tests."""
    found = run_folder() / f"earlier-{storage}.json"
    with (run_folder() / f"earlier-{storage}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            found.write_text(_gone(empty(storage, request, "earlier").url))
    return json.loads(found.read_text())


def empty(storage: str, request: pytest.FixtureRequest, name: str) -> Database:
    """A database with nothing in it."""
    if storage == "sqlite":
        return Database.file(f"{name}.sqlite3")
    server = os.environ["DATABASE_URL"]
    if server.startswith("sqlite"):
        server = request.getfixturevalue("own_postgres").url()
    server = server.rpartition("/")[0]
    with psycopg.connect(f"{server}/postgres", autocommit=True) as database:
        database.execute(f'CREATE DATABASE "{name}"')
    return Database(name, f"{server}/{name}")


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
    _make_only_the_changed_model_anew()
    days = {name: importlib.import_module(name) for name in DAYS}
    found: dict[str, dict[str, Any]] = {}
    for name, module in days.items():
        found[name] = module.fill(models_of(module.BEFORE))
    models_of(OF_NONE_OF_THEM)
    call_command("migrate", verbosity=0)
    for name, module in days.items():
        found[name] |= module.today()
    found["database"] = _today()
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


def _make_only_the_changed_model_anew() -> None:
    """After every operation Django makes the changed model anew, and with it all that it knows or
    that knows it, which is nearly every model. A step that changes a table asks for its own one;
    one that reads or writes rows asks for all, and says so, and finds them made anew."""
    from django.db.migrations.state import ProjectState

    def found(state: ProjectState, app: str, model: str, delay: bool = False) -> set[Any]:
        state.is_delayed = True  # all are made when they are asked for (clear_delayed_apps_cache)
        return {(app, model)}

    ProjectState._find_reload_model = found


@contextmanager
def one_by_one() -> Iterator[None]:
    """Leave out what replaces our migrations: on the way back it would be taken back as a whole."""
    from django.db.migrations.loader import MigrationLoader

    load_disk = MigrationLoader.load_disk

    def load_singles(loader: MigrationLoader) -> None:
        load_disk(loader)
        found = loader.disk_migrations
        loader.disk_migrations = {key: step for key, step in found.items() if not step.replaces}

    MigrationLoader.load_disk = load_singles
    yield
    MigrationLoader.load_disk = load_disk


def models_of(before: list[tuple[str, str]]) -> Any:
    """Migrate there, and return the models of that time."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    with one_by_one():
        executor = MigrationExecutor(connection)
        executor.migrate(before)
        return executor.loader.project_state(before).apps


def _today() -> dict[str, Any]:
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    return {
        "recorded": list(MigrationRecorder(connection).applied_migrations()),
        "parts": described(os.environ["DATABASE_URL"]),
    }


if __name__ == "__main__":
    main()
