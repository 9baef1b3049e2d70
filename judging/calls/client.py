"""Client for one call to a model's server.

A call ends in a `ServerReply`, or in one of three exceptions. After `BusyServer` and `RefusedCall`
the server has done nothing and charges nothing; `BusyServer` is worth a later try. After
`BrokenCall` the call may have been done, so another try carries the same `once`, and servers that
know Idempotency-Key repeat their first answer. Callers decide about retries. The key is sent as a
header and is in no message.
"""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from annotation.outgoing import addresses, client, connections
from annotation.texts.sentences import Sentence, marked
from annotation.texts.untrusted import read_json, storable
from judging.calls import protocols
from judging.calls.limits import RateLimits, limits_of
from judging.calls.protocols import End, Json, Messages, Protocol

MAX_ANSWER = 4_000_000  # bytes
SAID = 500  # characters of a server's sentence
OLD_NAME, NEW_NAME = "max_tokens", "max_completion_tokens"  # some servers want the new one
PAUSE = 1.0  # seconds after "busy" without a word of how long
AWAY = {429, 503, 529}  # too many calls, or not there now: nothing was done
OUT_OF_MONEY = {"insufficient_quota", "billing_hard_limit_reached"}
HIDDEN = "[key]"
SHORTEST = 8  # characters of a key that is one: "none" and "x" are for servers that want any


@dataclass(frozen=True)
class ServerReply:
    text: str
    end: End
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    limits: RateLimits
    raw: str  # as it came


class CallError(Exception):
    """A call without an answer. `kind` is a code, `said` a sentence, cleaned for the database."""

    def __init__(self, kind: str, said: str, *, raw: str = "") -> None:
        self.kind = kind
        # A Sentence of ours keeps its words for translation.
        self.said = said if isinstance(said, Sentence) else storable(said)
        self.raw = storable(raw)
        super().__init__(self.said)


class RefusedCall(CallError):
    """Refusal that a retry would repeat. Kinds: key, model, money, address, request."""


class BusyServer(CallError):
    """Refusal for now: nothing was done. Kinds: busy, away. `after`: seconds to wait."""

    def __init__(self, kind: str, said: str, *, after: float = PAUSE, raw: str = "") -> None:
        self.after = after
        super().__init__(kind, said, raw=raw)


class BrokenCall(CallError):
    """Answer that cannot be read; the call may have been done.

    Kinds: html, json, shape, server, timeout, cut, long, packed.
    """


KINDS: dict[type[client.CallFailed], str] = {
    connections.Overdue: "timeout",
    connections.ConnectionCut: "cut",
    connections.TooLong: "long",
    connections.Compressed: "packed",
}


class Endpoint:
    """A server of models, with open connections that threads share."""

    def __init__(
        self,
        base_url: str,
        *,
        key: str = "",
        protocol: Protocol = Protocol.CHAT,
        timeout: float = 120.0,
        inside: bool = False,
        refused: addresses.Networks = (),
        at_most: int = 100,
    ) -> None:
        """Check the address and key.

        Parameters
        ----------
        timeout : seconds for a whole answer
        inside : whether the server may be in our own network
        refused : networks that it must not be in
        at_most : number of connections

        Raises
        ------
        Refused
            If the address or the key is invalid.
        """
        try:
            self.url = addresses.check(base_url)
        except addresses.BadAddress as error:
            raise RefusedCall("address", str(error)) from error
        # A header with such a sign would fail with the header in its message.
        if not key.isascii() or not key.isprintable() or " " in key:
            raise RefusedCall("key", Sentence("The key contains a space or an invalid character."))
        if key and self.url.startswith("http:") and not inside:
            raise RefusedCall("address", Sentence("Keys are sent only to https:// addresses."))
        self._key, self.protocol, self.timeout = key, Protocol(protocol), timeout
        self._newer_name = False
        self._http = client.Client(
            timeout=timeout,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            limits=client.CallLimits(
                body=MAX_ANSWER, connections=at_most, inside=inside, refused=refused
            ),
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
    ) -> ServerReply:
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

    def send(self, content: Json, *, once: str = "") -> ServerReply:
        """Send what `protocols.body` made. Raises Refused, Busy and Broken."""
        if self._newer_name:
            content = _newer(content)
        try:
            return self._sent(content, once=once)
        except RefusedCall as error:
            if OLD_NAME not in content or NEW_NAME not in error.raw:
                raise
        self._newer_name = True  # nothing was done, and the server said what it wants
        return self._sent(_newer(content), once=once)

    def _sent(self, content: Json, *, once: str) -> ServerReply:
        begun = time.monotonic()
        try:
            response = self._exchanged(content, once)
            limits = limits_of(response.headers, now=datetime.now(UTC))
            if response.status != 200:
                raise _failure(response, limits)
            answered = _answered(self.protocol, response)
        except CallError as error:
            raise self._without_key(error) from None
        return ServerReply(
            self._hidden(answered.text),
            answered.end,
            answered.tokens_in,
            answered.tokens_out,
            time.monotonic() - begun,
            limits,
            self._hidden(storable(response.text)),
        )

    def _exchanged(self, content: Json, once: str) -> client.CallResponse:
        path = f"{self.url}/{protocols.PATHS[self.protocol]}"
        headers = {"Idempotency-Key": once} if once else {}
        try:
            return self._http.send("POST", path, json=content, headers=headers)
        except addresses.BadAddress as error:
            raise RefusedCall("address", str(error)) from error
        except connections.NoConnectionFree as error:
            raise BusyServer("busy", str(error)) from error
        except connections.Unreachable as error:
            raise BusyServer("away", str(error)) from error
        except client.CallFailed as error:
            raise BrokenCall(KINDS[type(error)], str(error)) from error

    def _hidden(self, text: str) -> str:
        """Return a text of the server without our key, which some repeat."""
        return text.replace(self._key, HIDDEN) if len(self._key) >= SHORTEST else text

    def _without_key(self, error: CallError) -> CallError:
        error.said, error.raw = self._hidden(error.said), self._hidden(error.raw)
        error.args = (error.said,)
        return error


def _newer(content: Json) -> Json:
    return {NEW_NAME if name == OLD_NAME else name: value for name, value in content.items()}


def _answered(protocol: Protocol, response: client.CallResponse) -> protocols.ServerAnswer:
    raw = response.text
    try:
        return protocols.read(protocol, read_json(raw))
    except protocols.UnreadableReply as error:
        raise BrokenCall("shape", str(error), raw=raw) from error
    except ValueError as error:
        if _is_page(raw, response.headers):
            raise BrokenCall(
                "html", marked("The server returned a web page, not an API response."), raw=raw
            ) from error
        raise BrokenCall(
            "json", marked("The answer is incomplete or not JSON."), raw=raw
        ) from error


def _failure(response: client.CallResponse, limits: RateLimits) -> CallError:
    status, raw = response.status, response.text
    reason, code = _reason(raw, response.headers)
    sentence = f"The server said ({status}): {reason}"
    if status in AWAY:
        if code in OUT_OF_MONEY:
            return RefusedCall("money", sentence, raw=raw)
        return BusyServer("busy", sentence, after=limits.pause or PAUSE, raw=raw)
    if status in (401, 403):
        return RefusedCall("key", sentence, raw=raw)
    if status == 402:
        return RefusedCall("money", sentence, raw=raw)
    if status == 404:
        is_address = _is_page(raw, response.headers) or "model" not in raw.lower()
        return RefusedCall("address" if is_address else "model", sentence, raw=raw)
    if 300 <= status < 400:
        return RefusedCall("address", f"The address redirects ({status}).", raw=raw)
    if 400 <= status < 500 and status != 408:
        return RefusedCall("model" if code == "model_not_found" else "request", sentence, raw=raw)
    return BrokenCall("timeout" if status == 408 else "server", sentence, raw=raw)


def _reason(raw: str, headers: Mapping[str, str]) -> tuple[str, str]:
    """Return the server's sentence, and its code for it."""
    if _is_page(raw, headers):
        return "a web page", ""
    try:
        answer = read_json(raw)
    except ValueError:
        return (raw.strip() or "nothing")[:SAID], ""
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if not isinstance(error, dict):
        return str(error)[:SAID], ""
    sentence = error.get("message") or error.get("detail") or error
    return str(sentence)[:SAID], str(error.get("code") or "")


def _is_page(raw: str, headers: Mapping[str, str]) -> bool:
    kind = headers.get("Content-Type", "")
    return "html" in kind or re.match(r"\s*<(!doctype|html)", raw, re.IGNORECASE) is not None
