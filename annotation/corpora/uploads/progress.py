"""Progress of a job, in a file of the upload's folder: the job's transaction shows nothing.

A job holds the lock of the folder as long as it lives: whoever gets it knows that nobody is at
work, however the last one ended. Files, no rows.
"""

import fcntl
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotation.texts.time_left import seconds_left

EVERY = 0.5  # seconds


class UploadProgress:
    """Notes how much of the files is read; called by the importing code."""

    def __init__(self, folder: Path, sizes: dict[str, int]) -> None:
        self._path = folder / "progress"
        self._sizes = sizes
        self._read: dict[str, int] = {}
        self._rows: dict[str, int] = {}
        self._began = time.monotonic()
        self._noted = 0.0
        self._path.unlink(missing_ok=True)

    def __call__(self, label: str, position: int, row: int) -> None:
        # A file that is read once more for another kind of rows does not begin again.
        self._read[label] = max(position, self._read.get(label, 0))
        self._rows[label] = max(row, self._rows.get(label, 0))
        if time.monotonic() - self._noted > EVERY:
            self._noted = time.monotonic()
            self.note(label)

    def note(self, label: str) -> None:
        read, total = sum(self._read.values()), sum(self._sizes.values())
        state = {
            "file": label,
            "read": read,
            "total": total,
            "rows": sum(self._rows.values()),
            "seconds_left": seconds_left(time.monotonic() - self._began, read, total),
        }
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(state))
        part.replace(self._path)


def progress_of(folder: Path) -> dict[str, Any]:
    """Return the last progress of a job; empty before it begins."""
    try:
        state: dict[str, Any] = json.loads((folder / "progress").read_text())
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
