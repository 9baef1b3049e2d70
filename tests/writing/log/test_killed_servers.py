"""kill -9 of the web server and of PostgreSQL while fifty people write: nothing is lost."""

import contextlib
import http.client
import json
import os
import threading
import time
from urllib.parse import urlsplit

import psycopg
import pytest

from annotation.encryption import token_hash
from tests.services.databases import migrated_at
from tests.services.postgres import Postgres
from tests.services.web import WebProcess
from tests.writing.editor.crowd import gather
from tests.writing.editor.typing_hands import typed
from writing.log.eventlog import decode, encode

WRITERS, CHUNKS, SIZE = 50, 60, 4
EVENTS = typed("".join("lamps shine "[at % 12] for at in range(CHUNKS * SIZE)))[: CHUNKS * SIZE]
SENT = {
    number: json.loads(encode(EVENTS[(number - 1) * SIZE : number * SIZE]))
    for number in range(1, CHUNKS + 1)
}


class Writer(threading.Thread):
    """Sends a chunk until it is acknowledged, then the next one, as the editor does."""

    def __init__(self, token: str, address: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.path, self.address = f"/w/{token}/writing/", address
        self.stop, self.acknowledged = stop, 0
        self.failures, self.refusals = 0, []

    def run(self) -> None:
        while self.acknowledged < CHUNKS and not self.stop.is_set():
            number = self.acknowledged + 1
            answer = self.post("log", {"tab": "one", "number": number, "events": SENT[number]})
            if answer is None:
                self.failures += 1
                time.sleep(0.1)
            elif "missing" in answer:
                self.acknowledged = number
                time.sleep(0.05)
            else:
                self.refusals.append(answer)
                return

    def post(self, name: str, body: object) -> dict | None:
        """Return the answer; None if there was none, or a server error."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            link = http.client.HTTPConnection(self.address, timeout=10)
            headers = {"Accept": "application/json", "Content-Type": "application/json"}
            link.request("POST", f"{self.path}{name}/", json.dumps(body), headers)
            answer = link.getresponse()
            data = answer.read()
            link.close()
            if answer.status < 500:
                return json.loads(data)
        return None


@pytest.fixture
def tokens(own_postgres: Postgres, django_db_setup: None) -> list[str]:
    migrated_at(own_postgres.url())
    return gather(WRITERS, {**os.environ, "DATABASE_URL": own_postgres.url()})


@pytest.fixture
def web(own_postgres: Postgres, tokens: list[str], broker_url: str, tmp_path):
    process = WebProcess(database=own_postgres.url(), broker=broker_url, log=tmp_path / "web.log")
    yield process
    process.stop()


def progress(writers: list[Writer]) -> int:
    return sum(writer.acknowledged for writer in writers)


def wait_for(writers: list[Writer], chunks: int, *, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while progress(writers) < chunks and time.monotonic() < deadline:
        time.sleep(0.02)
    assert progress(writers) >= chunks, [writer.refusals for writer in writers if writer.refusals]


def test_no_acknowledged_chunk_is_lost_and_every_draft_goes_on(own_postgres, web, tokens):
    stop = threading.Event()
    writers = [Writer(token, urlsplit(web.url).netloc, stop) for token in tokens]
    try:
        for each in writers:
            each.start()
        wait_for(writers, 200)
        web.kill()
        web.start()
        wait_for(writers, progress(writers) + 200)
        own_postgres.kill()
        own_postgres.start()
        wait_for(writers, progress(writers) + 200)
    finally:
        stop.set()
        for each in writers:
            each.join(timeout=15)
    assert not [writer.refusals for writer in writers if writer.refusals]
    assert sum(writer.failures for writer in writers) > 0  # they noticed
    with psycopg.connect(own_postgres.url()) as database:
        kept = database.execute(
            "SELECT token_hash, chunk.number FROM writing_logchunk AS chunk "
            "JOIN annotation_assignment AS assignment ON assignment.id = assignment_id"
        ).fetchall()
    for token, writer in zip(tokens, writers, strict=True):
        numbers = {number for owner, number in kept if owner == token_hash(token)}
        assert numbers >= set(range(1, writer.acknowledged + 1))
        draft = writer.post("here", {"tab": "one"})
        assert draft["number"] == max(numbers) + 1
        events = decode(encode(EVENTS[: max(numbers) * SIZE]))
        assert draft["seq"] == len(events) + 1
        assert draft["text"] == "".join(event.inserted for event in events[1:])
