"""Rows as bytes, a batch at a time: JSONL.gz and CSV. Pure; the same rows are the same bytes."""

import csv
import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

import msgspec

from annotation.texts.spreadsheets import defused

Row = dict[str, Any]

BATCH = 500  # rows encoded at once
GZIP = 31  # zlib's window bits for a gzip header; it has no file name, and the time is 0


class Encoder(Protocol):
    """What a file begins with, its rows, and what it ends with."""

    def start(self) -> bytes: ...

    def rows(self, rows: Iterable[Row]) -> bytes: ...

    def end(self) -> bytes: ...


class JsonLines:
    """One JSON object a line, compressed; keys in the order of the row."""

    def __init__(self) -> None:
        self.packer = zlib.compressobj(6, zlib.DEFLATED, GZIP)

    def start(self) -> bytes:
        return b""

    def rows(self, rows: Iterable[Row]) -> bytes:
        return self.packer.compress(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))

    def end(self) -> bytes:
        return self.packer.flush()


class Lines:
    """Rows that are lines already: the files of other systems."""

    def start(self) -> bytes:
        return b""

    def rows(self, rows: Iterable[Any]) -> bytes:
        return "".join(rows).encode()

    def end(self) -> bytes:
        return b""


class Csv:
    """UTF-8, RFC 4180 (lines end in CR LF, so that a lone CR or LF in a cell is quoted)."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.columns = columns
        self.buffer = io.StringIO(newline="")
        self.writer = csv.writer(self.buffer, lineterminator="\r\n")

    def start(self) -> bytes:
        return self._written([self.columns])

    def rows(self, rows: Iterable[Row]) -> bytes:
        return self._written([row[column] for column in self.columns] for row in rows)

    def end(self) -> bytes:
        return b""

    def _written(self, lines: Iterable[Sequence[Any]]) -> bytes:
        self.writer.writerows([defused(cell) for cell in line] for line in lines)
        text = self.buffer.getvalue()
        self.buffer.seek(0)
        self.buffer.truncate()
        return text.encode()


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rows = iter(rows)
    while batch := list(islice(rows, BATCH)):
        yield batch
