"""Closed-loop sessions: each sends its next requests as soon as those before are answered.

All run in one thread, which costs a tenth of a millisecond a request, so that most of the machine
is left to the servers. A session notes an answer as saved only after its acknowledgement.
"""

import contextlib
import multiprocessing
import os
import re
import selectors
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from benchmarks.measuring import in_child

PATIENCE = 60.0  # seconds until an answer
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Request(NamedTuple):
    """`expected` is a part of every good answer's body."""

    method: str
    path: str
    body: bytes | None = None
    expected: bytes = b""


Turn = list[Request]
Answer = tuple[str, str]  # item, question
Turns = Iterator[tuple[Turn, dict[Answer, str]]]  # with what the turn saves


@dataclass
class Session:
    """One connection; `saved` has the last acknowledged value of each answer."""

    url: str
    turns: Turns
    cookie: str = ""
    took: list[float] = field(default_factory=list)
    saved: dict[Answer, str] = field(default_factory=dict)
    saves: int = 0  # acknowledged answers

    def __post_init__(self) -> None:
        address = urlsplit(self.url)
        self.address = (str(address.hostname), int(address.port or 0))
        self.head = f"Host: {address.netloc}\r\nAccept: application/json, text/html\r\n"
        if self.cookie:
            self.head += f"Cookie: {self.cookie}\r\n"
        self.left: Turn = []
        self.saving: dict[Answer, str] = {}
        self.connect()

    def connect(self) -> None:
        self.socket = socket.create_connection(self.address, timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def begin(self) -> None:
        turn, self.saving = next(self.turns)
        self.left = list(turn)
        self.began = time.perf_counter()
        self.send()

    def send(self) -> None:
        method, path, body, _ = self.left[0]
        head = f"{method} {path} HTTP/1.1\r\n{self.head}"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + (body or b""))

    def receive(self) -> bool:
        """Read what has come; return whether the turn is done."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError(f"{self.left[0].path}: the server closed the connection")
        self.received += data
        head, separator, body = self.received.partition(b"\r\n\r\n")
        if not separator:
            return False
        request = self.left[0]
        length = CONTENT_LENGTH.search(head)
        if length is None:
            raise RuntimeError(f"{request.path} was answered without a length")
        if request.method != "HEAD" and len(body) < int(length[1]):
            return False
        if head[9:12] != b"200" or request.expected not in body:
            raise RuntimeError(f"{request.path} answered {head[:60]!r} {body[:200]!r}")
        self.received = b""
        del self.left[0]
        if self.left:
            self.send()
            return False
        self.took.append(time.perf_counter() - self.began)
        self.saved |= self.saving
        self.saves += len(self.saving)
        return True


def load(sessions: list[Session], seconds: float) -> list[float]:
    """Run all sessions at once; return the seconds of every turn that began in time."""
    until = time.perf_counter() + seconds
    with selectors.DefaultSelector() as selector:
        for session in sessions:
            selector.register(session.socket, selectors.EVENT_READ, session)
            session.begin()
        while selector.get_map():
            ready = selector.select(PATIENCE)
            if not ready:
                raise TimeoutError(f"no answer in {PATIENCE:g} s")
            for key, _ in ready:
                if not key.data.receive():
                    continue
                if time.perf_counter() < until:
                    key.data.begin()
                else:
                    selector.unregister(key.fileobj)
                    key.data.socket.close()
    return [seconds for session in sessions for seconds in session.took]


def idle() -> Turns:
    """Return requests of the smallest page: what a server can do when it has nothing to do."""
    while True:
        yield [Request("HEAD", "/static/icon.svg")], {}


def values() -> Iterator[str]:
    """Return the values of answers, another one in each pass."""
    while True:
        yield from "ab"


# -- One load ----------------------------------------------------------------------------------
class Participant(Protocol):
    """A simulated participant; can be pickled for another process."""

    cookie: str

    def saves(self) -> Turns:
        """Each answer by itself."""

    def cycles(self) -> Turns:
        """All answers to an item, and the next page."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """Measurements of a run until its last answer; `cpu` is in seconds, of the servers.

    Turns that began in time are finished and counted: a slow server would gain by a shorter time.
    """

    seconds: float
    took: list[float]
    saved: list[dict[Answer, str]]
    saves: int
    cpu: float

    @property
    def rate(self) -> float:
        return len(self.took) / self.seconds

    @property
    def cpu_ms(self) -> float:
        """CPU of the servers a turn."""
        return self.cpu * 1000 / len(self.took)


def measure(
    kind: str,
    participants: Sequence[Participant],
    *,
    urls: list[str],
    servers: list[int],
    seconds: float,
    stolen: float = 0,
) -> Load:
    """Load the servers (process ids) from a process of its own.

    Other processes compute for the share `stolen` of each core meanwhile.
    """
    context = multiprocessing.get_context("spawn")
    thieves = [
        context.Process(target=steal, args=(stolen, seconds + PATIENCE), daemon=True)
        for _ in range(os.cpu_count() or 1 if stolen else 0)
    ]
    for thief in thieves:
        thief.start()
    try:
        before = cpu_seconds(servers)
        (took, saved, saves, lasted), _ = in_child(_run, kind, participants, urls, seconds)
        cpu = cpu_seconds(servers) - before
    finally:
        for thief in thieves:
            thief.terminate()
            thief.join()
    return Load(seconds=lasted, took=took, saved=saved, saves=saves, cpu=cpu)


def _run(
    kind: str, participants: Sequence[Participant], urls: list[str], seconds: float
) -> tuple[list[float], list[dict[Answer, str]], int, float]:
    """Return the seconds of turns, saved answers, their number, and seconds to the last answer."""
    sessions = [
        Session(url, idle() if kind == "idle" else getattr(each, kind)(), each.cookie)
        for each, url in zip(participants, cycle(urls), strict=False)
    ]
    began = time.perf_counter()
    took = load(sessions, seconds)
    lasted = time.perf_counter() - began
    saves = sum(session.saves for session in sessions)
    return took, [session.saved for session in sessions], saves, lasted


# -- The machine -------------------------------------------------------------------------------
def cpu_seconds(roots: list[int]) -> float:
    """Return the CPU time of these processes and of all that they started."""
    ticks, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            pid = int(folder.name)
            parents[pid] = int(fields[1])
            ticks[pid] = sum(map(int, fields[11:15]))  # with children that ended
    ours = set(roots)
    while new := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= new
    return sum(ticks.get(pid, 0) for pid in ours) / os.sysconf("SC_CLK_TCK")


def steal(share: float, seconds: float) -> None:
    """Compute for a share of the time, then end: run one in a process for each core."""
    began, used = time.perf_counter(), time.process_time()
    while (elapsed := time.perf_counter() - began) < seconds:
        if time.process_time() - used >= share * elapsed:
            time.sleep(0.002)
