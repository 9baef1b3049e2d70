"""Moments of foreign labels: ISO 8601, or seconds or milliseconds since 1970."""

from datetime import UTC, datetime

from django.utils.timezone import is_naive
from django.utils.translation import gettext

from judging.labels.lookup import UnfitLabel

YEARS = range(1970, 2200)
MILLISECONDS = 1e11  # greater numbers are milliseconds: as seconds, they begin in the year 5138


def moment_of(field: str, text: str) -> datetime | None:
    """Return the moment of a cell, in UTC if it names no zone; None if empty. Raises UnfitLabel."""
    if not text.strip():
        return None
    try:
        moment = _read(text.strip())
    except (ValueError, OverflowError, OSError):
        moment = None
    if moment is None or moment.year not in YEARS:
        raise UnfitLabel(
            field,
            gettext("{text!r} is not a time, such as 2026-03-02T09:00:00Z").format(text=text[:40]),
        )
    return moment


def _read(text: str) -> datetime:
    try:
        number = float(text) if len(text) > 8 else None  # 20260302 is a day
    except ValueError:
        number = None
    if number is not None:
        return datetime.fromtimestamp(number / 1000 if number > MILLISECONDS else number, UTC)
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if is_naive(moment) else moment.astimezone(UTC)
