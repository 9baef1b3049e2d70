"""How many judgments a second are saved, and how long a worker waits, by closed-loop sessions.

    .venv-bench/bin/python -m benchmarks.saving [--sessions 50] [--seconds 10] [--web 2]

A real PostgreSQL (durable), real web server processes, and workers who each send an answer as
soon as the one before is saved; then workers who do full cycles, as the page does: the first item
comes with its page, the others together while it is answered, and then an item
costs only its answers (one request here; somebody who reads sends them one by one). The peer in
the same run is the smallest page of the same server (a HEAD of the static icon): what the server
can do when it has nothing to do. Machines are noisy, so read the ratio. Traffic goes to this
machine alone and stops by itself.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import shutil
import statistics
import tempfile
import threading
import time
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.reporting import Row, load_now, report

MAX_PAGES = 20  # of judging.answering.following_pages, whose import wants settings
ITEMS, RESPONSES = 15, 6  # one topic: its 15 pairs are one questionnaire
SAVES, CYCLES, SLOWEST = 800, 120, 80  # a second, a second, ms of 95 in 100 saves

Request = tuple[str, str, bytes | None]  # method, path, body
Turn = list[Request]


def prepare(sessions: int) -> list[tuple[str, list[dict[str, object]]]]:
    """Create a study with a questionnaire for each session; return addresses and answers."""
    from django.utils import timezone

    from annotation.fieldwork.recruiting.arriving import Arrival, arrive
    from annotation.fieldwork.work import assigning
    from judging.items import drawing
    from tests.cast import small_study

    study = small_study(
        instrument="crowdrag-pairwise", responses=RESPONSES, items=ITEMS, quota=sessions
    )
    questions = study.questions.values_list("key", flat=True)
    prepared = []
    for number in range(sessions):
        arrival = Arrival("benchmark", str(number))
        assignment = arrive(study=study, arrival=arrival, now=timezone.now())
        assigning.begin(assignment=assignment, now=timezone.now())
        positions = range(1, len(drawing.draw_presentations(assignment=assignment)) + 1)
        answers = [
            {"position": position, "question": key, "raw": "a", "milliseconds": 1000}
            for position in positions
            for key in questions
        ]
        prepared.append((f"/w/{assignment.token}/judging/", answers))
    return prepared


def session(host: str, port: int, turns: list[Turn], until: float) -> list[float]:
    """One closed loop over one connection; the seconds that each turn took."""
    connection = http.client.HTTPConnection(host, port, timeout=30)
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/html"}
    took = []
    for turn in cycle(turns):
        began = time.perf_counter()
        if began >= until:
            return took
        for method, path, body in turn:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                raise RuntimeError(f"{path} answered {response.status}")
        took.append(time.perf_counter() - began)
    return took


def load(urls: list[str], work: list[list[Turn]], seconds: float) -> list[float]:
    """All sessions at once, spread over the servers; every turn's seconds."""
    until = time.perf_counter() + seconds
    took: list[list[float]] = [[] for _ in work]

    def run(index: int) -> None:
        address = urlsplit(urls[index % len(urls)])
        host, port = str(address.hostname), int(address.port or 0)
        took[index] = session(host, port, work[index], until)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [each for one in took for each in one]


def saves_of(base: str, answers: list[dict[str, object]]) -> list[Turn]:
    """Each answer by itself, as the page sends it."""
    return [[post(base, [answer])] for answer in answers]


def cycles_of(base: str, answers: list[dict[str, object]]) -> list[Turn]:
    """Return all answers to each item, with the pages that the browser asks for meanwhile."""
    turns: list[Turn] = [
        [post(base, [answer for answer in answers if answer["position"] == position])]
        for position in range(1, ITEMS + 1)
    ]
    asked = [("GET", f"{base}{last}/following/", None) for last in range(1, ITEMS, MAX_PAGES)]
    for turn, request in zip(turns, asked, strict=False):
        turn.insert(0, request)
    turns[0].insert(0, ("GET", f"{base}1/", None))
    return turns


def post(base: str, answers: list[dict[str, object]]) -> Request:
    return ("POST", f"{base}answers/", json.dumps({"tab": "t", "answers": answers}).encode())


def rows_of(results: tuple[list[float], ...], options: argparse.Namespace) -> list[Row]:
    """Rates beside the server with nothing to do, and how long 95 in 100 took at most."""
    n = f"{options.sessions} sessions, {options.web} web processes"
    *ours, nothing = results
    rows = []
    whats = ("saving a judgment", "a full cycle: an item and all its answers")
    for what, took, least, most in zip(whats, ours, (SAVES, CYCLES), (SLOWEST, None), strict=True):
        rows += [
            Row(
                what=what,
                n=n,
                ours=len(took) / options.seconds,
                unit="/s",
                peer=len(nothing) / options.seconds,
                peer_name="with nothing to do",
                least=least,
            ),
            Row(
                what=f"{what}, 95 in 100",
                n=n,
                ours=statistics.quantiles(took, n=20)[-1] * 1000,
                unit="ms",
                most=most,
                remark=f"median {statistics.median(took) * 1000:.0f} ms",
            ),
        ]
    return rows


def measure(
    urls: list[str], prepared: list, seconds: float, results: multiprocessing.Queue
) -> None:
    """In a process of its own, so that the load does not wait for the benchmark."""
    kinds = (
        [saves_of(base, answers) for base, answers in prepared],
        [cycles_of(base, answers) for base, answers in prepared],
        [[[("HEAD", "/static/icon.svg", None)]] for _ in prepared],
    )
    results.put(tuple(load(urls, work, seconds) for work in kinds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--web", type=int, default=2, help="web server processes")
    options = parser.parse_args()
    busy = load_now()
    from tests.services.postgres import Postgres

    folder = Path(tempfile.mkdtemp(prefix="crowdwright-bench-"))
    folder.chmod(0o711)
    postgres = Postgres(folder / "postgres", durable=True)
    started = []
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

        from tests.services.web import WebProcess

        call_command("migrate", verbosity=0)
        prepared = prepare(options.sessions)
        for number in range(options.web):
            log = folder / f"web{number}.log"
            started.append(
                WebProcess(database=postgres.url("postgres"), broker="filesystem://", log=log)
            )
        results: multiprocessing.Queue = multiprocessing.Queue()
        urls = [process.url for process in started]
        load_process = multiprocessing.Process(
            target=measure, args=(urls, prepared, options.seconds, results)
        )
        load_process.start()
        rows = rows_of(results.get(timeout=10 * options.seconds + 60), options)
        load_process.join()
    finally:
        for process in started:
            process.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)
    report("saving", rows, load=busy)


if __name__ == "__main__":
    main()
