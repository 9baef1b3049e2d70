"""Upgrades: kinds of migrations, the maintenance page, and hosts restarted while people save."""

import os
import ssl
import subprocess
import sys

import pytest
from django.core.management import call_command
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.test import Client
from django.utils import timezone

from annotation.models import ServiceMark
from config import maintenance, migration_kinds
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from tests.cast import begun, bob, small_study
from tests.services.children import PATIENCE, ROOT
from tests.services.name_server import NameServer
from tests.services.proxy import Proxy
from tests.services.relay import Relay
from tests.services.saver import Saver

pytestmark = pytest.mark.django_db(transaction=True)

NULLABLE = models.CharField(null=True, max_length=9)
DEFAULT = models.IntegerField(db_default=0)
NEW = migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])
INDEX = models.Index(fields=["id"], name="new_index")


@pytest.mark.parametrize(
    ("operations", "is_online"),
    [
        ([migrations.AddField("study", "x", NULLABLE)], True),
        ([migrations.AddField("study", "x", DEFAULT)], True),
        ([migrations.AddField("study", "x", models.IntegerField(default=0))], False),
        ([migrations.AddField("study", "x", models.ManyToManyField("study"))], True),
        ([NEW, migrations.AddIndex("new", INDEX)], True),
        ([migrations.AddIndex("study", INDEX)], False),
        ([migrations.RemoveField("study", "x")], False),
        ([migrations.RenameField("study", "x", "y")], False),
        ([migrations.RunSQL("SELECT 1")], False),
    ],
)
def test_a_migration_that_only_expands_is_online(operations, is_online):
    one = migrations.Migration("0001_x", "annotation")
    one.operations = operations
    assert migration_kinds.is_online(one) == is_online
    one.online = not is_online
    assert migration_kinds.is_online(one) != is_online


def test_every_migration_has_a_kind():
    kinds = {migration_kinds.is_online(one) for one in MigrationLoader(None).graph.nodes.values()}
    assert kinds == {True, False}


@pytest.fixture
def watch(monkeypatch):
    monkeypatch.setattr(maintenance, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(maintenance.watch, "due", 0.0)
    yield maintenance.watch
    maintenance.watch.is_on = False


def test_pages_answer_503_during_an_offline_migration(watch):
    maintenance.begin()
    page = Client().get("/login/", headers={"Accept": "text/html"})
    assert page.status_code == 503
    assert page.headers["Retry-After"]
    data = Client().get("/api/studies/", headers={"Accept": "application/json"})
    assert (data.status_code, data.headers["Content-Type"]) == (503, "application/json")
    assert Client().get("/alive").status_code == 204
    assert "checks" in Client().get("/ready").json()


def test_the_new_release_answers_after_an_offline_migration(watch, monkeypatch):
    maintenance.begin()
    maintenance.end(was_offline=True)
    assert not watch.look()
    monkeypatch.setattr(maintenance, "release", lambda: "the release before")
    assert watch.look()
    maintenance.end(was_offline=False)
    assert not watch.look()


def test_an_interrupted_upgrade_is_ended_by_the_next(watch, capsys):
    maintenance.begin()
    call_command("upgrade", plan=True)
    assert watch.look()
    call_command("upgrade")
    assert not watch.look()


@pytest.fixture
def assignment(db):
    made = begun(small_study(responses=3, time_limit_minutes=60), bob(), now=timezone.now())
    draw_presentations(assignment=made)
    return made


def test_two_hosts_are_restarted_in_turn_without_an_error(web_processes, assignment, tmp_path):
    hosts = web_processes(2)
    servers = " ".join(f"server 127.0.0.1:{host.port} max_fails=0;" for host in hosts)
    pair = {'map "" $web {': f'upstream pair {{ {servers} }}\n    map "" $web {{'}
    proxy = Proxy(tmp_path, upstream="pair", other=pair)
    saver = Saver(
        assignment.token,
        url=f"https://localhost:{proxy.https}",
        trust=ssl.create_default_context(cafile=proxy.certificate),
    )
    saver.start()
    try:
        for host in hosts:
            saver.wait_for(10)
            host.stop()
            saver.wait_for(10)
            host.start()
        saver.wait_for(10)
        assert saver.end() == Judgment.objects.get().raw
    finally:
        saver.stopping.set()
        proxy.stop()
    assert set(saver.statuses) == {200}


def test_pages_wait_while_the_only_host_restarts(web_processes, assignment, tmp_path):
    (host,) = web_processes(1)
    proxy = Proxy(tmp_path, upstream=host.port)
    saver = Saver(
        assignment.token,
        url=f"https://localhost:{proxy.https}",
        trust=ssl.create_default_context(cafile=proxy.certificate),
    )
    saver.start()
    try:
        saver.wait_for(5)
        host.stop()
        saver.wait_for(3, status=503)
        host.start()
        saver.wait_for(5)
        assert saver.end() == Judgment.objects.get().raw
    finally:
        saver.stopping.set()
        proxy.stop()
    assert set(saver.statuses) == {200, 503}


def test_a_host_that_moves_to_another_address_is_found(web_processes, assignment, tmp_path):
    (host,) = web_processes(1)
    names, before = NameServer("127.0.0.2"), Relay(host.port, at=("127.0.0.2", 0))
    resolver = {"resolver 127.0.0.11 ": f"resolver 127.0.0.1:{names.port} "}
    proxy = Proxy(tmp_path, upstream=f"web.test:{before.port}", other=resolver)
    saver = Saver(
        assignment.token,
        url=f"https://localhost:{proxy.https}",
        trust=ssl.create_default_context(cafile=proxy.certificate),
    )
    saver.start()
    after = Relay(host.port, at=("127.0.0.3", before.port))
    try:
        saver.wait_for(5)
        before.stop()
        names.address = "127.0.0.3"
        saver.wait_for(5)
        assert saver.end() == Judgment.objects.get().raw
    finally:
        saver.stopping.set()
        for service in (proxy, after, before, names):
            service.stop()
    assert set(saver.statuses) <= {200, 503}


@pytest.mark.skipif("config.option.storage == 'sqlite'", reason="the migration is PostgreSQL's")
def test_an_upgrade_under_load_shows_the_page_and_loses_nothing(
    web_processes, assignment, database_url, broker_url, tmp_path
):
    """Web processes of this release meet a migration of the next, which they can't work with."""
    following = {**os.environ, "DATABASE_URL": database_url}
    following["DJANGO_SETTINGS_MODULE"] = "tests.config.next_release.settings"
    (host,) = web_processes(1)
    saver = Saver(assignment.token, url=host.url)
    saver.start()
    try:
        saver.wait_for(5)
        upgraded = subprocess.run(
            [sys.executable, "manage.py", "upgrade"],
            cwd=ROOT,
            env=following,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE,
        )
        assert upgraded.returncode == 0, upgraded.stderr
        assert "offline  annotation.next_column" in upgraded.stdout
        assert set(saver.statuses) == {200, 503}
        saved = saver.statuses[200]
        saver.wait_for(3, status=503)
        assert saver.statuses[200] == saved  # the release before stays behind the page
        host.stop()
        host.environment["DJANGO_SETTINGS_MODULE"] = following["DJANGO_SETTINGS_MODULE"]
        host.start()
        saver.wait_for(5)
        assert saver.end() == Judgment.objects.get().raw
    finally:
        saver.stopping.set()
        host.environment.pop("DJANGO_SETTINGS_MODULE", None)
        host.stop()
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name LIKE 'next_column%'")
        ServiceMark.objects.filter(name=maintenance.MARK).delete()
    assert set(saver.statuses) <= {200, 503, 0}  # 0: no proxy answers while it restarts
