"""Removes the folder of a test run whose process was killed: `python leftovers.py FOLDER`.

It waits for the end of its standard input, which is the end of whoever holds the other side.
"""

import shutil
import sys
import time
from pathlib import Path


def remove(folder: Path) -> None:
    for _ in range(50):  # a service that is still stopping may write once more
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.2)


if __name__ == "__main__":
    sys.stdin.read()
    remove(Path(sys.argv[1]))
