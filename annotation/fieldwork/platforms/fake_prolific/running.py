"""The fake as a server: `FakeProlific().start(port=0)`, `.stop()`."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from annotation.fieldwork.platforms.fake_prolific import control, pages
from annotation.fieldwork.platforms.fake_prolific.api import (
    API,
    KEYS,
    FakeApi,
    FakeRequest,
    ProlificReply,
)
from annotation.fieldwork.platforms.fake_prolific.hooks import EVENTS
from annotation.fieldwork.platforms.fake_prolific.keeping import SavedWorld
from annotation.fieldwork.platforms.fake_prolific.signing import WORKSPACE
from annotation.fieldwork.platforms.fake_prolific.troubles import ProlificTrouble
from annotation.outgoing.client import CallFailed, CallLimits, Client

Letter = tuple[str, dict[str, str], bytes]
TRIES, PAUSE = 3, 0.5  # of a webhook that is not taken; seconds


class FakeProlific:
    """The server; `book` is the file that keeps its world, without which it forgets all."""

    def __init__(self, *, token: str = "", book: Path | None = None) -> None:
        self.letters: queue.Queue[Letter | None] = queue.Queue()
        self.api = FakeApi(send=lambda *letter: self.letters.put(letter), token=token)
        self.world, self.hooks = self.api.world, self.api.hooks
        self.troubles = self.api.troubles
        self.book = SavedWorld(book) if book else None
        self._keeps = True
        if self.book:
            self.book.read(world=self.world, bonuses=self.api.bonuses)
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()  # from now on a letter is tried once

    def start(self, *, port: int = 0) -> "FakeProlific":
        handler = type("Bound", (_Handler,), {"api": self.api, "keep": staticmethod(self.keep)})
        self.server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.server.daemon_threads = True
        for target in (self.server.serve_forever, self._deliver):
            thread = threading.Thread(target=target, daemon=True)
            thread.start()
            self._threads.append(thread)
        return self

    def tell(self, address: str) -> str:
        """Send webhooks to this address from now on; return the secret that signs them."""
        secret = self.hooks.make_secret(WORKSPACE)["value"]
        fields = {"workspace_id": WORKSPACE, "event_type": EVENTS[0], "target_url": address}
        self.hooks.subscribe(fields).is_enabled = True
        return str(secret)

    def keep(self) -> None:
        """Save what has changed."""
        if self.book and self._keeps:
            with self.api.lock:
                self.book.write(world=self.world, bonuses=self.api.bonuses)

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Save nothing until the end of the block, and then everything."""
        self._keeps = False
        yield
        self._keeps = True
        self.keep()

    def wait(self) -> None:
        self._threads[0].join()

    def stop(self) -> None:
        self._stopping.set()
        self.letters.put(None)
        self.server.shutdown()
        self.server.server_close()
        for thread in self._threads:
            thread.join(5)

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def url(self) -> str:
        """The address of the API, for the setting PROLIFIC_URL."""
        return self.site + API

    def _deliver(self) -> None:
        """Send webhooks one after the other; one without success is repeated, then lost."""
        http = Client(timeout=10, limits=CallLimits(body=100_000, inside=True))
        while (letter := self.letters.get()) is not None:
            address, headers, body = letter
            for _ in range(TRIES):
                with suppress(CallFailed):
                    if http.send("POST", address, headers=headers, content=body).is_success:
                        break
                if self._stopping.wait(PAUSE):
                    break
            self.letters.task_done()
        http.close()


def answer(api: FakeApi, request: FakeRequest) -> ProlificReply:
    if request.path.startswith(control.CONTROL):
        return control.answer(api, request)
    if request.path.startswith(API) or request.path == KEYS:
        return api.answer(request)
    return pages.answer(api, request)


class _Handler(BaseHTTPRequestHandler):
    api: FakeApi
    keep: Callable[[], None]
    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds that a connection waits for its next request

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = FakeRequest(
            self.command,
            parts.path,
            dict(parse_qsl(parts.query)),
            dict(self.headers.items()),
            self.rfile.read(length),
        )
        reply = answer(self.api, request)
        self.keep()  # before anybody is told of it
        if reply.trouble is None:
            self._send(reply)
        elif reply.trouble.kind == ProlificTrouble.CUT:
            self.close_connection = True
            self.connection.close()
        else:
            time.sleep(reply.trouble.seconds)
            self.close_connection = True

    do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815 (http.server's names)

    def _send(self, reply: ProlificReply) -> None:
        body = reply.body
        self.send_response(reply.status)
        headers = {"Content-Type": "application/json", **reply.headers}
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the lines would contain IDs."""
