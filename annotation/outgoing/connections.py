"""Connections to other servers, on which time and bytes are counted below HTTP.

HTTP libraries limit the time of a single read. A server that sends one byte at a time, or interim
answers (100 Continue) without end, keeps such a limit for ever. Here every read of a socket takes
from what one exchange may use, whatever the bytes mean.
"""

import select
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from ssl import SSLContext, SSLSocket
from typing import Any

import httpcore
import httpx

from annotation.outgoing import addresses
from annotation.outgoing.addresses import Networks
from annotation.texts.sentences import Sentence, marked

CONNECT = 10.0  # seconds until a server takes the connection
# Seconds that a connection is kept for the next call. Servers of models often close one after five,
# and a call that is sent in that moment is lost.
IDLE = 3.0


class CallFailed(Exception):
    """No answer that can be read. It may have been carried out there."""


class Unreachable(CallFailed):
    """There is no connection to the server: nothing was sent."""


class NoConnectionFree(Unreachable):
    """Other calls use all connections that this client may open."""


class Overdue(CallFailed):
    """The answer was not complete at the deadline."""


class ConnectionCut(CallFailed):
    """The connection ended before the answer, or what came is not HTTP."""


class TooLong(CallFailed):
    """More bytes came than an answer may have."""


class Compressed(CallFailed):
    """The answer is compressed, which was not asked for: its real length is unknown."""


@dataclass(frozen=True)
class CallLimits:
    """Limits of one client.

    `inside`: addresses in this server's own network may be called; `refused`: networks that may
    not be called in any case; `proxy`: address of an HTTP proxy that all calls go through.
    """

    body: int  # bytes
    head: int = 64_000  # bytes before the body, interim answers included
    headers: int = 200
    connections: int = 10
    inside: bool = False
    refused: Networks = ()
    proxy: str = ""

    @property
    def wire(self) -> int:
        """Bytes of a whole answer, with what chunked transfer adds to small parts."""
        return self.head + 4 * self.body


@dataclass
class Exchange:
    """Time and bytes that one call may still use."""

    seconds: float
    until: float  # by the monotonic clock
    limits: CallLimits
    received: int = field(default=0)
    is_head: bool = field(default=True)

    @classmethod
    def starting(cls, *, seconds: float, limits: CallLimits) -> "Exchange":
        return cls(seconds=seconds, until=time.monotonic() + seconds, limits=limits)

    def left(self) -> float:
        """Return the seconds left, more than 0. Raises Overdue."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise Overdue(
                Sentence("No response within {seconds} seconds.", seconds=f"{self.seconds:g}")
            )
        return left

    def end_head(self) -> None:
        self.is_head = False

    def count(self, size: int) -> None:
        """Count bytes that came. Raises TooLong."""
        self.received += size
        limit = self.limits.head + READ if self.is_head else self.limits.wire
        if self.received > limit:
            raise TooLong(marked("The response has too much data besides its body."))


READ = 65_536  # bytes of one read: the end of the head comes with the begin of the body
_current: ContextVar[Exchange] = ContextVar("exchange")


@contextmanager
def exchange(budget: Exchange) -> Iterator[None]:
    """Let everything that this thread sends and reads take from `budget`."""
    token = _current.set(budget)
    try:
        yield
    finally:
        _current.reset(token)


class Stream(httpcore.NetworkStream):
    """A connection whose reads and writes end at the deadline of the current exchange."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        budget = _current.get()
        while True:
            self._sock.settimeout(budget.left())
            try:
                part = self._sock.recv(min(max_bytes, READ))
            except TimeoutError:
                continue  # the deadline has passed: `left` raises
            except OSError as error:
                raise _cut() from error
            budget.count(len(part))
            return part

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        budget, unsent = _current.get(), memoryview(buffer)
        while unsent:
            self._sock.settimeout(budget.left())
            try:
                unsent = unsent[self._sock.send(unsent) :]
            except TimeoutError:
                continue  # the deadline has passed: `left` raises
            except OSError as error:
                # Servers may refuse a request before they have read it: the answer is read next.
                raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        self._sock.close()

    def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        if isinstance(self._sock, SSLSocket):
            raise Unreachable(marked("The proxy address must start with http://."))
        try:
            self._sock.settimeout(_seconds_to_connect())
            return Stream(ssl_context.wrap_socket(self._sock, server_hostname=server_hostname))
        except (OSError, ValueError) as error:
            self.close()
            raise _unreachable(error) from error

    def get_extra_info(self, info: str) -> Any:
        """Return what the pool asks for: a connection that is readable while idle has ended."""
        if info == "is_readable":
            return _is_readable(self._sock)
        return None


class Network(httpcore.NetworkBackend):
    """Opens connections, to addresses that were checked after the name was looked up."""

    def __init__(self, limits: CallLimits) -> None:
        self._limits = limits

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            resolved = addresses.resolve(
                host,
                port,
                inside=self._limits.inside,
                refused=self._limits.refused,
                seconds=_seconds_to_connect(),
            )
        except addresses.AddressNotFound as error:
            raise _unreachable(error) from error
        failure: OSError | None = None
        for address in resolved:
            try:
                sock = socket.create_connection((address, port), timeout=_seconds_to_connect())
            except OSError as error:
                failure = error
            else:
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return Stream(sock)
        assert failure is not None
        raise _unreachable(failure) from failure


class PinnedTransport(httpx.BaseTransport):
    """Sends requests of an httpx client over such connections."""

    def __init__(self, limits: CallLimits) -> None:
        options: dict[str, Any] = {
            "ssl_context": _certificates(),
            "max_connections": limits.connections,
            "max_keepalive_connections": limits.connections,
            "keepalive_expiry": IDLE,
            "network_backend": Network(limits),
        }
        self._pool = (
            httpcore.HTTPProxy(limits.proxy, **options)
            if limits.proxy
            else httpcore.ConnectionPool(**options)
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        timeout = {"pool": _current.get().left()}
        inner = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions={"timeout": timeout},
        )
        with _translated():
            response = self._pool.handle_request(inner)
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response))

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _translated():
            yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


@contextmanager
def _translated() -> Iterator[None]:
    """Name what the library finds wrong with an exchange."""
    try:
        yield
    except httpcore.PoolTimeout as error:
        raise NoConnectionFree(marked("All connections are in use.")) from error
    except httpcore.ProxyError as error:
        raise _unreachable(error) from error
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol, httpcore.WriteError) as error:
        raise _cut() from error


def _seconds_to_connect() -> float:
    """Return the seconds left to connect. Raises Unreachable if none is left: nothing was sent."""
    try:
        return min(CONNECT, _current.get().left())
    except Overdue as error:
        raise _unreachable(error) from error


def _cut() -> ConnectionCut:
    return ConnectionCut(marked("The connection closed before the response."))


def _unreachable(error: Exception) -> Unreachable:
    return Unreachable(Sentence("Couldn't reach the server: {error}", error=str(error)))


def _is_readable(sock: socket.socket) -> bool:
    """Return whether a read would not wait: an idle connection then has ended."""
    if sock.fileno() < 0:
        return True
    poller = select.poll()
    poller.register(sock, select.POLLIN)
    return bool(poller.poll(0))


@lru_cache(maxsize=1)
def _certificates() -> SSLContext:
    return httpx.create_ssl_context(trust_env=True)
