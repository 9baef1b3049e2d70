"""Child processes that never outlive whoever started them."""

import contextlib
import ctypes
import errno
import ipaddress
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
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


def stop(process: subprocess.Popen[bytes], *, grace: float, signum: int = signal.SIGTERM) -> None:
    """Ask the process to end, give it `grace` seconds, then kill what is left of its group."""
    process.send_signal(signum)
    end_within(process, grace)


def end_within(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for a process that was asked to end, then kill what is left of its group."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(max(seconds, 0))
    kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
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
