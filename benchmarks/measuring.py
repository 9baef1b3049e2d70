"""Seconds and memory, measured alike for ourselves and for the peers."""

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MEGABYTE = 1 << 20
STATUS = Path("/proc/self/status")
ENOUGH = 1.0  # seconds


def best(work: Callable[[], Any], *, runs: int = 3, warm: bool = True) -> tuple[float, Any]:
    """The least seconds of several runs after a warm-up, and what the last run returned.

    The least is what the work takes; anything above it is what others did on the machine. Short
    work is repeated for a second, so that it finds a quiet moment.
    """
    result = work() if warm else None
    seconds: list[float] = []
    while len(seconds) < runs or sum(seconds) < ENOUGH:
        began = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - began)
    return min(seconds), result


def peak_megabytes() -> float:
    """The most memory that this process ever held at once, what it imported included.

    Linux's own figure, where there is one: to getrusage() a child starts as large as its parent.
    """
    if STATUS.exists():
        return peak_of(STATUS)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (MEGABYTE if sys.platform == "darwin" else 1024)


def peak_of(status: Path) -> float:
    """The peak that a /proc/*/status reports, in MB."""
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def in_child(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """What the work returned in a process of its own, and the peak memory of that process in MB."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    try:
        answer = ours.recv()
    except EOFError:
        raise SystemExit(f"{work.__name__}{arguments} ended without an answer") from None
    process.join()
    return answer


def _run(pipe: Any, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    result = work(*arguments)
    pipe.send((result, peak_megabytes()))
