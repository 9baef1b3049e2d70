"""Folder of the counters that the processes of a host share (prometheus_client)."""

import os
import shutil
import socket
import time
from pathlib import Path

KEPT = 30 * 24 * 3600  # seconds without a change, of files of hosts that are gone


def prepare(folder: Path) -> None:
    """Let this host's processes count in a folder of their own. Before prometheus_client loads.

    Containers that share a folder have processes of the same number, but no common host name.
    """
    own = folder / socket.gethostname()
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(own)
    for other in folder.iterdir():
        if other != own and time.time() - other.stat().st_mtime > KEPT:
            shutil.rmtree(other, ignore_errors=True)
