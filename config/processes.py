"""Child processes that never outlive whoever started them."""

import contextlib
import ctypes
import errno
import ipaddress
import multiprocessing
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def dies_with_parent(signum: int = signal.SIGTERM) -> Callable[[], None] | None:
    """Make the `preexec_fn` for a child that the kernel stops when this process is gone.

    Also after `kill -9`, when nothing of ours can run any more. Only Linux has this, and the
    kernel looks at the thread that started the child: start it from the main one.
    """
    if _libc is None:
        return None
    libc, parent = _libc, os.getpid()

    def preexec() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signum)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    return preexec


class ChildProcess(Protocol):
    """A process that was started here: of subprocess, or forked."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def terminate(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class ForkedProcess:
    """A fork of this process that runs a function, with all that is imported already.

    Fork before this process has threads or connections: neither survives.
    """

    def __init__(self, run: Callable[[], None]) -> None:
        self._process = multiprocessing.get_context("fork").Process(target=run)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code. Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0.0)
        return self._process.exitcode


def run_module(
    module: str,
    arguments: Sequence[str],
    name: str,
    env: Mapping[str, str],
    cwd: Path,
    preexec: Callable[[], None] | None,
    quiet: bool = False,
) -> None:
    """Run `python -m module` in this process, a fork."""
    if quiet:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.setpgid(0, 0)  # Ctrl-C is for the parent alone
    for signum in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if preexec:
        preexec()
    if _libc is not None:
        _libc.prctl(_PR_SET_NAME, name.encode())
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def stop(process: subprocess.Popen[bytes], *, grace: float, signum: int = signal.SIGTERM) -> None:
    """Ask the process to end, give it `grace` seconds, then kill what is left of its group."""
    process.send_signal(signum)
    end_within(process, grace)


def end_within(process: ChildProcess, seconds: float) -> None:
    """Wait for a process that was asked to end, then kill what is left of its group."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(seconds, 0))
    kill(process)


def kill(process: ChildProcess) -> None:
    """Kill what is left of the process group, also when its leader has ended already."""
    # No such group, or (macOS says EPERM) only zombies in it: nothing is left.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def check_port(host: str, port: int) -> None:
    """Raise the OSError that a server would get at this address."""
    if not 0 < port < 1 << 16:
        raise OSError(errno.EADDRNOTAVAIL, "ports are from 1 to 65535")
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach the address."""
    resolved = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return all(ipaddress.ip_address(address[0]).is_loopback for *_, address in resolved)


def accepts(host: str, port: int) -> bool:
    """Say whether somebody listens at this address."""
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True
