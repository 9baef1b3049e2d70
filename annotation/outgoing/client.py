"""The HTTP client of the whole product: one deadline, limits on bytes, no compression.

A call ends in a `CallResponse`, or in one `CallFailed`. After `Unreachable` nothing was sent.
After the others the request may have been carried out: the caller decides on a repeat.
Redirects are not followed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpx

from annotation.outgoing.addresses import BadAddress
from annotation.outgoing.connections import (
    CallFailed,
    CallLimits,
    Compressed,
    Exchange,
    PinnedTransport,
    TooLong,
    exchange,
)
from annotation.texts.sentences import Sentence, marked

Way = httpx.BaseTransport  # from a request to its answer
PLAIN = "identity"
HEADERS = {"Accept": "*/*", "Accept-Encoding": PLAIN, "User-Agent": "Crowdwright"}


@dataclass(frozen=True)
class CallResponse:
    """A status, the headers, and the whole body as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text: JSON is UTF-8, whatever else a server may declare."""
        return self.body.decode(errors="replace")


class Client:
    """Calls to other servers. Threads may share one: it keeps connections open."""

    def __init__(
        self,
        *,
        timeout: float,
        limits: CallLimits,
        headers: Mapping[str, str] | None = None,
        transport: Way | None = None,
    ) -> None:
        """Create a client.

        `timeout` is in seconds for a whole call, from name lookup to the last byte; `transport`
        replaces the network in tests.
        """
        self.timeout, self._limits = timeout, limits
        self._transport = transport or PinnedTransport(limits)
        self._headers = {**HEADERS, **(headers or {})}

    def close(self) -> None:
        self._transport.close()

    def send(
        self,
        method: str,
        url: str,
        *,
        json: Any = None,
        content: bytes | None = None,
        params: Mapping[str, str | int] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> CallResponse:
        """Send one request and return the answer.

        Raises
        ------
        CallFailed
            One of its subclasses, or `addresses.BadAddress` where the address may not be called.
        """
        budget = Exchange.starting(seconds=self.timeout, limits=self._limits)
        fields = {**self._headers, **(headers or {})}
        try:
            request = httpx.Request(
                method, url, json=json, content=content, params=params, headers=fields
            )
        except httpx.InvalidURL as error:
            raise BadAddress("invalid", str(error)) from error
        # Not through httpx.Client, which would keep the cookies of a server, follow its redirects
        # and unpack what it compressed.
        with exchange(budget):
            response = self._transport.handle_request(request)
            try:
                budget.end_head()
                return CallResponse(
                    response.status_code, response.headers, self._body(response, budget)
                )
            finally:
                response.close()

    def _body(self, response: httpx.Response, budget: Exchange) -> bytes:
        encoding = response.headers.get("Content-Encoding", PLAIN).strip().lower()
        if encoding not in ("", PLAIN):
            raise Compressed(marked("The server sent an unexpected compressed response."))
        if len(response.headers.raw) > self._limits.headers:
            raise TooLong(
                Sentence("The response has more than {limit} headers.", limit=self._limits.headers)
            )
        body = bytearray()
        assert isinstance(response.stream, httpx.SyncByteStream)
        for part in response.stream:
            body += part
            if len(body) > self._limits.body:
                raise TooLong(
                    Sentence(
                        "The response is longer than {limit} bytes.",
                        limit=f"{self._limits.body:,}",
                    )
                )
            budget.left()  # raises at the deadline
        return bytes(body)


def proxy_for(url: str) -> str:
    """Return the proxy that the environment names for this address, empty if none.

    For addresses that the administrator chose. A proxy looks names up by itself, so addresses that
    a researcher typed never go through one.
    """
    parts = httpx.URL(url)
    if proxy_bypass(parts.host):
        return ""
    proxies = getproxies()
    return proxies.get(parts.scheme) or proxies.get("all", "")


__all__ = ["CallFailed", "CallLimits", "CallResponse", "Client", "Way", "proxy_for"]
