"""`manage.py serve` as people meet it: one command, one Ctrl-C, nothing left.

It meets a database that is migrated; test_guides.py serves where there is none.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.services.children import PATIENCE, ROOT, free_port
from tests.services.databases import migrated_file

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not Path("/proc").exists(), reason="looks for left-over processes in /proc"),
]


class Serve:
    """`manage.py serve` with a database and a queue of its own."""

    def __init__(self, folder: Path, *options: str, **env: str) -> None:
        self.folder, self.port = folder, free_port()
        self.output = folder / "output"
        kept = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port), *options],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**kept, "CROWDWRIGHT_VAR": str(folder), **env},
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text()

    def wait_for(self, words: str, *, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while words not in self.said():
            assert time.monotonic() < deadline, f"no {words!r} in:\n{self.said()}"
            time.sleep(0.05)

    def wait_until_ready(self) -> None:
        self.wait_for("Crowdwright runs at")
        self.wait_for("ready.")  # the worker

    def answers(self) -> bool:
        address = f"http://127.0.0.1:{self.port}/admin/login/"
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return answer.status == 200

    def processes(self, *words: str) -> list[int]:
        """Every process of it that is still there and has these names or arguments."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes()
                # the name of a fork, and what it forked has a command line
                command = [
                    (folder / "comm").read_bytes().strip(),
                    *(folder / "cmdline").read_bytes().split(b"\0"),
                ]
            except OSError:
                continue
            mine = f"CROWDWRIGHT_VAR={self.folder}".encode() in environment.split(b"\0")
            if mine and all(word.encode() in command for word in words):
                found.append(int(folder.name))
        return found

    def kill(self, *words: str) -> None:
        for pid in self.processes(*words):
            with contextlib.suppress(ProcessLookupError):  # it died with the one before it
                os.kill(pid, signal.SIGKILL)

    def is_gone(self, *, seconds: float = PATIENCE) -> bool:
        deadline = time.monotonic() + seconds
        while self.processes():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True


@pytest.fixture
def serve(tmp_path):
    started = []

    def start(*options: str, **env: str) -> Serve:
        folder = tmp_path / str(len(started))
        folder.mkdir()
        shutil.copyfile(migrated_file(), folder / "crowdwright.sqlite3")
        started.append(Serve(folder, *options, **env))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.process.wait()


def test_nothing_is_left_when_it_is_killed(serve):
    running = serve()
    running.wait_until_ready()
    assert len(running.processes()) >= 4
    running.process.kill()
    assert running.is_gone(), running.processes()


def test_the_way_to_the_first_account_is_told_once_it_can_be_gone(serve):
    running = serve()
    running.wait_for("first account:")
    assert running.said().startswith("Preparing the database…")
    address = re.search(r"first account: (\S+)", running.said())[1]
    with urllib.request.urlopen(address, timeout=PATIENCE) as page:
        assert page.status == 200


def test_a_killed_worker_is_started_again_and_many_signals_are_as_good_as_one(serve):
    running = serve()
    running.wait_until_ready()
    (worker,) = running.processes("worker")
    os.kill(worker, signal.SIGKILL)
    running.wait_for("The worker stopped (exit code -9) and is restarting")
    deadline = time.monotonic() + PATIENCE
    while running.said().count("ready.") < 2:
        assert time.monotonic() < deadline, running.said()
        time.sleep(0.05)
    assert running.answers()
    for _ in range(3):
        running.process.send_signal(signal.SIGINT)
        running.process.send_signal(signal.SIGTERM)
        time.sleep(0.05)
    assert running.process.wait(PATIENCE) == 0
    assert "Traceback" not in running.said()
    assert running.processes() == []


def test_it_ends_with_a_sentence_when_the_web_server_does(serve):
    running = serve()
    running.wait_until_ready()
    running.kill("web server")
    assert running.process.wait(PATIENCE) == 1
    assert "The web server stopped" in running.said()
    assert "Traceback" not in running.said()
    assert running.is_gone()


def test_a_taken_port_is_one_clear_sentence(serve):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        running = serve("--port", str(other.getsockname()[1]))
        assert running.process.wait(PATIENCE) == 1
    assert "(Address already in use). Choose another with --port" in running.said()


def test_with_redis_the_worker_is_somebody_elses(serve, broker_url):
    running = serve(BROKER_URL=broker_url)
    running.wait_for("Crowdwright runs at")
    assert "celery -A config worker" in running.said()
    assert running.processes("celery") == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_it_refuses_to_be_reached_by_others_without_a_proxy(serve, host):
    """Forty slow bodies would stop every page, as test_proxy.py shows."""
    running = serve("--host", host)
    assert running.process.wait(PATIENCE) == 1
    said = running.said()
    assert "BEHIND_PROXY=1" in said or "--port" in said  # 192.0.2.1 is nobody's
    assert "Crowdwright runs at" not in said


def test_it_can_be_reached_by_a_proxy(serve):
    running = serve("--host", "0.0.0.0", BEHIND_PROXY="1")
    running.wait_for("Crowdwright runs at")
