"""Measure the CPU time of a save and of a page, here and in an earlier commit, in turns.

    .venv-bench/bin/python -m benchmarks.hot_path [--beside COMMIT] [--rounds 3]

Each tree runs in a process of its own: a PostgreSQL, a study of one questionnaire, and requests
that go straight to the WSGI application, so that no server, network or second client is measured.
A cycle is an item shown and its seven answers saved in one request: all items share the first page
and the requests for those that follow; in a tree that cannot send those, each item is a page. CPU
times are those of the thread that answers and of its PostgreSQL backend; the least of all
rounds counts. Needs Linux (/proc) and git.
"""

import argparse
import gc
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FASTEST = "f6adc49"  # the commit whose rates design.md names, before the first release
REPEATS = 9
WHATS = {
    "save": "save one answer",
    "save_page": "save all seven answers to an item",
    "page": "show an item",
    "cycle": "a full cycle: an item and its seven answers",
}


def client() -> tuple[Callable[..., bytes], int]:
    """Return a function that sends a request to the application, and the backend's process id."""
    from django.db import connection

    from config.wsgi import application

    def send(method: str, path: str, body: bytes = b"") -> bytes:
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_HOST": "localhost:8000",
            "HTTP_ACCEPT": "application/json, text/html",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        status = []
        response = application(environ, lambda line, headers, error=None: status.append(line))
        content = b"".join(response)
        if not isinstance(response, list):  # a page in an earlier tree
            response.close()  # type: ignore[attr-defined]
        if not status[0].startswith("200"):
            raise RuntimeError(f"{method} {path} answered {status[0]}")
        return content

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return send, int(cursor.fetchone()[0])


def measure() -> dict[str, tuple[float, float]]:
    """Return ms of CPU in Python and in PostgreSQL, each by kind of request."""
    from benchmarks.saving import ITEMS, prepare

    base, answers = answers_of(prepare(1)[0])
    send, backend = client()
    saves = itertools.count()
    pages = [[a for a in answers if a["position"] == n] for n in range(1, ITEMS + 1)]

    def save(some: list[Any]) -> None:
        """Save other answers in each pass: the same ones again write nothing."""
        sent = [each | {"raw": "ab"[next(saves) // len(answers) % 2]} for each in some]
        send("POST", f"{base}answers/", json.dumps({"tab": "t", "answers": sent}).encode())

    def follow() -> bool:
        more = f"{base}1/following/"
        try:
            while more:
                sent = re.search(b'data-more="([^"]+)"', send("GET", more))
                more = sent[1].decode() if sent else ""
        except RuntimeError:  # an earlier tree
            return False
        return True

    def cycle(n: int) -> None:
        place = n % ITEMS
        if place == 0 or not sends_pages:
            send("GET", f"{base}{place + 1}/")
        if place == 0 and sends_pages:
            follow()
        save(pages[place])

    sends_pages = follow()
    turns: dict[str, tuple[int, Callable[[int], Any]]] = {
        "save": (100, lambda n: save([answers[n % len(answers)]])),
        "save_page": (40, lambda n: save(pages[n % ITEMS])),
        "page": (30, lambda n: send("GET", f"{base}{n % ITEMS + 1}/")),
        "cycle": (2 * ITEMS, cycle),
    }
    measured = {}
    for name, (number, turn) in turns.items():
        for n in range(number):  # warm up: plans, templates, caches
            turn(n)
        costs = [cost(turn, number, backend) for _ in range(REPEATS)]
        measured[name] = (min(own for own, _ in costs), min(theirs for _, theirs in costs))
    return measured


def answers_of(prepared: Any) -> tuple[str, list[dict[str, Any]]]:
    """Return the address and all answers of a questionnaire, which earlier trees prepare so."""
    from benchmarks.saving import ITEMS

    if isinstance(prepared, tuple):
        return prepared
    return prepared.base, [
        {"position": position, "question": question, "milliseconds": 1000}
        for position in range(1, ITEMS + 1)
        for question in prepared.questions
    ]


def cost(turn: Callable[[int], Any], number: int, backend: int) -> tuple[float, float]:
    """Return ms of CPU a turn: of this thread, and of its PostgreSQL backend."""

    def used() -> int:  # nanoseconds
        return int(Path(f"/proc/{backend}/schedstat").read_text().split()[0])

    gc.collect()
    own, theirs = time.thread_time(), used()
    for n in range(number):
        turn(n)
    return (time.thread_time() - own) * 1000 / number, (used() - theirs) / 1e6 / number


def measure_here() -> None:
    """Measure the tree that this process runs in, and print the figures as JSON."""
    from tests.services.postgres import Postgres

    folder = Path(tempfile.mkdtemp(prefix="crowdwright-bench-"))
    folder.chmod(0o711)
    postgres = Postgres(folder / "postgres", durable=False)
    try:
        os.environ |= {
            "DATABASE_URL": postgres.url("postgres"),
            "CROWDWRIGHT_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "WARNING",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(json.dumps(measure()))
    finally:
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def measure_in(tree: Path) -> dict[str, tuple[float, float]]:
    """Return the figures of a tree, by this file's code and that tree's product."""
    code = (
        "import runpy, sys; sys.path.insert(0, '.');"
        f"runpy.run_path({str(Path(__file__))!r})['measure_here']()"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=tree, capture_output=True, text=True, check=True, timeout=600,
    )  # fmt: skip
    return {name: tuple(pair) for name, pair in json.loads(ran.stdout.splitlines()[-1]).items()}


def git(*arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def last_release(otherwise: str = FASTEST) -> str:
    """Return the newest tag, or without tags the commit that stands in for it."""
    tags = git("tag", "--list", "v*", "--sort=-version:refname").split()
    return tags[0] if tags else otherwise


def main() -> None:
    from benchmarks.reporting import Row, load_now, report

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--beside", default=last_release(), help="a commit or tag")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    busy = load_now()
    folder = Path(tempfile.mkdtemp(prefix="crowdwright-earlier-"))
    earlier = folder / "tree"
    git("worktree", "add", "--quiet", "--detach", str(earlier), options.beside)
    try:
        rounds = [(measure_in(ROOT), measure_in(earlier)) for _ in range(options.rounds)]
    finally:
        git("worktree", "remove", "--force", str(earlier))
        shutil.rmtree(folder, ignore_errors=True)
    rows = [
        Row(
            what=f"{what}, CPU in {place}",
            n=f"{options.rounds} rounds in turns",
            ours=min(now[name][part] for now, _ in rounds),
            unit="ms",
            peer=min(before[name][part] for _, before in rounds),
            peer_name=f"at {options.beside}",
            least_ratio=1 if part == 0 else None,
        )
        for name, what in WHATS.items()
        for part, place in enumerate(("Python", "PostgreSQL"))
    ]
    report("hot_path", rows, load=busy)


if __name__ == "__main__":
    main()
