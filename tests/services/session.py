"""PostgreSQL and Redis of a test run, started when the first test asks for them.

The main pytest process holds their ports, sets the environment before Django's settings are loaded,
starts the servers when it or one of pytest-xdist's workers asks, and stops them at the end. The
workers inherit its environment and only choose a Redis database of their own. Nothing is left
behind: one temporary folder holds everything, and goes with it also when the run is killed.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
from multiprocessing.connection import Client, Listener
from pathlib import Path

from tests.services.children import ROOT, HeldPort, ServiceFailed
from tests.services.chromium import find_node
from tests.services.leftovers import remove
from tests.services.postgres import Postgres, postgres_url
from tests.services.redis import Redis, redis_url

FOLDER = "CROWDWRIGHT_TEST_FOLDER"  # where the run keeps everything, for its child processes
SOCKET = "services.sock"  # in that folder: where pytest-xdist's workers ask for the services


class Services:
    """PostgreSQL (with storage `postgres`) and Redis in a temporary folder."""

    def __init__(self, storage: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="crowdwright-tests-", dir=_public_folder()))
        self.folder.chmod(0o711)  # PostgreSQL's user passes through
        self.watcher = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("leftovers.py"), self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.lock = threading.Lock()
        self.running: list[Postgres | Redis] = []
        self.failure: Exception | None = None
        self.listener: Listener | None = None
        self.redis_port = HeldPort()
        self.postgres_port = HeldPort() if storage == "postgres" else None
        database = f"sqlite:///{self.folder / 'crowdwright.sqlite3'}"
        if self.postgres_port:
            database = postgres_url(self.postgres_port.number)
        set_environment(self.folder, database, redis_url(self.redis_port.number))

    def start(self) -> None:
        """Start the servers, unless they run."""
        with self.lock:
            if self.failure:
                raise self.failure
            if not self.running:
                try:
                    self._start()
                except (ServiceFailed, OSError) as failure:
                    self.failure = failure
                    raise

    def _start(self) -> None:
        if self.postgres_port:
            self.running.append(Postgres(self.folder / "postgres", port=self.postgres_port))
        self.running.append(Redis(self.folder / "redis", port=self.redis_port))

    def answer_workers(self) -> None:
        """Start the servers when one of pytest-xdist's workers asks for them.

        A server ends with the thread that started it, so this one lasts as long as the process.
        """
        self.listener = Listener(str(self.folder / SOCKET))
        threading.Thread(target=self._answer, args=[self.listener], daemon=True).start()

    def _answer(self, listener: Listener) -> None:
        while True:
            with listener.accept() as connection:
                try:
                    self.start()
                    connection.send("")
                except (ServiceFailed, OSError) as failure:
                    connection.send(str(failure))

    def stop(self) -> None:
        with self.lock:
            for service in self.running:
                service.stop()
        if self.listener:
            self.listener.close()
        remove(self.folder)
        self.watcher.communicate()


def ask_for_services() -> None:
    """Let the main process start the servers, from one of pytest-xdist's workers."""
    with Client(str(run_folder() / SOCKET)) as connection:
        if failure := connection.recv():
            raise ServiceFailed(failure)


def run_folder() -> Path:
    return Path(os.environ[FOLDER])


def _public_folder() -> str | None:
    """Return a folder that PostgreSQL's user can reach, where the default is one that it cannot."""
    folder = Path(tempfile.gettempdir()).resolve()
    everyone_passes = all(path.stat().st_mode & 0o001 for path in (folder, *folder.parents))
    return None if everyone_passes or os.geteuid() != 0 else "/tmp"


def set_environment(folder: Path, database: str, broker: str) -> None:
    """Make the environment the test run's own: nothing of the user's settings counts."""
    for name in re.findall(r"^#? ?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE):
        os.environ.pop(name, None)
    # Else each of the many processes of a run compiles all our code again, which is a second of it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    var = _made(folder / "var")
    os.environ.update(
        {
            FOLDER: str(folder),
            "CROWDWRIGHT_VAR": str(var),
            "DATABASE_URL": database,
            "BROKER_URL": broker,
            "SECRET_KEY": "a key for tests, which are no secret: " + "0" * 20,
            "PSEUDONYM_KEY": "another key for tests, also no secret: " + "0" * 20,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            # Playwright's loop makes Django believe that tests were asynchronous.
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
        }
    )
    if node := find_node():
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node)


def set_worker_environment(worker: str) -> None:
    """Give pytest-xdist's worker `gw3` the Redis database 4 and a folder of files.

    One worker's housekeeping deletes uploads that its database does not have: they are another's.
    """
    number = int(worker.removeprefix("gw")) + 1
    os.environ["CROWDWRIGHT_VAR"] = str(_made(run_folder() / f"var-{worker}"))
    os.environ["BROKER_URL"] = f"{os.environ['BROKER_URL'].rpartition('/')[0]}/{number}"


def _made(var: Path) -> Path:
    (var / "static").mkdir(parents=True, exist_ok=True)  # WhiteNoise warns where there is none
    return var
