"""One call to a model's server: asked, read, and named where it goes wrong.

A call ends in an answer (`Reply`), or in one of three exceptions. After `Busy` and `Refused`
nothing was done there and nothing is to be paid; `Busy` is worth a later try. After `Broken` it
is not known: it may have been done, so another try carries the same `once`, and servers that
know Idempotency-Key give the first answer again. Calls are not repeated here: whoever writes
them down decides that. The key goes out as a header and is in no text of ours, whatever comes.
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

import httpx

from annotation.texts.sentences import Sentence, marked
from judging.machines import addresses, protocols
from judging.machines.limits import Limits, limits_of
from judging.machines.protocols import End, Json, Messages, Protocol

CONNECT = 10.0  # seconds until a server takes the connection
KNOWN_FOR = 60.0  # seconds that the address of a name is kept
MOST = 4_000_000  # bytes of an answer
SAID = 500  # characters of a server's sentence
OLD_NAME, NEW_NAME = "max_tokens", "max_completion_tokens"  # some servers want the new one
PAUSE = 1.0  # seconds after "busy" without a word of how long
AWAY = {429, 503, 529}  # too many calls, or not there now: nothing was done
OUT_OF_MONEY = {"insufficient_quota", "billing_hard_limit_reached"}
HIDDEN = "[key]"
SHORTEST = 8  # characters of a key that is one: "none" and "x" are for servers that want any


@dataclass(frozen=True)
class Reply:
    text: str
    end: End
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    limits: Limits
    raw: str  # as it came


class CallError(Exception):
    """`kind` is a word for lists, `said` a sentence, with the server's own in it."""

    def __init__(self, kind: str, said: str, *, raw: str = "") -> None:
        self.kind, self.said, self.raw = kind, said, raw
        super().__init__(said)


class Refused(CallError):
    """The server said no: asked again, it says the same. Kinds: key, model, money, address,
    request."""


class Busy(CallError):
    """Not now: nothing was done. Kinds: busy, away. `after`: seconds to wait."""

    def __init__(self, kind: str, said: str, *, after: float = PAUSE, raw: str = "") -> None:
        self.after = after
        super().__init__(kind, said, raw=raw)


class Broken(CallError):
    """No answer that can be read; whether it was done is not known. Kinds: html, json, shape,
    server, timeout, cut, long."""


class Endpoint:
    """A server of models. One for many calls, from several threads: it keeps connections open."""

    def __init__(
        self,
        base_url: str,
        *,
        key: str = "",
        protocol: Protocol = Protocol.CHAT,
        timeout: float = 120.0,
        inside: bool = False,
        at_most: int = 100,
    ) -> None:
        """`timeout`: seconds for a whole answer; `inside`: whether it may be in our own network;
        `at_most`: connections. Raises Refused where the address or the key can be none."""
        try:
            self.url = addresses.check(base_url)
            httpx.URL(self.url)
        except (addresses.BadAddress, httpx.InvalidURL) as error:
            raise Refused("address", str(error)) from error
        # A header with such a sign would fail with the header in its message.
        if not key.isascii() or not key.isprintable() or " " in key:
            raise Refused("key", Sentence("The key has a space, or a sign that no key has."))
        if key and self.url.startswith("http:") and not inside:
            raise Refused(
                "address", Sentence("A key is sent to addresses that begin with https:// alone.")
            )
        self._key, self.protocol, self.timeout = key, Protocol(protocol), timeout
        self._newer_name = False
        limits = httpx.Limits(max_connections=at_most, max_keepalive_connections=at_most)
        self._http = httpx.Client(
            transport=_Pinned(inside=inside, limits=limits),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(timeout, connect=min(CONNECT, timeout)),
        )

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r}, protocol={str(self.protocol)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def ask(
        self,
        *,
        messages: Messages,
        model: str,
        temperature: float | None = 0,
        max_tokens: int | None = None,
        seed: int | None = None,
        schema: Json | None = None,
        once: str = "",
    ) -> Reply:
        """Ask a model. Raises Refused, Busy and Broken."""
        content = protocols.body(
            self.protocol,
            messages=messages,
            model=model,
            temperature=temperature,
            max_tokens=max_tokens,
            seed=seed,
            schema=schema,
        )
        return self.send(content, once=once)

    def send(self, content: Json, *, once: str = "") -> Reply:
        """Send what `protocols.body` made. Raises Refused, Busy and Broken."""
        if self._newer_name:
            content = _newer(content)
        try:
            return self._sent(content, once=once)
        except Refused as error:
            if OLD_NAME not in content or NEW_NAME not in error.raw:
                raise
        self._newer_name = True  # nothing was done, and the server said what it wants
        return self._sent(_newer(content), once=once)

    def _sent(self, content: Json, *, once: str) -> Reply:
        begun = time.monotonic()
        try:
            status, headers, raw = self._exchanged(content, once, until=begun + self.timeout)
        except CallError as error:
            raise self._without_key(error) from None
        limits = limits_of(headers, now=datetime.now(UTC))
        try:
            if status != 200:
                raise _failure(status, raw, headers, limits)
            answered = _answered(self.protocol, raw, headers)
        except CallError as error:
            raise self._without_key(error) from None
        return Reply(
            self._hidden(answered.text),
            answered.end,
            answered.tokens_in,
            answered.tokens_out,
            time.monotonic() - begun,
            limits,
            self._hidden(raw),
        )

    def _exchanged(
        self, content: Json, once: str, *, until: float
    ) -> tuple[int, httpx.Headers, str]:
        path = f"{self.url}/{protocols.PATHS[self.protocol]}"
        headers = {"Idempotency-Key": once} if once else {}
        try:
            with self._http.stream("POST", path, json=content, headers=headers) as response:
                raw = b"".join(_read(response, until=until))
                # JSON is UTF-8, whatever else a server may call it.
                text = raw.decode(errors="replace")
                return response.status_code, response.headers, text
        except addresses.BadAddress as error:
            raise Refused("address", str(error)) from error
        except (addresses.NotFound, httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise Busy("away", f"The server could not be reached: {error}") from error
        except httpx.PoolTimeout as error:
            raise Busy("busy", marked("All connections to the server are in use.")) from error
        except httpx.TimeoutException as error:
            raise Broken("timeout", f"No answer in {self.timeout:g} seconds.") from error
        except httpx.DecodingError as error:
            raise Broken("cut", marked("The answer cannot be unpacked.")) from error
        except httpx.HTTPError as error:
            raise Broken("cut", marked("The connection ended before the answer.")) from error

    def _hidden(self, text: str) -> str:
        """A text of theirs without our key, which some repeat."""
        return text.replace(self._key, HIDDEN) if len(self._key) >= SHORTEST else text

    def _without_key(self, error: CallError) -> CallError:
        error.said, error.raw = self._hidden(error.said), self._hidden(error.raw)
        error.args = (error.said,)
        return error


class _Pinned(httpx.BaseTransport):
    """Sends to the address that was looked at, by whatever name it was asked for."""

    def __init__(self, *, inside: bool, limits: httpx.Limits) -> None:
        self._inside = inside
        self._inner = httpx.HTTPTransport(limits=limits)
        self._known: tuple[str, float] | None = None  # an endpoint has one host

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        host = request.url.host
        port = request.url.port or addresses.PORTS[request.url.scheme]
        request.extensions = {**request.extensions, "sni_hostname": host}
        request.url = request.url.copy_with(host=self._address(host, port))
        return self._inner.handle_request(request)

    def _address(self, host: str, port: int) -> str:
        known, now = self._known, time.monotonic()
        if known is None or known[1] < now:
            known = (addresses.resolved(host, port, inside=self._inside), now + KNOWN_FOR)
            self._known = known
        return known[0]

    def close(self) -> None:
        self._inner.close()


def _newer(content: Json) -> Json:
    return {NEW_NAME if name == OLD_NAME else name: value for name, value in content.items()}


def _read(response: httpx.Response, *, until: float) -> Iterator[bytes]:
    """The answer, as long as it comes in time and is no flood."""
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MOST:
            raise Broken("long", f"The answer is longer than {MOST:,} bytes.")
        if time.monotonic() > until:
            raise Broken("timeout", marked("The answer did not end in time."))
        yield part


def _answered(protocol: Protocol, raw: str, headers: httpx.Headers) -> protocols.Answered:
    try:
        return protocols.read(protocol, json.loads(raw))
    except protocols.Unreadable as error:
        raise Broken("shape", str(error), raw=raw) from error
    except (ValueError, RecursionError) as error:
        if _is_page(raw, headers):
            raise Broken("html", marked("The server answered with a web page."), raw=raw) from error
        raise Broken("json", marked("The answer is not JSON, or half of it."), raw=raw) from error


def _failure(status: int, raw: str, headers: httpx.Headers, limits: Limits) -> CallError:
    said, code = _said(raw, headers)
    sentence = f"The server said ({status}): {said}"
    if status in AWAY:
        if code in OUT_OF_MONEY:
            return Refused("money", sentence, raw=raw)
        return Busy("busy", sentence, after=limits.pause or PAUSE, raw=raw)
    if status in (401, 403):
        return Refused("key", sentence, raw=raw)
    if status == 402:
        return Refused("money", sentence, raw=raw)
    if status == 404:
        kind = "address" if _is_page(raw, headers) or "model" not in raw.lower() else "model"
        return Refused(kind, sentence, raw=raw)
    if 300 <= status < 400:
        return Refused("address", f"The address leads elsewhere ({status}).", raw=raw)
    if 400 <= status < 500 and status != 408:
        return Refused("model" if code == "model_not_found" else "request", sentence, raw=raw)
    return Broken("timeout" if status == 408 else "server", sentence, raw=raw)


def _said(raw: str, headers: httpx.Headers) -> tuple[str, str]:
    """The server's sentence, and its code for it."""
    if _is_page(raw, headers):
        return "a web page", ""
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        return (raw.strip() or "nothing")[:SAID], ""
    error = said.get("error", said) if isinstance(said, dict) else said
    if not isinstance(error, dict):
        return str(error)[:SAID], ""
    sentence = error.get("message") or error.get("detail") or error
    return str(sentence)[:SAID], str(error.get("code") or "")


def _is_page(raw: str, headers: httpx.Headers) -> bool:
    kind = headers.get("Content-Type", "")
    return "html" in kind or re.match(r"\s*<(!doctype|html)", raw, re.IGNORECASE) is not None
