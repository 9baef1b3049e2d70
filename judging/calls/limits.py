"""Limits in an endpoint's headers: calls and tokens left, and the time until there are more."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.outgoing.durations import LONGEST, duration


@dataclass(frozen=True)
class RateLimits:
    """Limits; None where a header is missing."""

    requests: int | None = None  # that may still be made
    tokens: int | None = None
    requests_in: float | None = None  # seconds until there are all of them again
    tokens_in: float | None = None
    retry_in: float | None = None  # seconds that it asks us to wait

    @property
    def pause(self) -> float:
        """The seconds before the next call, 0 unless a limit is reached."""
        if self.retry_in is not None:
            return self.retry_in
        out = [(self.requests, self.requests_in), (self.tokens, self.tokens_in)]
        return max(
            (after or 0.0 for left, after in out if left is not None and left < 1), default=0
        )


def limits_of(headers: Mapping[str, str], *, now: datetime) -> RateLimits:
    """Read the headers; `now` is our clock, for servers that send a moment and no duration."""
    values = {name.lower(): value.strip() for name, value in headers.items()}

    def seconds(name: str) -> float | None:
        return duration(values.get(name, ""), now=now)

    def count(name: str) -> int | None:
        value = values.get(name, "")
        return int(value) if re.fullmatch(r"\d{1,15}", value, re.ASCII) else None

    milliseconds = count("retry-after-ms")
    return RateLimits(
        count("x-ratelimit-remaining-requests"),
        count("x-ratelimit-remaining-tokens"),
        seconds("x-ratelimit-reset-requests"),
        seconds("x-ratelimit-reset-tokens"),
        seconds("retry-after") if milliseconds is None else min(milliseconds / 1000, LONGEST),
    )
