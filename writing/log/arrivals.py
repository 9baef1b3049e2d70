"""Arrival times of the chunks of a log, by our clock. Pure.

A chunk takes about four bytes: the numbers since the chunk that came before it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from writing.log.columns import ColumnReader, ColumnWriter


class ChunkArrival(NamedTuple):
    """Chunk `number`, whose last event is `ms` into the log, came at `at`, ms since 1970."""

    number: int
    ms: int
    at: int


def pack(arrivals: Iterable[ChunkArrival]) -> bytes:
    """All arrivals of a log in few bytes, b"" for none; `unpack` gives the very same back."""
    rows = list(arrivals)
    if not rows:
        return b""
    writer, before = ColumnWriter(), ChunkArrival(0, 0, 0)
    writer.number("arrivals", len(rows))
    for row in rows:
        for name, value, previous in zip(ChunkArrival._fields, row, before, strict=True):
            writer.signed(name, value - previous)
        before = row
    return writer.packed()


def unpack(data: bytes) -> list[ChunkArrival]:
    """Return the arrivals of packed bytes. Raises BrokenColumns."""
    if not data:
        return []
    reader, before, rows = ColumnReader(data), ChunkArrival(0, 0, 0), []
    for _ in range(reader.number("arrivals")):
        before = ChunkArrival(
            *(previous + reader.signed(name) for name, previous in before._asdict().items())
        )
        rows.append(before)
    return rows
