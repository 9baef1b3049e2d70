"""What one test run needs, started once and told to every process by the environment.

The main pytest process starts PostgreSQL and Redis before Django's settings are loaded, and stops
them at the end; pytest-xdist's workers inherit its environment and only choose a Redis database
of their own. Nothing is left behind: one temporary folder holds everything, and goes with it also
when the run is killed.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.services.children import ROOT
from tests.services.chromium import find_node
from tests.services.leftovers import remove
from tests.services.postgres import Postgres
from tests.services.redis import Redis

FOLDER = "CROWDWRIGHT_TEST_FOLDER"  # where the run keeps everything, for its child processes


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
        self.running: list[Postgres | Redis] = []
        try:
            redis = Redis(self.folder / "redis")
            self.running.append(redis)
            database = f"sqlite:///{self.folder / 'crowdwright.sqlite3'}"
            if storage == "postgres":
                postgres = Postgres(self.folder / "postgres")
                self.running.append(postgres)
                database = postgres.url()
        except BaseException:
            self.stop()
            raise
        set_environment(self.folder, database, redis.url())

    def stop(self) -> None:
        for service in self.running:
            service.stop()
        remove(self.folder)
        self.watcher.communicate()


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
    var = folder / "var"
    (var / "static").mkdir(parents=True, exist_ok=True)  # WhiteNoise warns where there is none
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
    """Give pytest-xdist's worker `gw3` the Redis database 4."""
    number = int(worker.removeprefix("gw")) + 1
    os.environ["BROKER_URL"] = f"{os.environ['BROKER_URL'].rpartition('/')[0]}/{number}"
