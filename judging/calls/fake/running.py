"""The fake endpoint as a server: `FakeEndpoint().start(port=0)`, `.stop()`.

One thread answers all connections, which leaves a core free for the clients.
"""

import asyncio
import threading
from http import HTTPStatus
from pathlib import Path
from typing import Self

from judging.calls.fake.api import Api, FakeReply, Request
from judging.calls.fake.troubles import TroubleKind

NEVER = 3600.0  # seconds: longer than anybody waits


class FakeEndpoint:
    def __init__(self, *, key: str = "", ledger: Path | None = None, per_minute: int = 0) -> None:
        self.api = Api(key=key, ledger=ledger, per_minute=per_minute)
        self.known, self.troubles, self.ledger = self.api.known, self.api.troubles, self.api.ledger
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self, *, port: int = 0) -> Self:
        # In the thread that answers: another loop may be running in this one, a browser's.
        self._thread.start()
        serving = asyncio.start_server(self._connected, "127.0.0.1", port)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result(30)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    def wait(self) -> None:
        self._thread.join()

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._closed(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()
        self.ledger.close()

    async def _closed(self) -> None:
        self._server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address for a judge."""
        return f"{self.site}/v1"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _send(self.api.answer(await _request(reader)), writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, OSError):
            pass  # they have gone, or speak no HTTP
        finally:
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body)


async def _send(reply: FakeReply, writer: asyncio.StreamWriter) -> bool:
    """Send a reply; return whether the connection stays open."""
    kind = reply.trouble.kind if reply.trouble else None
    if reply.trouble and kind in (TroubleKind.SLOW, TroubleKind.HANG):
        await asyncio.sleep(NEVER if kind == TroubleKind.HANG else reply.trouble.after)
    if kind == TroubleKind.LOST:
        return False
    headers = {
        "Content-Type": "application/json",
        **reply.headers,
        "Content-Length": str(len(reply.body)),
    }
    lines = [f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    body = reply.body[: len(reply.body) // 2] if kind == TroubleKind.CUT else reply.body
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    await writer.drain()
    return kind != TroubleKind.CUT
