"""The lines of a file, plain or gzip, in constant memory. Pure.

A file from somebody else may be a trap: a small one that unpacks to terabytes, a line without an
end. `Bounds` say how much of it is read.
"""

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar, cast

from annotation.corpora.reading.encodings import UTF_8, Transcoded
from annotation.texts.sentences import Sentence

T = TypeVar("T")
MOST_BYTES = 16 * 1024 * 1024  # of one line: the longest honest text, every character escaped
BOM = b"\xef\xbb\xbf"
HARMLESS = 32 * 1024 * 1024  # unpacked bytes before the ratio counts


@dataclass(frozen=True)
class Bounds:
    """The most that is read of a file, in bytes once it is unpacked."""

    unpacked: int
    ratio: int = 300  # unpacked to packed: the history of typed texts has 63
    whole: int = 64 * 1024 * 1024  # of a file that has to be held as a whole


class BrokenFile(Exception):
    """The rest of a file cannot be read; says from which line on, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason  # a Sentence, where it is for people


def begun(rows: Iterable[T]) -> tuple[list[T], Iterator[T]]:
    """Return rows, and an iterator that is empty, or raises what has ended them."""
    first: list[T] = []
    try:
        first.extend(rows)
    except BrokenFile as error:
        if not first or not error.line:
            raise
        return first, _raising(error)
    return first, iter(())


def _raising(error: BrokenFile) -> Iterator[Any]:
    yield from ()
    raise error


class LongLine(ValueError):
    """A line that is longer than any honest one."""

    def __init__(self, length: int) -> None:
        self.reason = Sentence(
            "has {length:,} bytes. The limit is {most:,}",
            length=length,
            most=MOST_BYTES,
        )
        super().__init__(self.reason)


class FileLines:
    """Numbered lines of an open file; of one that is too long only its length is kept."""

    def __init__(
        self,
        stream: BinaryIO,
        *,
        is_gzip: bool,
        bounds: Bounds | None = None,
        whole: bool = False,
        encoding: str = UTF_8,
        has_returns: bool = False,
    ) -> None:
        self._raw = stream
        self._is_gzip = is_gzip
        self._encoding, self._has_returns = encoding, has_returns
        self._bounds = bounds
        self._whole = whole

    def __iter__(self) -> Iterator[tuple[int, bytes | LongLine]]:
        """Yield number and content of each line. Raises Broken."""
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=self._raw)) if self._is_gzip else self._raw
        if self._encoding != UTF_8 or self._has_returns:
            stream = _as_utf_8(stream, encoding=self._encoding, has_returns=self._has_returns)
        number = total = 0
        try:
            while line := stream.readline(MOST_BYTES + 1):
                number += 1
                total += len(line)
                self._check(number, total)
                if len(line) <= MOST_BYTES:
                    yield number, line.removeprefix(BOM) if number == 1 else line
                    continue
                length = len(line)
                while line and not line.endswith(b"\n"):
                    line = stream.readline(1 << 20)
                    length += len(line)
                    total += len(line)
                    self._check(number, total)
                yield number, LongLine(length)
        except UnicodeDecodeError as error:
            reason = Sentence("contains bytes that are not {encoding}", encoding=self._encoding)
            raise BrokenFile(number + 1, reason) from error
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            reason = Sentence("is damaged or incomplete")
            raise BrokenFile(number + 1, reason) from error
        except OSError as error:
            raise BrokenFile(number + 1, Sentence("is damaged from this point")) from error

    def _check(self, number: int, total: int) -> None:
        if (bounds := self._bounds) is None:
            return
        if self._whole and total > bounds.whole:
            reason = Sentence(
                "is larger than {most} MB: split it",
                most=megabytes(bounds.whole),
            )
            raise BrokenFile(0, reason)
        if total > bounds.unpacked:
            reason = Sentence(
                "is larger than {most} MB unpacked: split it",
                most=megabytes(bounds.unpacked),
            )
            raise BrokenFile(0, reason)
        if self._is_gzip and total > HARMLESS and total > bounds.ratio * self._raw.tell():
            reason = Sentence(
                "unpacks to more than {ratio} times its size",
                ratio=bounds.ratio,
            )
            raise BrokenFile(0, reason)


def _as_utf_8(stream: BinaryIO, *, encoding: str, has_returns: bool) -> BinaryIO:
    transcoded = Transcoded(stream, encoding=encoding, has_returns=has_returns)
    return cast(BinaryIO, io.BufferedReader(transcoded, 1 << 17))


def megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.0f}"
