"""A replication in scratch databases: two processes, a temporary folder, nothing left behind.

The database that is configured is never opened. Each half of the work is a child process of this
one with a SQLite file, a queue and secrets of its own in a temporary folder, which goes when the
work is over: after an error, Ctrl-C and SIGTERM too.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from config.processes import dies_with_parent, end_within
from config.settings import BASE_DIR

GRACE = 5  # seconds for a child to end
PATIENCE = 0.2  # seconds from a signal to our obeying it


class PartFailed(RuntimeError):
    """A half of the work ended early; the message is what it said last."""


class Stopped(RuntimeError):
    """We were told to end, by Ctrl-C or a signal; nothing is left behind."""

    def __init__(self, signum: int) -> None:
        self.signum = signum
        super().__init__("Stopped; nothing was written.")


def run_parts(
    parts: Sequence[str], *, data: Path, share: Callable[[float], None]
) -> list[dict[str, Any]]:
    """Do the parts side by side; return what each found, in their order.

    share hears how much of all the work is done, 0 to 1. Raises PartFailed, Stopped.
    """
    with (
        _signals() as received,
        tempfile.TemporaryDirectory(prefix="crowdwright-replicate-") as scratch,
    ):
        folder = Path(scratch)
        children = {part: _start(part, data, folder / part) for part in parts}
        try:
            _watch(children, share, received)
        finally:
            for child in children.values():
                child.terminate()
            for child in children.values():
                end_within(child, GRACE)
        for part, child in children.items():
            if child.returncode:
                raise PartFailed(_last_words(folder / part / "errors.log"))
        return [json.loads((folder / part / "found.json").read_text()) for part in parts]


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Record signals instead of obeying them immediately.

    Halfway through the start of a child they would leave it behind, with its folder.
    """
    received: list[int] = []

    def note(signum: int, frame: FrameType | None) -> None:
        received.append(signum)

    heard = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    # whoever lets us ignore one (nohup) means it
    before = {number: signal.getsignal(number) for number in heard}
    before = {number: handler for number, handler in before.items() if handler != signal.SIG_IGN}
    for number in before:
        signal.signal(number, note)
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(part: str, data: Path, folder: Path) -> "subprocess.Popen[bytes]":
    folder.mkdir()
    with (folder / "errors.log").open("wb") as errors:
        return subprocess.Popen(
            [sys.executable, "manage.py", "replicate_part", part, data.resolve(), folder],
            cwd=BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={
                **os.environ,
                "DATABASE_URL": f"sqlite:///{folder / 'scratch.sqlite3'}",
                "BROKER_URL": "filesystem://",  # a queue that nobody reads
                "CROWDWRIGHT_VAR": str(folder),
                "OPENBLAS_NUM_THREADS": "1",  # the cores are taken by the parts
                "OMP_NUM_THREADS": "1",
            },
            process_group=0,  # Ctrl-C is for us alone; we pass it on
            preexec_fn=dies_with_parent(),
        )


def _watch(
    children: "dict[str, subprocess.Popen[bytes]]",
    share: Callable[[float], None],
    received: Sequence[int],
) -> None:
    """Read what the children say of their progress until all have ended or one has failed.

    Raises Stopped.
    """
    done = dict.fromkeys(children, 0.0)
    with selectors.DefaultSelector() as selector:
        for part, child in children.items():
            selector.register(child.stdout, selectors.EVENT_READ, part)  # type: ignore[arg-type]
        while selector.get_map():
            for key, _ in selector.select(PATIENCE):
                line = key.fileobj.readline()  # type: ignore[union-attr]
                if line:
                    done[key.data] = float(line)
                    share(sum(done.values()) / len(done))
                    continue
                selector.unregister(key.fileobj)
                if children[key.data].wait():
                    return
            if received:
                raise Stopped(received[0])


def _last_words(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("CommandError: ") if lines else "It printed nothing."
