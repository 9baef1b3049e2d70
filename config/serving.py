"""The web server, the worker and the clock, run together by one process and stopped with it."""

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

from config.processes import ChildProcess, ForkedProcess, dies_with_parent, end_within, run_module

GRACE = 10.0  # seconds that a request or a job has to finish when it is time to stop
PAUSE = 1.0  # seconds before a worker that ended is started again
ROOT_WARNING = "ignore:You're running the worker with superuser privileges"
FORKS = sys.platform == "linux"  # elsewhere system libraries don't survive it


class WebServerEnded(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(f"The web server stopped (exit code {code}); see its output above")


@dataclass(frozen=True)
class ServerProcess:
    """One child process, `python -m module`: its name, and what happens when it ends."""

    name: str
    module: str
    arguments: Sequence[str]
    restarts: bool
    # What the kernel sends when `serve` was killed. The web server passes SIGTERM on to its own
    # children; the others have none and could be in the middle of something long.
    death_signal: int = signal.SIGKILL

    @property
    def command(self) -> list[str]:
        # Celery warns root at length, and a container or a bare machine has only root.
        return [sys.executable, "-W", ROOT_WARNING, "-m", self.module, *self.arguments]


def web_part(host: str, port: int, *, workers: int, threads: int) -> ServerProcess:
    arguments = [
        *("--interface", "wsgi", "config.wsgi:application"),
        *("--host", host, "--port", str(port), "--no-ws", "--log-level", "warning"),
        *("--workers", str(workers), "--workers-kill-timeout", str(int(GRACE) - 2)),
        "--respawn-failed-workers",
        # A thread keeps its database connection: it should live longer than a quiet minute.
        *("--blocking-threads", str(threads), "--blocking-threads-idle-timeout", "600"),
    ]
    return ServerProcess(
        "web server", "granian", arguments, restarts=False, death_signal=signal.SIGTERM
    )


def _celery(name: str, *arguments: str) -> ServerProcess:
    return ServerProcess(name, "celery", ["--quiet", "-A", "config", *arguments], restarts=True)


def worker_part(log_level: str) -> ServerProcess:
    alone = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return _celery("worker", "worker", "--pool", "solo", "--loglevel", log_level, *alone)


def clock_part(log_level: str, schedule: Path) -> ServerProcess:
    # A process of its own: inside a solo worker it would wait for every long job.
    options = ("--schedule", str(schedule), "--pidfile", "")
    return _celery("clock", "beat", "--loglevel", log_level, *options)


class Supervisor:
    """Runs the parts until a signal comes or the web server ends.

    On Linux they are forks of this process: what it has imported they need not import.
    """

    def __init__(
        self,
        parts: Sequence[ServerProcess],
        *,
        env: Mapping[str, str],
        cwd: Path,
        say: Callable[[str], None],
    ) -> None:
        self.parts, self.env, self.cwd, self.say = parts, env, cwd, say
        self.running: dict[str, ChildProcess] = {}
        self.due: dict[str, float] = {}  # when a part that ended is started again
        self.stopping = False

    def run(self, *, is_ready: Callable[[], bool], ready: str) -> None:
        """1. Start every part. 2. Watch them, say once that all is ready. 3. Stop every part.

        Raises WebServerEnded when it did so unasked.
        """
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self._on_signal)
        announced = False
        try:
            for part in self.parts:
                self._start(part)
            while not self.stopping:
                for part in self.parts:
                    self._watch(part)
                if not announced and is_ready():
                    self.say(ready)
                    announced = True
                time.sleep(0.1)
        finally:
            self._stop()

    def _on_signal(self, signum: int, frame: FrameType | None) -> None:
        self.stopping = True  # a second signal changes nothing: the grace is short

    def _start(self, part: ServerProcess) -> None:
        self.running[part.name] = start_part(part, env=self.env, cwd=self.cwd)

    def _watch(self, part: ServerProcess) -> None:
        code = self.running[part.name].poll()
        if code is None:
            return
        if not part.restarts:
            raise WebServerEnded(code)
        if part.name not in self.due:
            self.say(f"The {part.name} stopped (exit code {code}) and is restarting")
            self.due[part.name] = time.monotonic() + PAUSE
        elif time.monotonic() >= self.due[part.name]:
            del self.due[part.name]
            self._start(part)

    def _stop(self) -> None:
        deadline = time.monotonic() + GRACE
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            end_within(process, deadline - time.monotonic())


def start_part(
    part: ServerProcess, *, env: Mapping[str, str], cwd: Path, quiet: bool = False
) -> ChildProcess:
    """Start a part that never outlives this process; a quiet one shows only its errors."""
    preexec = dies_with_parent(part.death_signal)
    if FORKS:
        warnings.filterwarnings("ignore", ROOT_WARNING.partition(":")[2])
        run = partial(
            run_module,
            part.module,
            part.arguments,
            name=part.name,
            env=env,
            cwd=cwd,
            preexec=preexec,
            quiet=quiet,
        )
        return ForkedProcess(run)
    return subprocess.Popen(
        part.command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else None,
        env={**os.environ, **env},
        cwd=cwd,
        process_group=0,  # Ctrl-C is for the parent alone; it passes it on
        preexec_fn=preexec,
    )
