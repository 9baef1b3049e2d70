"""Durations in the headers of an answer: Retry-After, and when a limit of calls ends."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 3600.0  # seconds; a server that asks for more is asked again after them
UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|d|h|m|s)")


def duration(value: str, *, now: datetime) -> float | None:
    """Return the seconds of "7", "6m0s", "20ms", an HTTP date or one of ISO 8601, else None."""
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
