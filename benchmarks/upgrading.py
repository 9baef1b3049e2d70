"""Upgrade under load: `python -m benchmarks.upgrading [COMMIT]`, the last release by default.

A database that the earlier release made and works with, its web process, and a participant who
saves all the time. Then `manage.py upgrade` of this release, and the restart. Shown are the answers
of the server (0: it restarts), and whether an acknowledged save was lost.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from functools import partial
from pathlib import Path

import psycopg

from benchmarks.hot_path import git, last_release
from tests.services.children import ROOT, Child, free_port
from tests.services.postgres import Postgres
from tests.services.redis import Redis
from tests.services.saver import Saver

FIRST = "0a9ba5c3c"  # the commit of 0.1.0, before which no database is upgraded
FILL = """
import django; django.setup()
from django.utils import timezone
from tests.cast import begun, bob, small_study
made = begun(small_study(responses=3, time_limit_minutes=600), bob(), now=timezone.now())
print(made.token)
"""


def main() -> None:
    commit = sys.argv[1] if len(sys.argv) > 1 else last_release(FIRST)
    folder = Path(os.environ.get("TMPDIR", "/tmp"), f"crowdwright-upgrading-{os.getpid()}")
    folder.mkdir()
    folder.chmod(0o711)
    earlier = folder / "earlier"
    git("worktree", "add", "--quiet", "--detach", str(earlier), commit)
    postgres, redis = Postgres(folder / "postgres", durable=True), Redis(folder / "redis")
    os.environ |= {
        "DATABASE_URL": postgres.url("postgres"),
        "BROKER_URL": redis.url(),
        "CROWDWRIGHT_VAR": str(folder / "var"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "ARRIVALS_PER_ADDRESS": "0",
    }
    try:
        print(json.dumps({"from": commit} | rehearse(folder, earlier), indent=2))
    finally:
        redis.stop()
        postgres.stop()
        git("worktree", "remove", "--force", str(earlier))
        subprocess.run(["rm", "-rf", str(folder)], check=True)


def rehearse(folder: Path, earlier: Path) -> dict:
    manage(earlier, "manage.py", "migrate", "--verbosity", "0")
    token = manage(earlier, "-c", FILL).split()[-1]
    port = free_port()
    host = serve(earlier, port, folder / "earlier.log")
    host.wait_until(partial(opens, f"http://127.0.0.1:{port}/w/{token}/judging/"))
    saver = Saver(token, url=f"http://127.0.0.1:{port}")
    saver.start()
    try:
        saver.wait_for(20)
        began = time.perf_counter()
        said = manage(ROOT, "manage.py", "upgrade")
        seconds = time.perf_counter() - began
        during = dict(saver.statuses)
        host.stop()
        host = serve(ROOT, port, folder / "now.log")
        saver.wait_for(20)
        acknowledged = saver.end()
    finally:
        saver.stopping.set()
        host.stop()
    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        (stored,) = database.execute("SELECT raw FROM judging_judgment").fetchone()
    return {
        "migrations": [line for line in said.splitlines() if "migrations" in line],
        "seconds": round(seconds, 1),
        "answers until it ended": during,
        "answers in all": dict(saver.statuses),
        "lost": acknowledged != stored,
    }


def opens(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=60).close()
    except OSError:
        return False
    return True


def manage(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def serve(root: Path, port: int, log: Path) -> Child:
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "config.wsgi:application"]
    command += ["--port", str(port), "--no-ws", "--blocking-threads", "4"]
    return Child(command, log=log, cwd=root)


if __name__ == "__main__":
    main()
