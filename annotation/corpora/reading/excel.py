"""The sheets of an Excel workbook and their rows. Pure.

The reader holds a whole sheet, from its first cell to its last one, so a workbook is measured
before it is read: what it unpacks to, and how far apart its cells are.
"""

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any, BinaryIO, NamedTuple

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from annotation.corpora.reading.lines import BrokenFile, megabytes
from annotation.corpora.reading.source_rows import SourceRow, UnfitFile
from annotation.texts.sentences import Sentence

MOST_UNPACKED = 128 * 1024 * 1024  # bytes of all parts
MOST_CELLS = 8_000_000  # of the rectangle that holds a sheet
MOST_COLUMNS = 1_000
MOST_SHEETS = 100
CHUNK = 1 << 20  # bytes
CELL = re.compile(rb"<(?:\w+:)?c\s([^<>]{0,300})>")
PLACE = re.compile(rb"""(?:^|\s)r\s*=\s*["']\$?([A-Za-z]{1,3})\$?(\d{1,7})["']""")
UNCOMPUTED = re.compile(rb"(?:</f>|<f\b[^<>]*/>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
ERROR = re.compile(rb"""\st\s*=\s*["']e["']""")
LONGEST_TAG = 400  # bytes of one chunk that are looked at again with the next
PART = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
DAMAGED = "is a damaged or incomplete Excel file"


class ExcelSheet(NamedTuple):
    """A sheet with rows."""

    name: str
    is_hidden: bool
    rows: int


class SheetCounts(NamedTuple):
    """Counts of the sheets of a workbook, made before it is read."""

    uncomputed: int  # formulas without a stored value
    errors: int  # cells such as #N/A


def measure(stream: BinaryIO) -> SheetCounts:
    """Count what is read as an empty cell. Raises UnfitFile for what would not fit in memory."""
    counted: Counter[str] = Counter()
    try:
        with zipfile.ZipFile(stream) as archive:
            parts = archive.infolist()
            if any(part.flag_bits & 1 for part in parts):
                raise UnfitFile(Sentence("is password-protected"))
            if sum(part.file_size for part in parts) > MOST_UNPACKED:
                raise _too_long()
            for part in parts:
                with archive.open(part) as content:
                    _measure(content, counted, is_sheet=bool(PART.fullmatch(part.filename)))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
        raise UnfitFile(Sentence(DAMAGED)) from error
    return SheetCounts(counted["uncomputed"], counted["errors"])


def _too_long() -> UnfitFile:
    most = megabytes(MOST_UNPACKED)
    return UnfitFile(Sentence("is larger than {most} MB unpacked: split it", most=most))


def _measure(content: Any, counted: Counter[str], *, is_sheet: bool) -> None:
    last_row = last_column = 0
    before = b""
    while chunk := content.read(
        CHUNK
    ):  # every part: what a zip file says of its sizes may be a lie
        counted["bytes"] += len(chunk)
        if counted["bytes"] > MOST_UNPACKED:
            raise _too_long()
        if not is_sheet:
            continue
        text = before + chunk
        counted["uncomputed"] += _new(UNCOMPUTED, text, len(before))
        for tag in CELL.finditer(text):
            if tag.end() <= len(before):
                continue
            counted["errors"] += bool(ERROR.search(tag[1]))
            if not tag[1].endswith(b"/") and (place := PLACE.search(tag[1])):
                last_column = max(last_column, _number(place[1]))
                last_row = max(last_row, int(place[2]))
        _refuse_large(last_row, last_column)
        before = text[-LONGEST_TAG:]


def _new(pattern: re.Pattern[bytes], text: bytes, begun: int) -> int:
    return sum(match.end() > begun for match in pattern.finditer(text))


def _number(name: bytes) -> int:
    """Return the number of a column by its letters; A is 1."""
    number = 0
    for letter in name.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def _refuse_large(rows: int, columns: int) -> None:
    if columns > MOST_COLUMNS:
        raise UnfitFile(
            Sentence(
                "has {columns:,} columns. The limit is {most:,}",
                columns=columns,
                most=MOST_COLUMNS,
            )
        )
    if rows * columns > MOST_CELLS:
        raise UnfitFile(
            Sentence(
                "has a very large sheet ({rows:,} rows, {columns:,} columns): delete stray cells",
                rows=rows,
                columns=columns,
            )
        )


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise UnfitFile for all that the reader says of a damaged workbook."""
    try:
        yield
    except (CalamineError, OSError, ValueError, zipfile.BadZipFile) as error:
        raise UnfitFile(Sentence(DAMAGED)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of the reader's Rust code
            raise
        raise UnfitFile(Sentence(DAMAGED)) from error


def sheets_of(stream: BinaryIO) -> list[ExcelSheet]:
    """Return the sheets of a measured workbook that have rows. Raises UnfitFile."""
    with _refusing():
        workbook = CalamineWorkbook.from_filelike(stream)
        sheets = [
            ExcelSheet(
                about.name,
                about.visible != SheetVisibleEnum.Visible,
                workbook.get_sheet_by_name(about.name).total_height,
            )
            for about in workbook.sheets_metadata[:MOST_SHEETS]
            if about.typ == SheetTypeEnum.WorkSheet
        ]
    return [sheet for sheet in sheets if sheet.rows]


def rows(stream: BinaryIO, sheet: str) -> Iterator[SourceRow]:
    """Yield the rows of a sheet as texts; a merged cell fills its rows. Raises BrokenFile."""
    try:
        measure(stream)
        with _refusing():
            stream.seek(0)
            workbook = CalamineWorkbook.from_filelike(stream)
            if sheet not in workbook.sheet_names:
                raise UnfitFile(Sentence("has no sheet {sheet!r}", sheet=sheet))
            table = workbook.get_sheet_by_name(sheet)
            merged = _merged(table.merged_cell_ranges or [])
            cells_by_row = table.iter_rows()
    except UnfitFile as error:
        raise BrokenFile(0, error.reason) from error
    above: dict[int, str] = {}
    for number, values in enumerate(cells_by_row, start=1):
        cells = [as_text(value) for value in values]
        for column, (first, last) in merged.get(number, {}).items():
            if number == first:
                above[column] = cells[column] if column < len(cells) else ""
            elif number <= last and column < len(cells) and not cells[column]:
                cells[column] = above.get(column, "")
        yield SourceRow(number, number, cells)


def _merged(
    ranges: list[tuple[tuple[int, int], tuple[int, int]]],
) -> dict[int, dict[int, tuple[int, int]]]:
    """Return by row and column the first and last row of the merged cell that is there."""
    merged: dict[int, dict[int, tuple[int, int]]] = {}
    for (top, left), (bottom, _) in ranges[:MOST_CELLS]:
        for row in range(top, min(bottom, top + 100_000) + 1):
            merged.setdefault(row + 1, {})[left] = (top + 1, bottom + 1)
    return merged


def as_text(value: Any) -> str:
    """Return a cell as text: whole numbers without a point, dates as ISO 8601."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value) if isinstance(value, int | timedelta) else ""
