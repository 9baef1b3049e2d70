"""How many judgments a second are saved, and how long a worker waits, by closed-loop sessions.

    .venv/bin/python -m benchmarks.saving [--sessions 50] [--seconds 10] [--web 2]

A real PostgreSQL (durable), real web server processes, and workers who each send an answer as
soon as the one before is saved. The peer in the same run is the smallest page of the same server
(a HEAD of the static icon): what the server can do when it has nothing to do. Machines are noisy,
so read the ratio. Traffic goes to this machine alone and stops by itself.
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

ITEMS, RESPONSES = 15, 6  # one topic: its 15 pairs are one questionnaire


def prepare(sessions: int) -> list[tuple[str, list[dict[str, object]]]]:
    """A study with a begun questionnaire for each session: its address and all its answers."""
    from django.utils import timezone

    from annotation import assigning
    from annotation.arriving import Arrival, arrive
    from judging import drawing, recording
    from tests.cast import small_study

    study = small_study(
        instrument="crowdrag-pairwise", responses=RESPONSES, items=ITEMS, quota=sessions
    )
    questions = recording.questions_of(study.pk)
    prepared = []
    for number in range(sessions):
        arrival = Arrival("benchmark", str(number))
        assignment = arrive(study=study, arrival=arrival, now=timezone.now())
        assigning.begin(assignment=assignment, now=timezone.now())
        positions = range(1, len(drawing.draw_showings(assignment=assignment)) + 1)
        answers = [
            {"position": position, "question": key, "raw": "a", "milliseconds": 1000}
            for position in positions
            for key in questions
        ]
        prepared.append((f"/w/{assignment.token}/judging/answers/", answers))
    return prepared


def session(host: str, port: int, path: str, bodies: list[bytes], until: float) -> list[float]:
    """One closed loop over one connection; the seconds that each request took."""
    connection = http.client.HTTPConnection(host, port, timeout=30)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    took = []
    for body in cycle(bodies):
        began = time.perf_counter()
        if began >= until:
            return took
        connection.request("POST" if body else "HEAD", path, body or None, headers)
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"{path} answered {response.status}")
        took.append(time.perf_counter() - began)
    return took


def load(urls: list[str], work: list[tuple[str, list[bytes]]], seconds: float) -> list[float]:
    """All sessions at once, spread over the servers; every request's seconds."""
    until = time.perf_counter() + seconds
    took: list[list[float]] = [[] for _ in work]

    def run(index: int) -> None:
        address = urlsplit(urls[index % len(urls)])
        path, bodies = work[index]
        took[index] = session(str(address.hostname), int(address.port or 0), path, bodies, until)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [each for one in took for each in one]


def say(what: str, took: list[float], seconds: float) -> float:
    rate = len(took) / seconds
    p95 = statistics.quantiles(took, n=20)[-1] * 1000
    median = statistics.median(took) * 1000
    print(f"{what:30} {rate:7.0f}/s   median {median:5.1f} ms   p95 {p95:5.1f} ms")
    return rate


def measure(
    urls: list[str], prepared: list, seconds: float, results: multiprocessing.Queue
) -> None:
    """In a process of its own, so that the load does not wait for the benchmark."""
    saves = [
        (path, [json.dumps({"tab": "t", "answers": [answer]}).encode() for answer in answers])
        for path, answers in prepared
    ]
    nothing = [("/static/icon.svg", [b""]) for _ in prepared]
    results.put((load(urls, saves, seconds), load(urls, nothing, seconds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--web", type=int, default=2, help="web server processes")
    options = parser.parse_args()
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
        saves, nothing = results.get(timeout=10 * options.seconds + 60)
        load_process.join()
        rate = say("saving a judgment", saves, options.seconds)
        peer = say("the server with nothing to do", nothing, options.seconds)
        print(f"{'ratio':28} {rate / peer:7.2f}")
    finally:
        for process in started:
            process.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
