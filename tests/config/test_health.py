"""Health: what `/ready` says is missing, and what a wrong key does."""

import json
import os
import subprocess
import sys
import threading
import time
from datetime import timedelta
from types import SimpleNamespace

import httpx
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotation import marking
from annotation.fieldwork.recruiting.rotating_keys import rotate
from annotation.models import ServiceMark
from config import health
from tests.services.children import PATIENCE, ROOT

pytestmark = pytest.mark.django_db(transaction=True)


def ready():
    response = Client().get("/ready")
    found = json.loads(response.content)
    assert response.status_code == (503 if found["missing"] else 200)
    assert found["ready"] == (not found["missing"])
    assert set(found["checks"]) == set(health.CHECKS)
    return found


def test_alive_asks_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Client().get("/alive").status_code == 204


def test_everything_is_there():
    marking.mark(marking.CLOCK)
    assert ready()["missing"] == []


def test_a_clock_that_stopped_is_named():
    assert ready()["missing"] == ["clock"]
    ServiceMark.objects.create(
        name=marking.CLOCK, marked_at=timezone.now() - timedelta(seconds=health.CLOCK_MOST + 5)
    )
    assert ready()["missing"] == ["clock"]


def test_an_unapplied_migration_is_named(monkeypatch):
    marking.mark(marking.CLOCK)
    monkeypatch.setattr(health, "_shipped", lambda: frozenset({("annotation", "9999_next")}))
    assert ready()["missing"] == ["migrations"]


def test_a_full_disk_is_named(monkeypatch):
    marking.mark(marking.CLOCK)
    monkeypatch.setattr(health, "FREE_LEAST", 10**18)
    assert ready()["missing"] == ["disk"]


def test_a_broker_that_is_away_is_named(monkeypatch):
    marking.mark(marking.CLOCK)
    monkeypatch.setattr(health, "BROKER_PATIENCE", 1)
    gone = health.app.connection_for_write("redis://127.0.0.1:1/0")
    monkeypatch.setattr(health.app, "connection_for_write", lambda **_: gone)
    began = time.monotonic()
    assert ready()["missing"] == ["broker"]
    assert time.monotonic() - began < 30  # without it, at the deadline of all checks


def test_a_part_that_hangs_has_no_answer(monkeypatch):
    marking.mark(marking.CLOCK)
    end, elapsed, look = threading.Event(), [0.0], health._look

    def look_on(name, check, outcomes):
        look(name, check, outcomes)
        if len(outcomes) == len(health.CHECKS) - 1:
            elapsed[0] += health.DEADLINE  # which passes when all others have their answer

    clock = SimpleNamespace(monotonic=lambda: elapsed[0], sleep=time.sleep)
    monkeypatch.setattr(health, "_look", look_on)
    monkeypatch.setattr(health, "time", clock)
    monkeypatch.setattr(health, "CHECKS", {**health.CHECKS, "broker": end.wait})
    found = ready()
    end.set()
    assert found["missing"] == ["broker"]
    assert found["checks"]["broker"] == {"ok": False}


def test_no_answer_has_a_detail(monkeypatch):
    def secretive():
        raise OSError("/srv/secret at 10.0.0.7")

    noisy = {"database": secretive, "disk": lambda: health.CheckResult(is_ok=False, detail="7 GB")}
    monkeypatch.setattr(health, "CHECKS", noisy)
    answer = Client().get("/ready").content.decode()
    assert json.loads(answer) == {
        "ready": False,
        "missing": ["database", "disk"],
        "checks": {"database": {"ok": False}, "disk": {"ok": False}},
    }


def test_many_questions_cause_one_check(monkeypatch):
    asked = []
    monkeypatch.setattr(
        health, "CHECKS", {"one": lambda: asked.append(1) or health.CheckResult(True)}
    )
    monkeypatch.setattr(health, "KEPT", 3600)
    health.kept.forget()
    threads = [threading.Thread(target=health.kept.current) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asked) == 1
    monkeypatch.setattr(health, "KEPT", 0)
    health.kept.current()
    assert len(asked) == 2


def test_checks_that_hang_take_three_threads_however_often_it_is_asked(monkeypatch):
    end = threading.Event()
    hang = {f"check {n}": lambda: end.wait(60) and health.CheckResult(True) for n in range(9)}
    monkeypatch.setattr(health, "CHECKS", hang)
    monkeypatch.setattr(health, "DEADLINE", 0.05)
    monkeypatch.setattr(health, "KEPT", 0)
    kept = health.KeptFindings()
    before = threading.active_count()
    for _ in range(5):
        assert not any(finding.is_ok for finding in kept.current().values())
        assert threading.active_count() <= before + health.MOST_THREADS
    end.set()


def test_the_first_key_is_that_of_the_data(settings):
    marking.require_key()
    first = settings.PSEUDONYM_KEY
    settings.PSEUDONYM_KEY = "a wrong key: " + "1" * 40
    marking.mark(marking.CLOCK)
    assert ready()["missing"] == ["key"]
    with pytest.raises(ImproperlyConfigured):
        marking.require_key()
    rotate(old=first)
    marking.require_key()


def test_the_fingerprint_does_not_tell_the_key(settings):
    marking.require_key()
    (mark,) = ServiceMark.objects.filter(name=marking.KEY)
    assert settings.PSEUDONYM_KEY not in mark.value
    assert len(mark.value) == 64


def test_two_processes_store_one_key():
    with transaction.atomic():
        marking.require_key()
    marking.require_key()
    assert ServiceMark.objects.filter(name=marking.KEY).count() == 1


WORKER = ["-m", "celery", "-A", "config", "worker", "-P", "solo"]


@pytest.mark.parametrize("command", [["-c", "import config.wsgi"], WORKER], ids=["web", "worker"])
def test_a_process_with_another_key_does_not_start(command, database_url):
    marking.require_key()
    ended = subprocess.run(
        [sys.executable, *command],
        env={
            **os.environ,
            "DATABASE_URL": database_url,
            "PSEUDONYM_KEY": "a wrong key: " + "1" * 40,
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ended.returncode != 0
    assert "rotate_keys" in ended.stdout + ended.stderr


def test_a_server_becomes_ready(web_processes):
    marking.mark(marking.CLOCK)
    (server,) = web_processes(1)
    assert httpx.get(f"{server.url}/alive", timeout=PATIENCE).status_code == 204
    deadline = time.monotonic() + PATIENCE
    while (missing := httpx.get(f"{server.url}/ready", timeout=PATIENCE).json()["missing"]) != []:
        if missing == ["disk"]:
            break
        assert time.monotonic() < deadline, missing
        time.sleep(0.5)  # a server that has just begun imports every migration first
