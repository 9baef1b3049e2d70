"""Starting a child process, waiting until it answers, and saying why when it does not."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from config.processes import dies_with_parent, kill, stop

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0  # seconds until a process answers; one that ended is not waited for


class ServiceFailed(Exception):
    """A service that the tests need did not start; the sentence says why."""


_kept: list[socket.socket] = []


def free_port() -> int:
    """Return a free port; on Linux the kernel gives it to nobody else while this process lives.

    So a server that is killed finds it free when it starts again. Servers allow the reuse of an
    address, which lets them listen beside a socket that does not.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("127.0.0.1", 0))
    if sys.platform == "linux":
        _kept.append(probe)
    port = int(probe.getsockname()[1])
    if probe not in _kept:
        probe.close()
    return port


class HeldPort:
    """A free port that the kernel gives to nobody else until a server takes it."""

    def __init__(self) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.number = int(self.socket.getsockname()[1])

    def release(self) -> int:
        self.socket.close()
        return self.number


class Child:
    """One running process in a group of its own; what it prints is kept in `log`."""

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        log: Path,
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        stop_signal: int = signal.SIGTERM,
        **popen: Any,
    ) -> None:
        self.name = Path(command[0]).name if "-m" not in command else str(command[2])
        self.log, self.stop_signal = log, stop_signal
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **(env or {})},
                cwd=cwd,
                process_group=0,
                preexec_fn=dies_with_parent(stop_signal),
                **popen,
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def is_running(self) -> bool:
        return self.process.poll() is None

    def wait_until(self, answers: Callable[[], bool], *, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not answers():
            if not self.is_running():
                raise ServiceFailed(
                    f"{self.name} ended with {self.process.returncode}{self._end()}"
                )
            if time.monotonic() > deadline:
                self.stop(grace=0)
                raise ServiceFailed(f"{self.name} did not answer in {seconds:g} s{self._end()}")
            time.sleep(0.02)

    def stop(self, *, grace: float = 10) -> None:
        stop(self.process, grace=grace, signum=self.stop_signal)

    def kill(self) -> None:
        """Kill the process as `kill -9` does."""
        kill(self.process)

    def _end(self) -> str:
        text = self.log.read_text(errors="replace").strip()
        return ":\n" + "\n".join(text.splitlines()[-25:])
