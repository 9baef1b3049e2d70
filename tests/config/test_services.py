"""The services that the tests themselves rely on."""

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from playwright.sync_api import expect

from tests.services import chromium, looks, nginx, postgres
from tests.services.children import ROOT, ServiceFailed
from tests.services.redis import find_redis
from tests.services.worker import QUEUE

User = get_user_model()


@pytest.mark.storage
@pytest.mark.django_db
def test_the_database_is_a_real_one():
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA journal_mode")
            assert cursor.fetchone() == ("wal",)
            assert connection.transaction_mode == "IMMEDIATE"
        else:
            cursor.execute("SELECT current_database()")
            assert cursor.fetchone()[0].startswith("test_crowdwright")


def test_what_is_compiled_is_kept_for_the_next_process():
    asked = [sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), sys.dont_write_bytecode) == ("False", False)


def test_redis_answers(broker_url):
    assert broker_url == settings.CELERY_BROKER_URL
    assert redis.Redis.from_url(broker_url).ping()


@pytest.mark.storage
def test_a_celery_worker_does_a_task_and_starts_again_after_a_kill(celery_worker):
    from config.celery import app

    celery_worker.wait_until_idle()
    celery_worker.kill()
    app.send_task("celery.backend_cleanup")
    celery_worker.start()
    celery_worker.wait_until_idle()


def test_a_worker_that_wakes_has_done_what_it_was_handed_in_its_sleep(celery_worker):
    from config.celery import app

    celery_worker.rest()
    app.send_task("tests.nap", [0.7])  # Redis hands it to the stopped worker
    deadline = time.monotonic() + 60
    while celery_worker.redis.llen(QUEUE) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not celery_worker.redis.llen(QUEUE)
    began = time.monotonic()
    celery_worker.wake()
    assert time.monotonic() - began > 0.6


@pytest.mark.storage
def test_web_processes_see_what_a_test_writes(web_processes, client):
    rita = User.objects.create_superuser("rita", password="a long password")
    client.force_login(rita)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    for process in web_processes(2):
        request = urllib.request.Request(f"{process.url}/admin/", headers={"Cookie": cookie})
        with urllib.request.urlopen(request) as answer:
            assert b"Raw records" in answer.read()


@pytest.mark.browser
def test_chromium_logs_in(live_server, page, transactional_db):
    User.objects.create_superuser("rita", password="a long password")
    page.goto(f"{live_server.url}/admin/")
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Raw records").wait_for()


@pytest.mark.browser
def test_chromium_is_driven_by_the_node_of_the_environment(browser):
    """Playwright's own one wants libatomic, which a bare machine does not have."""
    assert os.environ["PLAYWRIGHT_NODEJS_PATH"] == str(chromium.find_node())
    assert browser.is_connected()


@pytest.mark.browser
def test_what_a_page_shows_is_seen_soon(page):
    late = [1e9]  # ms, of which the least is not what others on the machine did
    while min(late) >= 250 and len(late) < 20:
        page.set_content("<p id=word hidden>Here</p>")
        page.evaluate(
            "setTimeout(() => { word.hidden = false; window.since = performance.now(); }, 450)"
        )
        expect(page.locator("#word")).to_be_visible()
        late.append(page.evaluate("performance.now() - window.since"))
    assert min(late) < 250  # by itself Playwright would look after 0.3 s, and then after 0.8


@pytest.mark.browser
def test_what_never_comes_is_waited_for_as_long_as_was_asked_for(page, monkeypatch):
    monkeypatch.setattr(looks, "STEP", 100)
    began = time.monotonic()
    with pytest.raises(AssertionError, match="expected to be visible"):
        expect(page.locator("#word")).to_be_visible(timeout=350)
    assert time.monotonic() - began >= 0.349  # a browser counts whole milliseconds


@pytest.mark.browser
def test_axe_finds_a_fault_under_our_content_security_policy(live_server, page, axe):
    page.goto(f"{live_server.url}/admin/")
    assert axe(page) == []
    page.locator("html").evaluate("element => element.removeAttribute('lang')")
    (fault,) = axe(page)
    assert fault.startswith("html-has-lang (serious)")


@pytest.mark.browser
def test_axe_looks_at_the_page_that_comes_while_it_looks(live_server, page, axe):
    page.goto(f"{live_server.url}/admin/")
    page.locator("html").evaluate("element => element.removeAttribute('lang')")
    page.evaluate("setTimeout(() => location.reload(), 100)")  # axe takes longer than this
    assert axe(page) == []


def test_an_own_redis_keeps_its_data_over_a_kill(own_redis):
    redis.Redis.from_url(own_redis.url()).set("name", "Alice")
    own_redis.kill()
    own_redis.start()
    assert redis.Redis.from_url(own_redis.url()).get("name") == b"Alice"


def test_an_own_postgres_comes_back_after_a_kill(own_postgres):
    with psycopg.connect(own_postgres.url("postgres"), autocommit=True) as link:
        link.execute("CREATE TABLE cast_ AS SELECT 'Alice' AS name")
    own_postgres.kill()
    own_postgres.start()
    with psycopg.connect(own_postgres.url("postgres")) as link:
        assert link.execute("SELECT name FROM cast_").fetchone() == ("Alice",)


def is_running(pid: str) -> bool:
    try:
        return Path("/proc", pid, "cmdline").read_bytes() != b""  # a zombie's is empty
    except OSError:
        return False


def test_nothing_is_left_when_the_test_run_is_killed(tmp_path):
    code = (
        "from tests.services.session import Services; import time;"
        "services = Services('postgres'); services.start();"
        "print(services.folder, *(one.child.pid for one in services.running), flush=True);"
        "time.sleep(600)"
    )
    run = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    folder, *pids = run.stdout.readline().decode().split()
    assert os.path.exists(folder)
    run.kill()
    run.wait()
    deadline = time.monotonic() + 30
    while os.path.exists(folder) or any(is_running(pid) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("folder", postgres.wheel_folders(), ids=lambda folder: folder.parent.name)
def test_the_postgresql_of_the_wheel_runs(folder, monkeypatch, process_folder):
    monkeypatch.setenv("PG_BIN", str(folder))
    server = postgres.Postgres(process_folder / folder.parent.name)
    try:
        with psycopg.connect(server.url("postgres")) as link:
            assert link.info.server_version // 10_000 in {16, 18}
    finally:
        server.stop()


def test_a_wrong_pg_bin_is_one_clear_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(ServiceFailed, match=rf"PG_BIN: .*\b{postgres.OLDEST}\b.*{tmp_path}"):
        postgres.find_postgres()


def test_a_machine_without_postgresql_or_redis_is_told_what_to_install(monkeypatch):
    monkeypatch.delenv("PG_BIN", raising=False)
    monkeypatch.setattr(postgres, "system_folders", list)
    monkeypatch.setattr(postgres, "wheel_folders", list)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ServiceFailed, match=r"\bpostgresql\b.*PG_BIN"):
        postgres.find_postgres()
    with pytest.raises(ServiceFailed, match="redis-server"):
        find_redis()


def test_a_machine_without_chromium_is_told_what_to_type(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(ServiceFailed, match=r"apt-get.* chromium"):
        chromium.find_chromium(tmp_path / "none", lock=tmp_path / "lock")


def test_a_machine_without_nginx_is_told_what_to_type(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    monkeypatch.setattr(nginx, "UNPACKED", tmp_path / "nginx")
    with pytest.raises(ServiceFailed, match=r"apt-get.* nginx-light"):
        nginx.find_nginx()
