"""How far a job is, in a file of the upload's folder: the job's own transaction shows nothing.

A job holds the lock of the folder as long as it lives: whoever gets it knows that nobody is at
work, however the last one ended. Files, no rows.
"""

import fcntl
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

EVERY = 0.5  # seconds


class UploadProgress:
    """Notes how much of the files is read; called by the importing code."""

    def __init__(self, folder: Path, sizes: dict[str, int]) -> None:
        self._path = folder / "progress"
        self._sizes = sizes
        self._read: dict[str, int] = {}
        self._noted = 0.0
        self._path.unlink(missing_ok=True)

    def __call__(self, label: str, position: int) -> None:
        self._read[label] = position
        if time.monotonic() - self._noted > EVERY:
            self._noted = time.monotonic()
            self.note(label)

    def note(self, label: str) -> None:
        state = {
            "file": label,
            "read": sum(self._read.values()),
            "total": sum(self._sizes.values()),
        }
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(state))
        part.replace(self._path)


def progress_of(folder: Path) -> dict[str, object]:
    """Return the last progress of a job; empty before it begins."""
    try:
        state: dict[str, object] = json.loads((folder / "progress").read_text())
    except (OSError, ValueError):
        return {}
    return state


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Hold the lock of the folder; False where somebody else has it, or there is no folder."""
    try:
        file = (folder / "lock").open("w")
    except OSError:
        yield False
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
