"""Columns of numbers and texts in few bytes. Pure; it knows nothing of what they mean.

Whoever reads asks for the same columns in the same order as whoever wrote: a column gets its
place at its first use, so that no names are stored.
"""

import lzma
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

DICTIONARY = 1 << 20  # bytes; keeps the compressor's memory small


def _filters(dictionary: int) -> list[dict[str, Any]]:
    """Return the options of one stream without a header."""
    preset = 9 | lzma.PRESET_EXTREME
    options = {"preset": preset, "dict_size": dictionary, "lc": 3, "lp": 0, "pb": 0}
    return [{"id": lzma.FILTER_LZMA2, **options}]


def _compressed(data: bytes | bytearray) -> bytes:
    """Compress in as much memory as the data needs; clearing more takes most of the time."""
    dictionary = min(DICTIONARY, max(1 << 16, 1 << len(data).bit_length()))
    return lzma.compress(data, lzma.FORMAT_RAW, filters=_filters(dictionary))


class BrokenColumns(ValueError):
    """These bytes are not what a ColumnWriter made."""


class ColumnWriter:
    """Takes values column by column; `packed` is all of it."""

    def __init__(self) -> None:
        self.columns: dict[str, bytearray] = {}
        self.words: dict[str, dict[str, int]] = {}

    def number(self, column: str, value: int) -> None:
        """Append a non-negative integer: 7 bits a byte, lowest first."""
        data = self.columns.get(column)
        if data is None:
            data = self.columns[column] = bytearray()
        if value <= 0x7F:  # nearly all of them, and this is a hot path
            data.append(value)
        else:
            _append(data, value)

    def signed(self, column: str, value: int) -> None:
        value = value << 1 if value >= 0 else ~value << 1 | 1
        data = self.columns.get(column)
        if data is not None and value <= 0x7F:
            data.append(value)
        else:
            self.number(column, value)

    def optional(self, column: str, value: int | None) -> None:
        self.number(column, 0 if value is None else value + 1)

    def text(self, column: str, value: str) -> None:
        data = value.encode("utf-8", "surrogatepass")
        self.number(f"{column} length", len(data))
        self.columns.setdefault(column, bytearray()).extend(data)

    def word(self, column: str, value: str) -> None:
        """Append a repeated text as a number; its first occurrence adds the text itself."""
        words = self.words.get(column)
        if words is None:
            words = self.words[column] = {}
        number = words.get(value)
        if number is not None:
            self.number(column, number)
            return
        words[value] = len(words)
        self.number(column, words[value])
        self.text(f"{column} words", value)

    # Many values of a column that has some already, in a tenth of the time.
    def numbers(self, column: str, values: Sequence[int]) -> None:
        data = self.columns[column]
        if max(values, default=0) <= 0x7F:
            data.extend(values)
            return
        for value in values:
            _append(data, value)

    def all_signed(self, column: str, values: Iterable[int]) -> None:
        self.numbers(column, [v << 1 if v >= 0 else ~v << 1 | 1 for v in values])

    def texts(self, column: str, values: Iterable[str]) -> None:
        encoded = [value.encode("utf-8", "surrogatepass") for value in values]
        self.numbers(f"{column} length", [len(text) for text in encoded])
        self.columns[column] += b"".join(encoded)

    def all_words(self, column: str, values: Iterable[str]) -> None:
        for value, same in groupby(values):
            self.word(column, value)
            self.numbers(column, [self.words[column][value]] * (len(list(same)) - 1))

    def packed(self) -> bytes:
        data = bytearray()
        _append(data, len(self.columns))
        for column in self.columns.values():
            _append(data, len(column))
        for column in self.columns.values():
            data += column
        return _compressed(data)


class ColumnReader:
    """Gives the values back, in the order in which they were written."""

    def __init__(self, packed: bytes) -> None:
        try:
            data = lzma.decompress(packed, lzma.FORMAT_RAW, filters=_filters(DICTIONARY))
            count, start = _take(data, 0)
            ends = []
            for _ in range(count):
                length, start = _take(data, start)
                ends.append(length)
        except (lzma.LZMAError, IndexError) as error:
            raise BrokenColumns("These bytes are not packed columns.") from error
        self.data = data
        self.starts: list[int] = []
        for length in ends:
            self.starts.append(start)
            start += length
        self.at: dict[str, int] = {}  # where each column is read on
        self.words: dict[str, list[str]] = {}

    def number(self, column: str) -> int:
        start = self.at[column] if column in self.at else self._place(column)
        if (byte := self.data[start]) <= 0x7F:  # nearly all of them, and this is a hot path
            self.at[column] = start + 1
            return byte
        value, self.at[column] = _take(self.data, start)
        return value

    def signed(self, column: str) -> int:
        value = self.number(column)
        return ~(value >> 1) if value & 1 else value >> 1

    def optional(self, column: str) -> int | None:
        value = self.number(column)
        return value - 1 if value else None

    def text(self, column: str) -> str:
        length = self.number(f"{column} length")
        start = self._place(column)
        self.at[column] = start + length
        return self.data[start : start + length].decode("utf-8", "surrogatepass")

    def word(self, column: str) -> str:
        words = self.words.get(column)
        if words is None:
            words = self.words[column] = []
        number = self.number(column)
        if number == len(words):
            words.append(self.text(f"{column} words"))
        return words[number]

    def _place(self, column: str) -> int:
        if column not in self.at:
            self.at[column] = self.starts[len(self.at)]
        return self.at[column]


def _append(data: bytearray, value: int) -> None:
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    data.append(value)


def _take(data: bytes, start: int) -> tuple[int, int]:
    """Return the number at `start`, and the position after it."""
    value = shift = 0
    while (byte := data[start]) > 0x7F:
        value |= (byte & 0x7F) << shift
        shift += 7
        start += 1
    return value | byte << shift, start + 1
