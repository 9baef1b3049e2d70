"""300 judges and 300 writers for three minutes: `python -m benchmarks.crowd`.

    .venv-bench/bin/python -m benchmarks.crowd [--people 300] [--minutes 3] [--web 2]

Judges and writers arrive at the links of two studies within the first third of the time, consent,
read the instructions, and send what their browsers send: a judge each of the answers to 15 pairs, a
writer a chunk of the log every two seconds. Then they fill in the last form and submit. nginx with
our configuration, web server processes, a durable PostgreSQL, Redis and a Celery worker run on this
machine, and so do the participants. Any answer but a page, a redirect or an acknowledgement is an
error, and afterwards all work must be submitted, with the last acknowledged answers and the
text that was typed. Needs Linux: each participant has an address of the loopback network.
"""

import argparse
import asyncio
import json
import random
import ssl
import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

from benchmarks.installation import installation
from benchmarks.reporting import Row, load_now, report
from benchmarks.saving import ITEMS, RESPONSES, Questionnaire, require_stored
from benchmarks.sessions import Answer
from tests.services.proxy import Proxy
from tests.services.web import WebProcess
from tests.writing.log.simulated_log import written
from writing.log.eventlog import encode

JUDGING, WRITING = "lamps", "letters"
WORDS = 120
BEAT = 2.0  # seconds between chunks, as the recorder sends
ARRIVING = 1 / 3  # of the time
GOOD = {200, 302}
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


@dataclass
class Seen:
    """Seconds of every request by page, and all answers that no page expects."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)


class Form(HTMLParser):
    """Form values of a participant who takes the first option of each question and agrees."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name"), given.get("value") or "yes"
        if name and (tag == "input" or (tag == "button" and name == "agree")):
            self.values.setdefault(name, value)


class Participant:
    """A browser with one connection, from an address of its own."""

    def __init__(self, number: int, study: str, proxy: Proxy, seen: Seen) -> None:
        self.number, self.study, self.proxy, self.seen = number, study, proxy, seen
        self.trust = ssl.create_default_context(cafile=proxy.certificate)
        self.cookie, self.place = "", f"/s/{study}/"

    async def come(self) -> None:
        address = f"127.0.{1 + self.number // 250}.{1 + self.number % 250}"
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1",
            self.proxy.https,
            ssl=self.trust,
            server_hostname="localhost",
            local_addr=(address, 0),
        )
        form = Form(await self.get("consent page", self.place))
        await self.post("consent, with the instructions", self.place, form.values)
        self.token = self.place.split("/")[2]
        self.base = f"/w/{self.token}/"

    async def get(self, page: str, path: str) -> str:
        return await self.request(page, "GET", path)

    async def post(self, page: str, path: str, values: dict[str, str]) -> str:
        return await self.request(page, "POST", path, urlencode(values).encode(), FORM)

    async def send(self, page: str, path: str, body: bytes) -> dict:
        return json.loads(await self.request(page, "POST", path, body, JSON) or "{}")

    async def request(
        self, page: str, method: str, path: str, body: bytes = b"", kind: str = ""
    ) -> str:
        """Return the body, after redirects; its time is that of the page with all of them."""
        began = time.perf_counter()
        status, headers, text = await self._answer(method, path, body, kind)
        while status == 302:
            self.place = headers["location"]
            status, headers, text = await self._answer("GET", self.place)
        self.seen.seconds[page].append(time.perf_counter() - began)
        if status not in GOOD:
            self.seen.errors[f"{page} {status}"] += 1
        return text

    async def _answer(
        self, method: str, path: str, body: bytes = b"", kind: str = ""
    ) -> tuple[int, dict[str, str], str]:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: localhost:{self.proxy.https}",
            f"Accept: {JSON if kind == JSON else 'text/html'}",
            f"Origin: https://localhost:{self.proxy.https}",
            *([f"Cookie: {self.cookie}"] if self.cookie else []),
            *([f"Content-Type: {kind}", f"Content-Length: {len(body)}"] if kind else []),
        ]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head, *rest = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {line.partition(":")[0].lower(): line.partition(": ")[2] for line in rest}
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        if headers.get("transfer-encoding") == "chunked":
            return int(head.split()[1]), headers, await self._chunks()
        length = int(headers.get("content-length", 0))
        return int(head.split()[1]), headers, (await self.reader.readexactly(length)).decode()

    async def _chunks(self) -> str:
        parts = []
        while size := int(await self.reader.readline(), 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return b"".join(parts).decode()


class Judge(Participant):
    def __init__(self, *of_participant: Any, questions: list[str]) -> None:
        super().__init__(*of_participant)
        self.questions, self.saved = questions, dict[Answer, str]()

    @property
    def questionnaire(self) -> Questionnaire:
        return Questionnaire(self.token, self.questions)

    async def work(self, until: float) -> None:
        await self.get("first judging page", f"{self.base}judging/")
        await self.send("tab", f"{self.base}judging/here/", b'{"tab": "t"}')
        await self.get("following pages", f"{self.base}judging/1/following/")
        turns = self.questionnaire.saves()
        for left in range(ITEMS * len(self.questions), 0, -1):
            (request,), answers = next(turns)
            await self.send("answer", request.path, request.body)
            self.saved |= answers
            await asyncio.sleep(max(0.0, until - time.perf_counter()) / left)
        form = Form(await self.get("last page", f"{self.base}judging/finish/"))
        await self.post("submission, with the receipt", f"{self.base}judging/finish/", form.values)


class Writer(Participant):
    text: str

    async def work(self, until: float) -> None:
        form = Form(await self.get("entry form", f"{self.base}writing/"))
        await self.post("entry, with the editor", f"{self.base}writing/entry/", form.values)
        await self.send("tab", f"{self.base}writing/here/", b'{"tab": "t"}')
        typed = written(seed=self.number, words=WORDS)
        self.text, log = typed.text, typed.events
        size = -(-len(log) // max(1, round((until - time.perf_counter()) / BEAT)))
        sent = [log[at : at + size] for at in range(0, len(log), size)]
        for number, events in enumerate(sent, start=1):
            body = b'{"tab":"t","number":%d,"events":%s}' % (number, encode(events))
            await self.send("chunk of the log", f"{self.base}writing/log/", body)
            await asyncio.sleep(BEAT)
        form = Form(await self.get("last page", f"{self.base}writing/finish/"))
        form.values |= {"last_number": str(len(sent))}
        await self.post("submission, with the receipt", f"{self.base}writing/finish/", form.values)


async def at_once(participants: list[Participant], seconds: float) -> None:
    """Let all arrive in the first part of the time, and work for the rest of it."""

    async def take_part(participant: Participant) -> None:
        await asyncio.sleep(random.random() * ARRIVING * seconds)
        began = time.perf_counter()
        await participant.come()
        await participant.work(began + (1 - ARRIVING) * seconds)

    await asyncio.gather(*map(take_part, participants))


def open_studies(people: int) -> list[str]:
    """Open a study for each kind of work, and return the keys of the judging questions."""
    from tests.cast import small_corpus, small_study, writing_study

    corpus = small_corpus(slug=JUDGING, responses=RESPONSES)
    study = small_study(
        slug=JUDGING, instrument="crowdrag-pairwise", corpus=corpus, items=ITEMS, quota=people
    )
    writing_study(slug=WRITING, of_corpus=WRITING, topics=people)
    return list(study.questions.values_list("key", flat=True))


def require_all(judges: list[Judge], writers: list[Writer]) -> None:
    """Check that all work is submitted and complete. Raises SystemExit."""
    from annotation.encryption import token_hash
    from annotation.models import Assignment
    from writing.models import Writing

    states = Counter(Assignment.objects.values_list("state", flat=True))
    if states != {Assignment.State.SUBMITTED: len(judges) + len(writers)}:
        raise SystemExit(f"not all work is submitted: {states}")
    require_stored([judge.questionnaire for judge in judges], [judge.saved for judge in judges])
    texts = dict(Writing.objects.values_list("assignment__token_hash", "text"))
    lost = [each for each in writers if texts[token_hash(each.token)] != each.text]
    if lost:
        raise SystemExit(f"{len(lost)} texts are not those that were typed")


def rows_of(seen: Seen, n: str) -> list[Row]:
    every = sum(map(len, seen.seconds.values()))
    rows = [
        Row(
            what="requests that were refused or failed",
            n=n,
            ours=sum(seen.errors.values()),
            unit="",
            most=0,
            remark=f"of {every:,}" + "".join(f"; {what}: {n}" for what, n in seen.errors.items()),
        )
    ]
    for page, seconds in sorted(seen.seconds.items(), key=lambda each: -len(each[1])):
        median, most = statistics.median(seconds) * 1000, max(seconds) * 1000
        rows.append(
            Row(
                what=f"{page}, 95 in 100",
                n=f"{len(seconds):,} times",
                ours=statistics.quantiles(seconds, n=20)[18] * 1000,
                unit="ms",
                remark=f"median {median:.0f} ms, longest {most:,.0f} ms",
            )
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=300, help="judges, and as many writers")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--web", type=int, default=2, help="web server processes")
    options = parser.parse_args()
    load, seen = load_now(), Seen()
    with installation() as made, made.workers(1):
        questions = open_studies(options.people)
        web = [
            WebProcess(
                database=made.database,
                broker=made.broker,
                log=made.folder / f"web{number}.log",
                application="config.wsgi:application",
            )
            for number in range(options.web)
        ]
        servers = " ".join(f"server 127.0.0.1:{each.port} max_fails=0;" for each in web)
        pair = {'map "" $web {': f'upstream pair {{ {servers} }}\n    map "" $web {{'}
        proxy = Proxy(made.folder, upstream="pair", other=pair)
        try:
            judges = [
                Judge(each, JUDGING, proxy, seen, questions=questions)
                for each in range(options.people)
            ]
            writers = [
                Writer(each, WRITING, proxy, seen)
                for each in range(options.people, 2 * options.people)
            ]
            asyncio.run(at_once([*judges, *writers], 60 * options.minutes))
        finally:
            for service in (proxy, *web):
                service.stop()
        require_all(judges, writers)
    n = f"{options.people} judges and {options.people} writers, {options.minutes:g} minutes"
    report("crowd", rows_of(seen, n), load=load)


if __name__ == "__main__":
    main()
