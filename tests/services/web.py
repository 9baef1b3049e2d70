"""Real web server processes on the test run's database, for what one process cannot show."""

import sys
import urllib.error
import urllib.request
from pathlib import Path

from tests.services.children import Child, ServiceFailed, free_port


class WebProcess:
    """granian with our WSGI application on a free port; `url` is where it answers."""

    def __init__(
        self,
        *,
        database: str,
        broker: str,
        log: Path,
        threads: int = 4,
        wait: bool = True,
        **environment: str,
    ) -> None:
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
            *(sys.executable, "-m", "granian", "--interface", "wsgi", "config.wsgi:application"),
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

    def stop(self) -> None:
        self.child.stop()

    def kill(self) -> None:
        self.child.kill()
