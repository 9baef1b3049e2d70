"""The rows of an open file, whatever contains them. Pure."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from annotation.corpora.reading import delimited, excel, headers, json_documents, parquet
from annotation.corpora.reading.headers import Header
from annotation.corpora.reading.lines import Bounds, BrokenFile, FileLines, LongLine
from annotation.corpora.reading.opening import DOCUMENT, EXCEL, LINES, PARQUET, TABLE, Opening
from annotation.corpora.reading.source_rows import SourceRow, UnreadRow
from annotation.texts.json_faults import json_fault
from annotation.texts.sentences import Sentence

Rows = Iterator[SourceRow | UnreadRow]


class Source:
    """One pass over an open file: iterate for its rows; then `empty_rows` are counted.

    Values of a row are cells by column where the file is a table (`header`), or what JSON holds.
    Iterating raises BrokenFile where the rest cannot be read.
    """

    def __init__(
        self,
        *,
        stream: BinaryIO,
        opening: Opening,
        bounds: Bounds | None = None,
        refuses_doubles: bool = False,  # names that an object gives twice: the last one counts
    ) -> None:
        self.opening = opening
        self._refuses_doubles = refuses_doubles
        self.header: Header | None = None  # of a table, once its first row is read
        self.empty_rows = 0  # rows without any content
        self._stream = stream
        self._bounds = bounds

    @property
    def is_table(self) -> bool:
        return self.opening.container in (TABLE, EXCEL)

    def __iter__(self) -> Rows:
        match self.opening.container:
            case container if container == TABLE:
                rows = delimited.records(
                    self.texts(is_strict=False),
                    separator=self.opening.separator,
                    begun=int(self.opening.begins_with_separator),
                )
                return self._table(rows)
            case container if container == EXCEL:
                return self._table(iter(excel.rows(self._stream, self.opening.sheet)))
            case container if container == PARQUET:
                return self._filled(parquet.rows(self._stream, bounds=self._bounds))
            case container if container == DOCUMENT:
                return self._filled(self._document())
            case container if container == LINES:
                return self._filled(self._json_lines())
        return iter(())

    # -- Tables ----------------------------------------------------------------------------------
    def _table(self, rows: Rows) -> Rows:
        """Read the header, and return the rows below it."""
        self.header, unread, below = headers.split(rows, self.opening.header)
        if unread:
            raise BrokenFile(unread.line, unread.reason)
        if self.opening.separator == "|":
            below = headers.of_markdown(below)
        return self._below(below, self.header.names)

    def _below(self, rows: Rows, names: list[str]) -> Rows:
        for row in rows:
            if isinstance(row, UnreadRow):
                yield row
            elif headers.is_filled(row.values):
                yield headers.by_column(row, names)
            else:
                # Lines without a cell end many files; a spreadsheet shows rows of empty cells.
                self.empty_rows += bool(row.values)

    # -- JSON ------------------------------------------------------------------------------------
    def _filled(self, rows: Rows) -> Rows:
        for row in rows:
            if (
                isinstance(row, SourceRow)
                and isinstance(row.values, dict)
                and _is_empty(row.values)
            ):
                self.empty_rows += 1
            else:
                yield row

    def _json_lines(self) -> Rows:
        for number, line in self.lines():
            if isinstance(line, LongLine):
                yield UnreadRow(number, number, line.reason)
            elif line and not line.isspace():
                name = doubled_name(line) if self._refuses_doubles else ""
                if name:
                    yield UnreadRow(number, number, Sentence("contains {name} twice", name=name))
                    continue
                row = _json_row(number, line)
                several = json_documents.concatenated(line) if isinstance(row, UnreadRow) else []
                yield from (SourceRow(number, number, one) for one in several) if several else [row]

    def _document(self) -> Rows:
        """Yield the rows of a JSON document; of a damaged one those that are complete."""
        parts: list[bytes] = []
        try:
            for number, line in self.lines(whole=True):
                if isinstance(line, LongLine):
                    raise BrokenFile(number, line.reason)
                parts.append(line)
        except BrokenFile as error:
            if error.line:
                yield from json_documents.complete_rows(b"".join(parts))
            raise
        yield from json_documents.rows(b"".join(parts))

    # -- Lines -----------------------------------------------------------------------------------
    def lines(self, *, whole: bool = False) -> Iterator[tuple[int, bytes | LongLine]]:
        """Yield the numbered lines of a text, as UTF-8. Raises BrokenFile."""
        return iter(
            FileLines(
                self._stream,
                is_gzip=self.opening.is_gzip,
                bounds=self._bounds,
                whole=whole,
                encoding=self.opening.encoding,
                has_returns=self.opening.has_returns,
            )
        )

    def texts(self, *, is_strict: bool = True) -> Iterator[str]:
        """Yield the lines as text, but for the line `sep=`. Raises BrokenFile.

        If not strict, bytes that are not UTF-8 are kept as half characters, and refused with
        their record.
        """
        for number, line in self.lines(whole=is_strict):
            if isinstance(line, LongLine):  # nobody knows whether a quote was open in it
                raise BrokenFile(number, line.reason)
            if number == 1 and self.opening.begins_with_separator:
                continue
            try:
                yield line.decode(errors="strict" if is_strict else "surrogateescape")
            except UnicodeDecodeError as error:
                raise BrokenFile(number, Sentence("is not UTF-8")) from error


def _is_empty(values: Any) -> bool:
    if not isinstance(values, dict) or not values:
        return False
    return all(
        value is None or value in ([], {}) or (isinstance(value, str) and not value.strip())
        for value in values.values()
    )


def doubled_name(line: bytes) -> str:
    """Return a name that an object of a line gives twice, or an empty text."""
    doubled: list[str] = []

    def note(pairs: list[tuple[str, Any]]) -> None:
        counts = Counter(name for name, _ in pairs)
        doubled.extend(name for name, count in counts.items() if count > 1)

    with suppress(ValueError, RecursionError):  # reading it as a row says what is wrong
        json.loads(line, object_pairs_hook=note, parse_int=str)
    return doubled[0] if doubled else ""


def _json_row(number: int, line: bytes) -> SourceRow | UnreadRow:
    if (position := line.find(b"\0")) >= 0:
        reason = Sentence("contains a NUL byte after {position:,} bytes", position=position)
        return UnreadRow(number, number, reason)
    try:
        return SourceRow(number, number, msgspec.json.decode(line))
    except (RecursionError, UnicodeDecodeError, msgspec.DecodeError) as error:
        return UnreadRow(number, number, json_fault(error, line))
