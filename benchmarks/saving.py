"""Measure how many judgments a second are saved, and how long a worker waits.

    .venv-bench/bin/python -m benchmarks.saving [--sessions 50] [--seconds 10] [--web 2]

A real PostgreSQL (durable), real web server processes, and closed-loop sessions (`sessions.py`)
that each send an answer as soon as the one before is saved; then full cycles, as the page does:
the first item comes with its page, the others together while it is answered, and then an item
costs only its answers (one request here; somebody who reads sends them one by one). Sessions have
opened their pages before, and begin with different items. The peer in the same run is the smallest
page of the same server (a HEAD of the static icon): what the server can do when it has nothing to
do. Machines are noisy, so read the ratio. Every saved answer is looked up in the database. Traffic
goes to this machine alone and stops by itself.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.reporting import Row, load_now, report
from benchmarks.sessions import Answer, Load, Request, Turn, Turns, measure, values

MAX_PAGES = 20  # of judging.answering.following_pages, whose import wants settings
ITEMS, RESPONSES = 15, 6  # one topic: its 15 pairs are one questionnaire
SAVES, CYCLES, SLOWEST = 800, 120, 80  # a second, a second, ms of 95 in 100 saves


@dataclass(frozen=True)
class Questionnaire:
    """Our pages of one participant: their address, and the questions of an item."""

    token: str
    questions: list[str]
    first: int = 1  # the item that cycles begin with
    cookie: str = ""

    @property
    def base(self) -> str:
        return f"/w/{self.token}/judging/"

    def saves(self) -> Turns:
        """Each answer by itself, as the page sends it."""
        numbers = count(1)
        for raw in values():
            for position in range(1, ITEMS + 1):
                for question in self.questions:
                    yield self.answered(position, [question], raw, numbers)

    def cycles(self) -> Turns:
        """All answers to each item, with the pages that the browser asks for meanwhile."""
        numbers, first = count(1), self.first
        for raw in values():
            for position in range(first, ITEMS + 1):
                turn, saved = self.answered(position, self.questions, raw, numbers)
                yield [*self.pages(position), *turn], saved
            first = 1

    def pages(self, position: int) -> Turn:
        """Return the requests of pages while an item is answered."""
        turn = [Request("GET", f"{self.base}1/", expected=b"</main>")] if position == 1 else []
        if (position - 1) % MAX_PAGES == 0 and position < ITEMS:
            path = f"{self.base}{position}/following/"
            turn.append(Request("GET", path, expected=b"</main>"))
        return turn

    def answered(
        self, position: int, questions: list[str], raw: str, numbers: Iterator[int]
    ) -> tuple[Turn, dict[Answer, str]]:
        answers = [
            {
                "position": position,
                "question": question,
                "raw": raw,
                "milliseconds": 1000,
                "number": next(numbers),
            }
            for question in questions
        ]
        body = json.dumps({"tab": "t", "answers": answers}).encode()
        saved = {(str(position), question): raw for question in questions}
        expected = f'{{"saved": {len(answers)}}}'.encode()  # none late
        return [Request("POST", f"{self.base}answers/", body, expected)], saved


def prepare(sessions: int, *, slug: str = "lamps", urls: Sequence[str] = ()) -> list[Questionnaire]:
    """Create a study with a questionnaire for each session, and open its pages at the servers."""
    from django.utils import timezone

    from annotation.fieldwork.recruiting.arriving import Arrival, arrive
    from annotation.fieldwork.work import assigning
    from judging.items import drawing
    from tests.cast import small_corpus, small_study

    study = small_study(
        slug=slug,
        instrument="crowdrag-pairwise",
        corpus=small_corpus(slug=slug, responses=RESPONSES),
        items=ITEMS,
        quota=sessions,
    )
    questions = list(study.questions.values_list("key", flat=True))
    prepared = []
    for number in range(sessions):
        arrival = Arrival("benchmark", str(number))
        assignment = arrive(study=study, arrival=arrival, now=timezone.now())
        assigning.begin(assignment=assignment, now=timezone.now())
        drawing.draw_presentations(assignment=assignment)
        first = 1 + number % ITEMS
        prepared.append(Questionnaire(assignment.token, questions, first))
        for request in prepared[-1].pages(1) if urls else ():
            path = urls[number % len(urls)] + request.path
            with urllib.request.urlopen(path, timeout=60) as page:
                page.read()
    return prepared


def require_stored(participants: list[Questionnaire], saved: list[dict[Answer, str]]) -> None:
    """Check that the database has the last acknowledged value of each answer."""
    from annotation.encryption import token_hash
    from judging.models import Judgment, Presentation

    for participant, of_one in zip(participants, saved, strict=True):
        own = {"assignment__token_hash": token_hash(participant.token)}
        position = dict(Presentation.objects.filter(**own).values_list("item", "position"))
        rows = Judgment.objects.filter(**own).values_list("item", "question__key", "raw")
        stored = {(str(position[item]), question): raw for item, question, raw in rows}
        require_same(of_one, stored)


def require_same(saved: dict[Answer, str], stored: dict[Answer, str]) -> None:
    """Check that each acknowledged answer is stored. Raises SystemExit."""
    lost = [answer for answer, raw in saved.items() if stored.get(answer) != raw]
    if lost:
        raise SystemExit(f"{len(lost)} of {len(saved)} saved answers are not stored: {lost[:3]}")


@contextmanager
def servers(web: int) -> Iterator[tuple[list[str], list[int]]]:
    """Start a durable PostgreSQL and web processes; yield addresses and ids of processes."""
    from tests.services.postgres import Postgres
    from tests.services.web import WebProcess

    folder = Path(tempfile.mkdtemp(prefix="crowdwright-bench-"))
    folder.chmod(0o711)
    postgres = Postgres(folder / "postgres", durable=True)
    started: list[WebProcess] = []
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
        for number in range(web):
            log = folder / f"web{number}.log"
            started.append(
                WebProcess(
                    database=postgres.url("postgres"),
                    broker="filesystem://",
                    log=log,
                    application="config.wsgi:application",
                )
            )
        children = [postgres.child, *(process.child for process in started)]
        yield [process.url for process in started], [child.pid for child in children]
    finally:
        for process in started:
            process.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def rows_of(ours: list[Load], nothing: Load, options: argparse.Namespace) -> list[Row]:
    """Rates beside the server with nothing to do, and how long 95 in 100 took at most."""
    n = f"{options.sessions} sessions, {options.web} web processes"
    rows = []
    whats = ("saving a judgment", "a full cycle: an item and all its answers")
    for what, load, least, most in zip(whats, ours, (SAVES, CYCLES), (SLOWEST, None), strict=True):
        rows += [
            Row(
                what=what,
                n=n,
                ours=load.rate,
                unit="/s",
                peer=nothing.rate,
                peer_name="with nothing to do",
                least=least,
                remark=f"{load.cpu_ms:.2f} ms of CPU, of web server and PostgreSQL",
            ),
            Row(
                what=f"{what}, 95 in 100",
                n=n,
                ours=statistics.quantiles(load.took, n=20)[-1] * 1000,
                unit="ms",
                most=most,
                remark=f"median {statistics.median(load.took) * 1000:.0f} ms",
            ),
        ]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--web", type=int, default=2, help="web server processes")
    options = parser.parse_args()
    busy = load_now()
    with servers(options.web) as (urls, processes):
        loads = []
        for kind in ("saves", "cycles", "idle"):
            participants = prepare(options.sessions, slug=kind, urls=urls)
            loads.append(
                measure(kind, participants, urls=urls, servers=processes, seconds=options.seconds)
            )
            require_stored(participants, loads[-1].saved)
    *ours, nothing = loads
    report("saving", rows_of(ours, nothing, options), load=busy)


if __name__ == "__main__":
    main()
