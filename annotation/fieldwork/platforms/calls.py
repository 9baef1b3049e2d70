"""Calls to a recruitment platform: with time limits, repeated where that is safe, and logged.

A call ends with an answer, with `CallRefused` (nothing happened there) or with `OutcomeUnknown`
(it may have happened: payments are looked up before they are sent again). The log names calls, and
holds no token, no id of a person and nothing that was sent.
"""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

import structlog

from annotation import signals
from annotation.clock import database_now
from annotation.outgoing import client, connections
from annotation.outgoing.durations import duration
from annotation.texts.sentences import Sentence
from annotation.texts.untrusted import read_json

log = structlog.get_logger(__name__)

TIMEOUT = 30.0  # seconds for a whole answer
MAX_ANSWER = 10_000_000  # bytes
TRIES = 4  # of a call that may be repeated
PAUSE = 0.5  # seconds before the second try, doubled before each other one
LONGEST_PAUSE = 30.0  # seconds; a platform that asks for more is left alone until the next sweep
TOO_MANY, REQUEST_TIMED_OUT = 429, 408
CHANGING = {"POST", "PUT", "PATCH", "DELETE"}


class CallRefused(Exception):
    """The platform refused, and nothing has happened there."""

    def __init__(self, status: int, sentence: str) -> None:
        self.status, self.sentence = status, sentence
        super().__init__(sentence)


class NotSent(CallRefused):
    """A call of a dry run that would change something, and was not sent."""

    def __init__(self, name: str, method: str, path: str, payload: Any) -> None:
        self.name, self.method, self.path, self.payload = name, method, path, payload
        super().__init__(0, Sentence("Dry run: “{name}” was recorded but not sent.", name=name))


class NoToken(CallRefused):
    def __init__(self, setting: str) -> None:
        super().__init__(
            0,
            Sentence("Can't reach the platform: {setting} is not set.", setting=setting),
        )


class OutcomeUnknown(Exception):
    """No readable answer: it may or may not have happened there."""

    def __init__(self, name: str, why: str) -> None:
        self.name, self.why = name, why
        super().__init__(
            Sentence(
                "The outcome of “{name}” on the platform is unknown: {why}.", name=name, why=why
            )
        )


@dataclass(frozen=True)
class CallAnswer:
    """The JSON and headers of an answer."""

    content: Any
    headers: Mapping[str, str]


class _Lost(Exception):
    """A try without an answer; an `untouched` one had no effect, `pause` is what was asked for."""

    def __init__(
        self, why: str, *, status: int = 0, pause: float | None = None, untouched: bool = False
    ) -> None:
        self.why, self.status, self.pause, self.untouched = why, status, pause, untouched
        super().__init__(why)


@dataclass
class Caller:
    """The address and headers of a platform, and whether changes are sent."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    dry_run: bool
    sleep: Callable[[float], None] = time.sleep
    timeout: float = TIMEOUT
    transport: client.Way | None = None  # another way there, for tests

    def __post_init__(self) -> None:
        # The administrator chose the address, so it may be on this machine or behind a proxy.
        limits = client.CallLimits(body=MAX_ANSWER, inside=True, proxy=client.proxy_for(self.url))
        self._http = client.Client(
            timeout=self.timeout, limits=limits, headers=self.headers, transport=self.transport
        )

    def call(
        self,
        name: str,
        method: str,
        path: str,
        *,
        payload: Any = None,
        params: Mapping[str, str | int] | None = None,
        may_be_repeated: bool,
    ) -> CallAnswer:
        """Make a call, and repeat it where that is safe. Raises CallRefused and OutcomeUnknown.

        A refusal after a lost answer is unknown: the first try may have been carried out.
        """
        if self.dry_run and method in CHANGING:
            log.info("dry run: not sent", call=name, method=method)
            raise NotSent(name, method, path, payload)
        lost: _Lost | None = None
        may_have_happened = False
        for number in range(1, TRIES + 1):
            try:
                return self._try(name, method, path, payload=payload, params=params, number=number)
            except CallRefused as refused:
                if may_have_happened and method in CHANGING:
                    raise OutcomeUnknown(
                        name,
                        Sentence(
                            ("no response to the first request; then: {refused}"),
                            refused=refused.sentence,
                        ),
                    ) from refused
                raise
            except _Lost as error:
                lost = error
            may_have_happened |= not lost.untouched
            pause = _pause(lost, number)
            if not may_be_repeated or number == TRIES or pause > LONGEST_PAUSE:
                break
            self.sleep(pause)
        assert lost is not None
        if not may_have_happened:
            raise CallRefused(lost.status, Sentence("The platform {why}.", why=lost.why))
        raise OutcomeUnknown(name, Sentence("the platform {why}", why=lost.why))

    def _try(
        self, name: str, method: str, path: str, *, payload: Any, params: Any, number: int
    ) -> CallAnswer:
        begun = time.monotonic()
        outcome = "no answer"
        try:
            # Relative to the address: a path that begins with / is one of the host.
            response = self._http.send(method, urljoin(self.url, path), json=payload, params=params)
            outcome = str(response.status)
            return _read(response)
        except connections.Unreachable as error:
            raise _Lost(Sentence("could not be reached"), untouched=True) from error
        except connections.Overdue as error:
            raise _Lost(Sentence("did not answer in time")) from error
        except (connections.TooLong, connections.Compressed) as error:
            raise _Lost(Sentence("sent an unreadable response")) from error
        except client.CallFailed as error:
            raise _Lost(Sentence("closed the connection")) from error
        finally:
            seconds = round(time.monotonic() - begun, 3)
            signals.platform_called.send(sender=Caller, outcome=outcome)
            log.info(
                "call", call=name, method=method, outcome=outcome, attempt=number, seconds=seconds
            )


def _read(response: client.CallResponse) -> CallAnswer:
    status = response.status
    if status == TOO_MANY:
        pause = duration(response.headers.get("Retry-After", ""), now=database_now())
        raise _Lost(
            Sentence("is receiving too many requests"), status=TOO_MANY, pause=pause, untouched=True
        )
    if status >= 500 or status == REQUEST_TIMED_OUT:
        raise _Lost(Sentence("failed ({status})", status=status))
    if 400 <= status < 500:
        raise CallRefused(status, _sentence(response))
    if not response.is_success:
        raise _Lost(Sentence("redirected the request ({status})", status=status))
    if not response.body:
        return CallAnswer(None, response.headers)
    try:
        return CallAnswer(read_json(response.body), response.headers)
    except ValueError as error:
        raise _Lost(Sentence("did not respond with JSON")) from error


def _pause(lost: _Lost, number: int) -> float:
    """Return the seconds before the next try: as asked for, or doubled with a random part."""
    if lost.pause is not None:
        return lost.pause
    return PAUSE * 2.0 ** (number - 1) * random.uniform(0.5, 1)


def _sentence(response: client.CallResponse) -> str:
    try:
        answer = read_json(response.body)
    except ValueError:
        answer = None
    error = answer.get("error", answer) if isinstance(answer, dict) else answer
    if isinstance(error, dict):
        error = error.get("detail") or error.get("title") or error
    return Sentence(
        "The platform refused the request ({status_code}): {said}",
        status_code=response.status,
        said=str(error or "no reason")[:500],
    )
