"""The id of the request that some work belongs to, from proxy to worker and in each log line."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import getrandbits

import structlog

HEADER = "X-Request-ID"
KEY = "request_id"
WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


def accepted(given: str | None) -> str:
    """Return the id that a proxy gave, or a new one if that is missing or malformed."""
    return given if given and WELL_FORMED.fullmatch(given) else f"{getrandbits(128):032x}"


def current() -> str:
    """Return the id of the request under way; empty outside of requests and their jobs."""
    return str(structlog.contextvars.get_contextvars().get(KEY, ""))


@contextmanager
def under(request_id: str) -> Iterator[None]:
    """Log with this id until the end."""
    tokens = structlog.contextvars.bind_contextvars(**{KEY: request_id})
    try:
        yield
    finally:
        structlog.contextvars.reset_contextvars(**tokens)
