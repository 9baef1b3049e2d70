"""Real web server processes on the test run's database, for what one process cannot show."""

import contextlib
import sys
import urllib.error
import urllib.request
from pathlib import Path

from tests.services.children import Child, ServiceFailed, free_port

THREADS = 4
BROKER_PATIENCE = "TEST_BROKER_PATIENCE"  # seconds, instead of the product's own
BROKER_PAUSE = "TEST_BROKER_PAUSE"  # seconds, the same
APPLICATION, IDLE = "tests.services.idle:counted", "/-/idle/"


class WebProcess:
    """granian with our WSGI application on a free port; `url` is where it answers."""

    def __init__(
        self,
        *,
        database: str,
        broker: str,
        log: Path,
        threads: int = THREADS,
        wait: bool = True,
        application: str = APPLICATION,
        **environment: str,
    ) -> None:
        self.application = application
        # All tests come from one address; who tests that limit sets it.
        self.environment = {
            "DATABASE_URL": database,
            "BROKER_URL": broker,
            "ARRIVALS_PER_ADDRESS": "0",
            **environment,
        }
        self.log, self.threads, self.port = log, threads, 0
        self.launch()
        if wait:
            self.wait_until_ready()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def launch(self) -> None:
        self.port = self.port or free_port()
        self.child = Child(self._command(), log=self.log, env=self.environment)

    def wait_until_ready(self) -> None:
        try:
            self.child.wait_until(self._answers)
        except ServiceFailed as failure:
            if "in use" not in str(failure):
                raise
            self.port = 0  # somebody else took the free port before we did
            self.launch()
            self.child.wait_until(self._answers)

    def start(self) -> None:
        """Start it again on the same port, after `kill()` or `stop()`."""
        self.launch()
        self.wait_until_ready()

    def _command(self) -> list[str]:
        return [
            *(sys.executable, "-m", "granian", "--interface", "wsgi", self.application),
            *("--host", "127.0.0.1", "--port", str(self.port), "--workers", "1"),
            *("--blocking-threads", str(self.threads), "--no-ws"),
        ]

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(self.url, timeout=10).close()
        except urllib.error.HTTPError:
            return True  # it answers; what it answers is for a test to judge
        except OSError:
            return False
        return True

    def is_idle(self) -> bool:
        """Wait until all that it was asked is answered; return whether it came to that."""
        with contextlib.suppress(OSError), urllib.request.urlopen(self.url + IDLE, timeout=20):
            return True
        return False

    def stop(self) -> None:
        self.child.stop()

    def kill(self) -> None:
        self.child.kill()


class WebServers:
    """The web servers of a pytest process; those that are as they began serve the next test, too.

    To start one takes about two seconds of computing, most of it imports.
    """

    def __init__(self, *, database: str, broker: str, folder: Path) -> None:
        self.database, self.broker, self.folder = database, broker, folder
        self.number = 0  # of all that were started
        self.free: list[WebProcess] = []
        self.in_use: list[WebProcess] = []
        self.of_one_test: list[WebProcess] = []  # with settings that no other test wants

    def take(self, number: int, *, threads: int = THREADS, **environment: str) -> list[WebProcess]:
        if threads != THREADS or environment:
            taken = [self._start(threads=threads, **environment) for _ in range(number)]
            self.of_one_test += taken
        else:
            self.free += [self._start() for _ in range(number - len(self.free))]
            taken, self.free = self.free[:number], self.free[number:]
            self.in_use += taken
        for process in taken:  # they started side by side
            process.wait_until_ready()
        return taken

    def _start(self, *, threads: int = THREADS, **environment: str) -> WebProcess:
        self.number += 1
        return WebProcess(
            database=self.database,
            broker=self.broker,
            log=self.folder / f"web{self.number}.log",
            threads=threads,
            wait=False,
            **{BROKER_PATIENCE: "20", **environment},
        )

    def give_back(self) -> None:
        """Before the database is emptied: no request may write into the next test."""
        for process in self.in_use:
            if process.child.is_running() and process.is_idle():
                self.free.append(process)
            else:
                process.stop()
        for process in self.of_one_test:
            process.stop()
        self.in_use, self.of_one_test = [], []

    def stop(self) -> None:
        self.give_back()
        for process in self.free:
            process.stop()
