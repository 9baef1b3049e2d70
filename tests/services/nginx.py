"""An nginx: the system's, or (as root) one that apt downloads and that is only unpacked.

It is not installed: Debian would start its own nginx on port 80, and again whenever the machine
starts. What is unpacked lies in the environment and goes with it.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.services.children import ServiceFailed

FOLDERS = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin"
UNPACKED = Path(sys.prefix) / "nginx"


def find_nginx() -> Path:
    """Return an executable; unpack one when there is none and we may. One process at a time."""
    if system := shutil.which("nginx", path=FOLDERS):
        return Path(system)
    with UNPACKED.with_suffix(".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not UNPACKED.exists():
            _unpack()
    return UNPACKED / "usr/sbin/nginx"


def environment(nginx: Path) -> dict[str, str]:
    """Return what an unpacked one finds the libraries by that came with it."""
    if not nginx.is_relative_to(UNPACKED):
        return {}
    folders = {str(library.parent) for library in UNPACKED.glob("**/*.so.*")}
    return {"LD_LIBRARY_PATH": ":".join(sorted(folders))}


def _unpack() -> None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise ServiceFailed(
            "nginx: there is none on this machine; type `sudo apt-get install nginx-light`"
        )
    with TemporaryDirectory(dir=UNPACKED.parent, prefix="nginx-") as kept:
        archives, root = Path(kept, "archives"), Path(kept, "root")
        (archives / "partial").mkdir(parents=True)
        _apt("update")
        _apt(
            *("install", "--yes", "--download-only", "--no-install-recommends"),
            *("-o", f"Dir::Cache::archives={archives}", "nginx"),
        )
        for archive in archives.glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", archive, root], check=True)
        root.rename(UNPACKED)


def _apt(*arguments: str) -> None:
    done = subprocess.run(
        ["apt-get", "-q", *arguments],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise ServiceFailed(f"nginx: apt-get could not download it: {done.stderr.strip()}")
