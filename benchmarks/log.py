"""How fast interaction logs are taken: `python -m benchmarks.log`.

Starts a PostgreSQL that keeps its promises (fsync on) and two web server processes, all on this
machine. 300 writers send over connections of their own:

1. paced, each a chunk every 2 s as the recorder does, of 133 events, which is 20,000 events/s in
   all. A time counts from the moment at which a chunk was due, so that a server that stalls is not
   spared the chunks behind it;
2. as fast as they are answered: the most the machine takes.

Then the database alone, from eight connections: our one row a chunk against a peer that inserts
one row an event.
"""

import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from benchmarks.reporting import Row, load_now, report
from tests.services.postgres import Postgres
from tests.services.web import WebProcess
from tests.writing.editor.crowd import gather
from tests.writing.log.simulated_log import written
from writing.log.eventlog import encode

WRITERS, SECONDS, CONNECTIONS = 300, 5.0, 8
EVENTS = 133  # of a chunk: the recorder sends every 2 s
TARGET = 20_000  # events/s
SLOWEST = 100  # ms, of 95 in 100 chunks
THREADS = 8  # of each web server process: while one waits for the disk others work
LOG = written(words=250).events
CHUNKS = [encode(LOG[at : at + EVENTS]) for at in range(0, len(LOG) - EVENTS, EVENTS)]


class Writer:
    """One connection that stays open, and the number of the next chunk."""

    def __init__(self, token: str, address: str) -> None:
        self.host, self.port = address.split(":")
        self.path, self.number = f"/w/{token}/writing/log/", 1

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, int(self.port))

    async def send(self) -> None:
        body = b'{"tab":"one","number":%d,"events":%s}' % (self.number, CHUNKS[self.number - 1])
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        text = await self.reader.readexactly(length)
        if b" 200 " not in answer or b'"missing": []' not in text:
            raise SystemExit(f"refused: {answer!r} {text!r}")
        self.number += 1


async def paced(writers: list[Writer], seconds: float) -> list[float]:
    """Everyone sends at an own beat; seconds from when a chunk was due to its acknowledgement."""
    beat, times = WRITERS * EVENTS / TARGET, []
    begin = time.perf_counter() + 0.1

    async def go(writer: Writer) -> None:
        due = begin + random.random() * beat
        while due < begin + seconds:
            await asyncio.sleep(max(0, due - time.perf_counter()))
            await writer.send()
            times.append(time.perf_counter() - due)
            due += beat

    await asyncio.gather(*map(go, writers))
    return times


async def closed(writers: list[Writer], seconds: float) -> list[float]:
    end, times = time.perf_counter() + seconds, []

    async def go(writer: Writer) -> None:
        while (start := time.perf_counter()) < end and writer.number <= len(CHUNKS):
            await writer.send()
            times.append(time.perf_counter() - start)

    await asyncio.gather(*map(go, writers))
    return times


async def over_http(writers: list[Writer]) -> list[Row]:
    await asyncio.gather(*(writer.connect() for writer in writers))
    await paced(writers, 1)  # connections and code get warm
    _, waited = await timed(paced, writers)
    rate, hurried = await timed(closed, writers)
    n = f"{WRITERS} writers, chunks of {EVENTS} events"
    return [
        Row(
            what=f"a chunk at {TARGET:,} events/s, 95 in 100",
            n=n,
            ours=quantile(waited, 95),
            unit="ms",
            most=SLOWEST,
            remark=f"median {quantile(waited, 50):.0f} ms, from when it was due",
        ),
        Row(
            what="as fast as they are answered, events",
            n=n,
            ours=rate,
            unit="/s",
            least=TARGET,
            remark=f"a chunk: median {quantile(hurried, 50):.0f} ms, "
            f"95 in 100 {quantile(hurried, 95):.0f} ms",
        ),
    ]


async def timed(way: Callable, writers: list[Writer]) -> tuple[float, list[float]]:
    """Events a second, and the seconds of each chunk."""
    start = time.perf_counter()
    times = await way(writers, SECONDS)
    return len(times) * EVENTS / (time.perf_counter() - start), times


def quantile(seconds: list[float], percent: int) -> float:
    """In milliseconds."""
    return statistics.quantiles(seconds, n=100)[percent - 1] * 1000


def in_threads(work: Callable[[int], int], seconds: float) -> float:
    """Events a second that the threads do together; `work` does one chunk of its thread."""
    end = time.perf_counter() + seconds

    def loop(thread: int) -> int:
        done = 0
        while time.perf_counter() < end:
            done += work(thread)
        return done

    start = time.perf_counter()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        done = sum(pool.map(loop, range(CONNECTIONS)))
    return done / (time.perf_counter() - start)


def ours(tokens: list[str]) -> Callable[[int], int]:
    from django.utils import timezone

    from annotation.encryption import token_hash
    from annotation.models import Assignment
    from writing.log.collecting import collect

    mine = [
        list(Assignment.objects.filter(token_hash__in=map(token_hash, tokens[at::8])))
        for at in range(CONNECTIONS)
    ]
    numbers = {each.pk: 1 for some in mine for each in some}

    def work(thread: int) -> int:
        assignment = random.choice(mine[thread])
        number = numbers[assignment.pk]
        if number > len(CHUNKS):
            return 0
        numbers[assignment.pk] += 1
        collect(
            assignment=assignment,
            number=number,
            events_json=CHUNKS[number - 1],
            now=timezone.now(),
            tab="",
        )
        return EVENTS

    return work


def peer(url: str) -> Callable[[int], int]:
    """One row an event, one INSERT each, a transaction a chunk."""
    links = [psycopg.connect(url) for _ in range(CONNECTIONS)]
    links[0].execute(
        "CREATE TABLE peer (id bigserial PRIMARY KEY, assignment bigint REFERENCES "
        "annotation_assignment, seq int, data jsonb, UNIQUE (assignment, seq))"
    )
    (assignment,) = links[0].execute("SELECT max(id) FROM annotation_assignment").fetchone()
    links[0].commit()
    rows = [encode([event])[1:-1].decode() for event in LOG[:EVENTS]]
    last = list(range(0, CONNECTIONS * 10**7, 10**7))

    def work(thread: int) -> int:
        with links[thread].transaction(), links[thread].cursor() as cursor:
            for row in rows:
                last[thread] += 1
                cursor.execute(
                    "INSERT INTO peer (assignment, seq, data) VALUES (%s, %s, %s)",
                    (assignment, last[thread], row),
                )
        return EVENTS

    return work


def main() -> None:
    load = load_now()
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o711)  # PostgreSQL's own user passes through
        postgres = Postgres(folder / "postgres", durable=True)
        running: list[WebProcess] = []
        try:
            rows = measure(postgres, folder, running)
        finally:
            for process in running:
                process.stop()
            postgres.stop()
    report("log", rows, load=load)


def measure(postgres: Postgres, folder: Path, running: list[WebProcess]) -> list[Row]:
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as admin:
        admin.execute("CREATE DATABASE crowdwright")
    os.environ |= {
        "DATABASE_URL": postgres.url(),
        "CROWDWRIGHT_VAR": str(folder / "var"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    tokens = gather(WRITERS * 2, dict(os.environ))
    running += [
        WebProcess(
            database=postgres.url(),
            broker="filesystem://",
            log=folder / f"web{number}.log",
            threads=THREADS,
            wait=False,
        )
        for number in range(2)
    ]
    for process in running:
        process.wait_until_ready()
    addresses = [urlsplit(each.url).netloc for each in running]
    writers = [Writer(token, addresses[at % 2]) for at, token in enumerate(tokens[:WRITERS])]
    rows = asyncio.run(over_http(writers))
    import django

    django.setup()
    fast = in_threads(ours(tokens[WRITERS:]), 3)
    slow = in_threads(peer(postgres.url()), 3)
    row = Row(
        what="the database alone, events",
        n=f"{CONNECTIONS} connections",
        ours=fast,
        unit="/s",
        peer=slow,
        peer_name="one row an event",
    )
    return [*rows, row]


if __name__ == "__main__":
    main()
