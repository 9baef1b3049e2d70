"""Encodings of rows as bytes, batch by batch. The same rows give the same bytes."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Protocol

import msgspec

from annotation.texts import spreadsheets

Row = dict[str, Any]

_JSON = msgspec.json.Encoder()
BATCH = 500  # rows encoded at once
GZIP = 31  # zlib's window bits for a gzip header; it has no file name, and the time is 0


class Encoder(Protocol):
    """Encoder of a file: its start, rows and end."""

    def start(self) -> bytes: ...

    def rows(self, rows: Iterable[Row]) -> bytes: ...

    def end(self) -> bytes: ...


class JsonLinesEncoder:
    """JSON object per line, gzipped; keys in the order of the row."""

    def __init__(self) -> None:
        self.packer = zlib.compressobj(6, zlib.DEFLATED, GZIP)

    def start(self) -> bytes:
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        return self.packer.compress(_JSON.encode_lines(rows))

    def end(self) -> bytes:
        return self.packer.flush()


class LinesEncoder:
    """Lines that need no encoding: the files of other systems."""

    def start(self) -> bytes:
        return b""

    def rows(self, rows: Iterable[Any]) -> bytes:
        return "".join(rows).encode()

    def end(self) -> bytes:
        return b""


class CsvEncoder:
    """CSV in UTF-8 (RFC 4180); lines end in CR LF, so a lone CR or LF in a cell is quoted."""

    def __init__(self, columns: Sequence[str], *, excel: bool = False) -> None:
        self.columns = columns
        self.csv = spreadsheets.Csv(excel=excel)

    def start(self) -> bytes:
        return self.csv.lines([self.columns]).encode()

    def rows(self, rows: Iterable[Row]) -> bytes:
        if len(self.columns) == 1:  # of one column, itemgetter returns no row
            return self.csv.lines([row[self.columns[0]]] for row in rows).encode()
        return self.csv.lines(map(itemgetter(*self.columns), rows)).encode()

    def end(self) -> bytes:
        return b""


def batches_if_any(rows: Iterable[Row]) -> Iterator[list[Row]] | None:
    """Return the rows in batches, or None without rows."""
    following = batches(rows)
    first = list(islice(following, 1))
    return _continued(first, following) if first else None


def _continued(first: list[list[Row]], following: Iterator[list[Row]]) -> Iterator[list[Row]]:
    yield first.pop()  # nothing but the reader has this batch now
    yield from following


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
