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
    """Return the least seconds of several runs after a warm-up, and the last result.

    The minimum is the cost of the work; the rest is due to other load. Short work is repeated
    for a second, so that it finds a quiet moment.
    """
    result = work() if warm else None
    seconds: list[float] = []
    while len(seconds) < runs or sum(seconds) < ENOUGH:
        began = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - began)
    return min(seconds), result


def peak_megabytes() -> float:
    """Return the peak memory of this process in MB, including its imports.

    Linux's own figure is used if available: getrusage() starts a child at its parent's size.
    """
    if STATUS.exists():
        return peak_of(STATUS)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (MEGABYTE if sys.platform == "darwin" else 1024)


def peak_of(status: Path) -> float:
    """Return the peak that a /proc/*/status reports, in MB."""
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def in_child(work: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    """Run the work in a process of its own; return its result and peak memory in MB."""
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
