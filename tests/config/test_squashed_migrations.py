"""An empty database takes one step for each of our apps; one that came by the single migrations
goes on from wherever it is, and is the same in the end."""

import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from annotation.migrating import OneStepNow
from tests import earlier
from tests.schema import described
from tests.services.databases import migrated_file

Key = tuple[str, str]
Plan = Callable[[Iterable[Key]], list[Migration]]
LOADER = MigrationLoader(None, replace_migrations=False)
WHOLES = LOADER.replacements  # what replaces others, by its key
OURS = {app for app, _ in WHOLES}
AUTH = LOADER.graph.leaf_nodes("auth")[0]
PARTS = [part for whole in WHOLES.values() for part in whole.replaces]


@pytest.mark.parametrize("storage", ["postgres", "sqlite"])
def test_the_single_steps_end_in_the_same_database(storage, request, worker_id):
    whole = earlier.empty(storage, request, f"whole-{worker_id}")
    whole.manage("migrate", "--verbosity", "0")
    parts = earlier.said(storage, request)["database"]["parts"]
    assert parts == described(whole.url)
    assert len(parts) > 100


@pytest.mark.parametrize("storage", ["postgres", "sqlite"])
def test_who_took_them_is_recorded_as_who_took_one(storage, request):
    recorded = earlier.said(storage, request)["database"]["recorded"]
    assert {*WHOLES, *PARTS} <= set(map(tuple, recorded))


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """`plan(applied)`: what `migrate` does in a database that has applied these."""

    def planned(applied: Iterable[Key]) -> list[Migration]:
        there = dict.fromkeys(applied)
        monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: dict(there))
        executor = MigrationExecutor(connection)
        executor.loader.check_consistent_history(connection)
        steps = executor.migration_plan(executor.loader.graph.leaf_nodes())
        assert not any(backwards for _, backwards in steps)
        return [step for step, _ in steps]

    return planned


def test_an_empty_database_takes_one_step_for_each_app(plan):
    steps = [(step.app_label, step.name) for step in plan([])]
    assert set(WHOLES) <= set(steps)
    assert set(PARTS).isdisjoint(steps)
    assert sorted(OURS) == ["analysis", "annotation", "judging", "writing"]


def somewhere(randomness: random.Random) -> list[Key]:
    """What a database has applied that has come a part of the old way, in some order of the apps:
    up to some migration of each, and what that needs."""
    graph = LOADER.graph
    targets = randomness.sample(PARTS, randomness.randrange(1, 5))
    whole_apps = randomness.sample(sorted(WHOLES), randomness.randrange(0, 4))
    targets += [WHOLES[app].replaces[-1] for app in whole_apps]
    if randomness.random() < 0.5:  # else it was stopped in the midst of its first `migrate`
        targets += [key for key in graph.leaf_nodes() if key[0] not in OURS]
    return list(dict.fromkeys(key for each in targets for key in graph.forwards_plan(each)))


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_from_anywhere_on_the_old_way_it_goes_on_to_the_end(plan, seed, recorded):
    applied = somewhere(random.Random(seed))
    if recorded:  # as after a `migrate` of some apps alone
        applied = [*LOADER.graph.forwards_plan(AUTH), *applied]
        applied += [key for key, whole in WHOLES.items() if {*whole.replaces} <= {*applied}]
    there = set(applied)
    for step in plan(applied):
        assert there.isdisjoint(step.replaces)  # no table is made that is there
        assert (step.app_label, step.name) not in there
        there |= {(step.app_label, step.name), *step.replaces}
        needed = {need for need in step.dependencies if need in LOADER.graph.nodes}
        assert needed <= there
    assert set(PARTS) <= there


@pytest.mark.django_db
def test_the_log_of_writers_is_not_made_where_the_platform_had_it():
    """A database may have all single steps of the platform, and none yet of the writing app."""
    step = WHOLES["writing", "0001_squashed_0004_the_log_comes_to_the_writing_app"]
    state = LOADER.project_state(list(WHOLES))
    with connection.schema_editor(collect_sql=True) as editor:
        step.operations[-1].database_forwards("writing", editor, state, state)
    assert step.operations[-1].describe() == "Create models LogChunk, PackedLog"
    assert editor.collected_sql == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "target", [("annotation", "0044"), ("judging", "0019"), ("analysis", "0001_initial")]
)
def test_a_part_of_a_step_is_not_taken_back(target):
    before = recorded()
    with pytest.raises(OneStepNow, match=r"a part of .* now and is not taken back by itself"):
        call_command("migrate", *target, verbosity=0)
    assert recorded() == before


def recorded() -> dict[Key, Any]:
    applied = MigrationRecorder(connection).applied_migrations()
    return {key: step.applied for key, step in applied.items()}


@pytest.mark.storage
@pytest.mark.django_db
def test_a_whole_step_is_taken_back_and_taken_again(a_database_of_its_own):
    connection = a_database_of_its_own
    before = tables(connection), guards(connection)
    MigrationExecutor(connection).migrate([("annotation", None)])
    assert not [name for name in tables(connection) if name.partition("_")[0] in OURS]
    assert guards(connection) == []
    newest = MigrationLoader(connection).graph.leaf_nodes()
    MigrationExecutor(connection).migrate([key for key in newest if key[0] in OURS])
    assert (tables(connection), guards(connection)) == before


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
