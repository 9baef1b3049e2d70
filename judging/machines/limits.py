"""What an endpoint's headers say of its limits: how much is left, and when there is more."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 3600.0  # seconds; who asks for more is asked again after them
UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|d|h|m|s)")


@dataclass(frozen=True)
class Limits:
    """None: not said."""

    requests: int | None = None  # that may still be made
    tokens: int | None = None
    requests_in: float | None = None  # seconds until there are all of them again
    tokens_in: float | None = None
    retry_in: float | None = None  # seconds that it asks us to wait

    @property
    def pause(self) -> float:
        """Seconds before the next call: none, unless something has run out."""
        if self.retry_in is not None:
            return self.retry_in
        out = [(self.requests, self.requests_in), (self.tokens, self.tokens_in)]
        return max(
            (after or 0.0 for left, after in out if left is not None and left < 1), default=0
        )


def limits_of(headers: Mapping[str, str], *, now: datetime) -> Limits:
    """`now` is our clock, for those who say a moment and no duration."""
    said = {name.lower(): value.strip() for name, value in headers.items()}

    def seconds(name: str) -> float | None:
        return duration(said.get(name, ""), now=now)

    def count(name: str) -> int | None:
        value = said.get(name, "")
        return int(value) if re.fullmatch(r"\d{1,15}", value, re.ASCII) else None

    milliseconds = count("retry-after-ms")
    return Limits(
        count("x-ratelimit-remaining-requests"),
        count("x-ratelimit-remaining-tokens"),
        seconds("x-ratelimit-reset-requests"),
        seconds("x-ratelimit-reset-tokens"),
        seconds("retry-after") if milliseconds is None else min(milliseconds / 1000, LONGEST),
    )


def duration(value: str, *, now: datetime) -> float | None:
    """Seconds of "7", "6m0s", "20ms", a date as of the web, or one as of ISO 8601."""
    if re.fullmatch(r"\d{1,15}(\.\d+)?", value, re.ASCII):
        return min(float(value), LONGEST)
    if value and re.fullmatch(f"(?:{PART.pattern})+", value, re.ASCII):
        return min(sum(float(n) * UNITS[unit] for n, unit in PART.findall(value)), LONGEST)
    moment = _moment(value)
    return None if moment is None else min(max(0.0, (moment - now).total_seconds()), LONGEST)


def _moment(value: str) -> datetime | None:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(value)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
