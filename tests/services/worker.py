"""A real Celery worker on the test run's database and Redis."""

import os
import signal
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

import redis

from tests.services.children import PATIENCE, Child, ServiceFailed

QUEUE, UNACKNOWLEDGED = "celery", ("unacked", "unacked_index", "unacked_mutex")
MARKER = "tests.marker"  # tests/services/markers.py


def celery(*, patience: float | None = None, code: str = "") -> list[str]:
    """Return Python's arguments that start `celery`, after running `code`."""
    if patience is None and not code:
        return ["-m", "celery", "-A", "config"]
    if patience is not None:
        code += f";app.conf.broker_transport_options['socket_timeout'] = {patience!r}"
    return ["-c", f"import sys; from config.celery import app{code}; app.start(sys.argv[1:])"]


class CeleryWorker:
    """`celery worker` in a child process: `kill()` and `start()` are there for tests of loss.

    `patience` is how many seconds it waits for a silent broker, instead of our ten; `modules` are
    imported when it starts.
    """

    def __init__(
        self,
        *,
        database: str,
        broker: str,
        log: Path,
        patience: float | None = None,
        modules: Sequence[str] = ("tests.services.markers",),
    ) -> None:
        self.environment = {
            "DATABASE_URL": database,
            "BROKER_URL": broker,
            "ENDPOINTS_INSIDE": "1",  # our endpoint of models is on this machine
        }
        self.broker = broker
        self.redis = redis.Redis.from_url(broker)
        self.log, self.patience, self.modules = log, patience, modules
        self.start()

    def start(self) -> None:
        self.rests = False
        self.log.unlink(missing_ok=True)
        self.child = Child(
            [
                sys.executable,
                *celery(patience=self.patience, code=f";import {', '.join(self.modules)}"),
                "worker",
                *("--pool", "solo", "--loglevel", "INFO"),
                *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            ],
            log=self.log,
            env=self.environment,
        )
        self.child.wait_until(lambda: b" ready" in self.log.read_bytes())

    def wait_until_idle(self, *, seconds: float = PATIENCE) -> None:
        """Wait until every task that was sent has been done.

        A task that the worker has just taken is in no list of the broker: Redis hands the next one
        even to a worker that was stopped while it waited. So two markers follow each other through
        the queue, until nothing was done between them.
        """
        deadline = time.monotonic() + seconds
        before = None
        while (begun := self._begun_at_marker(deadline)) != before:
            before = begun

    def _begun_at_marker(self, deadline: float) -> int:
        """Send a marker; when it is done, return how many other tasks the worker has begun."""
        from config.celery import app  # wants Django's settings

        key = f"marker-{uuid.uuid4().hex}"
        with app.connection_for_write(self.broker) as connection:
            app.send_task(MARKER, [self.broker, key], connection=connection)
        self._wait(lambda: self.redis.exists(key), deadline)
        self._wait(lambda: not self._holds_tasks(), deadline)
        return int(self.redis.getdel(key) or 0)

    def _holds_tasks(self) -> bool:
        return bool(self.redis.llen(QUEUE) or self.redis.hlen(UNACKNOWLEDGED[0]))

    def _wait(self, is_so: Callable[[], object], deadline: float) -> None:
        while not is_so():
            if not self.child.is_running():
                raise ServiceFailed(f"the Celery worker ended:\n{self.log.read_text()}")
            if time.monotonic() > deadline:
                raise ServiceFailed("tasks are not done in time")
            time.sleep(0.01)

    def clear(self) -> None:
        """Make it as new for the next test: nothing queued, nothing under way, running."""
        self.redis.delete(QUEUE)
        if self.rests:
            return
        try:
            self.wait_until_idle(seconds=10)
        except ServiceFailed:
            self.kill()
            self.redis.delete(QUEUE, *UNACKNOWLEDGED)
        if not self.child.is_running():
            self.start()

    def rest(self) -> None:
        """Stop working until `wake`, so that jobs of tests without a worker stay undone."""
        self.clear()
        deadline = time.monotonic() + 30
        while not self._waits_for_tasks() and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(self.child.pid, signal.SIGSTOP)
        self.rests = True

    def _waits_for_tasks(self) -> bool:
        """Return whether Redis would hand it the next task, even while it is stopped."""
        own = str(self.redis.connection_pool.connection_kwargs["db"])
        return any(
            client["db"] == own and client["cmd"] == "brpop" and "b" in client["flags"]
            for client in self.redis.client_list()
        )

    def wake(self) -> None:
        """Go on after a rest, for a test that begins: a job that came meanwhile is done or gone."""
        self._go_on()
        self.clear()

    def stop(self) -> None:
        self._go_on()  # a stopped process hears of nothing else
        self.child.stop()
        self.redis.close()

    def kill(self) -> None:
        self.child.kill()

    def _go_on(self) -> None:
        if self.child.is_running():
            os.kill(self.child.pid, signal.SIGCONT)
        self.rests = False
