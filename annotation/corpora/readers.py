"""What a corpus file looks like: JSONL or CSV, line by line, in constant memory; or TREC.

Reading yields a `FileLine` with a checked row, or a `BadLine` that says what is wrong with it, and
goes on. Whether a row agrees with the rows around it is `importing`'s to find out.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from django.utils.translation import gettext

from annotation.corpora import conversion
from annotation.corpora.conventions import as_meant
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import FileFormat, FormatRow
from annotation.corpora.kinds import is_header
from annotation.corpora.lines import MOST_BYTES, Bounds, BrokenFile, FileLines, LongLine
from annotation.corpora.mapping import Columns
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_errors import ROW_ERRORS, explained, unknown_field
from annotation.corpora.rows import CorpusRow
from annotation.corpora.schema import (
    ROWS,
    BadLine,
    FileLine,
    RowKind,
    UnknownKind,
    all_of,
    brought,
    fields_of,
    recognised,
)
from annotation.texts.sentences import marked
from annotation.texts.spreadsheets import is_for_excel, unguarded
from annotation.texts.translation import translated, translated_error

# The csv module has one limit for the whole process, 131,072 by default: too little for a text.
csv.field_size_limit(MOST_BYTES)

TSV = ".tsv"
TREC = (".run", ".trec", ".txt", TSV)
LATE_ID = marked(
    "looks like an id, which the first rows of this file do not have: they are numbered. Give all "
    "rows an id, or none"
)
SUFFIXES = (".jsonl", ".csv", *TREC)


@dataclass(frozen=True)
class CorpusFile:
    """A file to read: a path, or an open binary file that can go back to its start."""

    source: Path | BinaryIO
    kind: RowKind | None = None  # None: recognised by the keys of its rows
    name: str = ""
    columns: Columns | None = None  # None: they have our names
    delimiter: str = ""  # of a table; else commas, and tabs in .tsv
    bounds: Bounds | None = None  # None: a file of our own
    format: FileFormat | None = None  # of another system: `kind` is one of those that it brings
    only_topics: bool = False  # of a table of answers

    @property
    def label(self) -> str:
        """Return what to call the file in a report."""
        return self.name or (self.source.name if isinstance(self.source, Path) else "upload")

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the path, or start again with a file that somebody else will close."""
        if isinstance(self.source, Path):
            with self.source.open("rb") as stream:
                yield stream
        else:
            self.source.seek(0)
            yield self.source


# -- Reading -----------------------------------------------------------------------------------
class UnreadableFile(Exception):
    """A file, or the rest of it, that cannot be read."""

    def __init__(self, bad_line: BadLine) -> None:
        super().__init__(str(bad_line))
        self.bad_line = bad_line


class FileReading:
    """One pass over an open file: iterate for its lines, ask `position` how far it is."""

    def __init__(self, *, file: CorpusFile, stream: BinaryIO) -> None:
        self.label = file.label
        self.kind = file.kind
        self._file = file
        # Rows by fields that no row before had, and that might be ids where rows are numbered.
        self.unread: Counter[str] = Counter()
        self._stream = stream
        name = self.label.lower()
        self._is_gzip = name.endswith(".gz")
        self._is_for_excel = is_for_excel(name)
        self._suffix = Path(name.removesuffix(".gz")).suffix
        if self._suffix not in SUFFIXES:
            reason = gettext(
                "its name must end with one of {suffixes}, or with .gz after it"
            ).format(suffixes=", ".join(SUFFIXES))
            raise UnreadableFile(self._bad(0, "", reason))

    def position(self) -> int:
        """Return how many bytes of the file were read, before any decompression."""
        return self._stream.tell()

    def __iter__(self) -> Iterator[FileLine | BadLine]:
        try:
            if self._file.format:
                yield from self._of_format(self._file.format)
            elif self._suffix == ".csv" or self._is_table():
                yield from self._csv()
            else:
                yield from self._trec() if self._suffix in TREC else self._jsonl()
        except UnreadableFile as refusal:  # what follows is not read
            yield replace(refusal.bad_line, brings=all_of(self.kind))

    def _bad(
        self, line: int, field: str, reason: str, values: Mapping[str, Any] | None = None
    ) -> BadLine:
        return BadLine(self.label, line, field, reason, brings=brought(self.kind, values or {}))

    def _lines(self, *, whole: bool = False) -> Iterator[tuple[int, bytes | BadLine]]:
        """Yield numbered lines, or why one cannot be taken."""
        try:
            for number, line in FileLines(
                self._stream, is_gzip=self._is_gzip, bounds=self._file.bounds, whole=whole
            ):
                yield (
                    number,
                    self._bad(number, "", translated(line.reason))
                    if isinstance(line, LongLine)
                    else line,
                )
        except BrokenFile as error:
            raise UnreadableFile(self._bad(error.line, "", translated(error.reason))) from error

    def _is_table(self) -> bool:
        """Return whether a file whose name may be of TREC has a header."""
        if self._suffix != TSV:
            return False
        first = next((line for line in self._texts() if line.strip()), "")
        self._stream.seek(0)
        return is_header(first)

    # -- Formats of other systems
    def _of_format(self, file_format: FileFormat) -> Iterator[FileLine | BadLine]:
        """Yield the rows of one kind; bad rows in the first of the passes over the file alone."""
        bad: list[BadLine] = []
        is_first = self.kind is file_format.brings[0]
        for item in file_format.reader(self._objects(bad)):
            while bad:
                line = bad.pop(0)
                if is_first:
                    yield line
            if isinstance(item, FormatRow):
                if item.kind is self.kind:
                    yield self._converted(item.source.line, item.kind, item.values)
            elif is_first:
                fault = item.fault
                yield self._bad(item.source.line, fault.field, translated(fault.reason))
        if is_first:
            yield from bad

    def _objects(self, bad: list[BadLine]) -> Iterator[SourceRow]:
        """Yield what the lines of a JSONL file hold; lines that are none are added to `bad`."""
        for number, line in self._lines():
            if isinstance(line, BadLine):
                bad.append(line)
            elif line.strip():
                try:
                    yield SourceRow(number, number, msgspec.json.decode(line))
                except ROW_ERRORS as error:
                    bad.append(self._bad(number, *explained(error, None)))

    def _converted(
        self, number: int, kind: RowKind, values: Mapping[str, Any]
    ) -> FileLine | BadLine:
        try:
            row = msgspec.convert(as_meant(values, kind=kind), ROWS[kind])
        except msgspec.ValidationError as error:
            return self._bad(number, *explained(error, kind), values)
        return self._checked(number, row, values)

    # -- JSONL
    def _jsonl(self) -> Iterator[FileLine | BadLine]:
        for number, line in self._lines():
            if isinstance(line, BadLine):
                yield line
            elif line.strip():
                yield self._json_line(number, line)

    def _json_line(self, number: int, line: bytes) -> FileLine | BadLine:
        if (position := line.find(b"\0")) >= 0:
            return self._bad(
                number,
                "",
                gettext("holds a NUL byte, after {position:,} others").format(position=position),
            )
        values: dict[str, Any] = {}
        try:
            values = msgspec.json.decode(line, type=dict[str, Any])
            if columns := self._file.columns:
                for late, is_called_id in columns.late_ids(values).items():
                    if is_called_id:
                        return self._bad(number, late[:40], gettext(LATE_ID))
                    self.unread[late[:40]] += 1
                values = columns.row(values)
            self.kind = self.kind or recognised(set(values))
            row = msgspec.convert(as_meant(values, kind=self.kind), ROWS[self.kind])
        except UnknownKind as error:
            return self._bad(number, "", translated_error(error))
        except ROW_ERRORS as error:
            return self._bad(number, *explained(error, self.kind), values)
        return self._checked(number, row, values)

    # -- CSV
    def _csv(self) -> Iterator[FileLine | BadLine]:
        records = self._records()
        number, names = next(records, (1, []))
        if isinstance(names, BadLine):
            raise UnreadableFile(names)
        if not names:
            return
        columns = self._file.columns or Columns()
        if self._file.columns:
            names = columns.header(names)
        kind = self._check_header(number, [*filter(None, names), *columns.all_rows])
        for number, cells in records:
            if isinstance(cells, BadLine):
                yield cells
            elif len(cells) != len(names):
                reason = gettext("has {cells} cells, but the header names {names}").format(
                    cells=len(cells), names=len(names)
                )
                yield self._bad(number, "", reason)
            else:
                row = {name: cell for name, cell in zip(names, cells, strict=True) if name}
                yield self._csv_line(number, kind, row | columns.all_rows)

    def _records(self) -> Iterator[tuple[int, list[str] | BadLine]]:
        """Yield records with the number of the line each starts on."""
        delimiter = self._file.delimiter or ("\t" if self._suffix == TSV else ",")
        reader = csv.reader(self._decoded(), strict=True, delimiter=delimiter)
        while True:
            number = reader.line_num + 1
            try:
                cells = next(reader)
                "".join(cells).encode()
            except StopIteration:
                return
            except csv.Error as error:
                yield (
                    number,
                    self._bad(number, "", gettext("is not CSV: {error}").format(error=error)),
                )
            except UnicodeEncodeError:
                yield number, self._bad(number, "", gettext("is not UTF-8"))
            else:
                if cells:
                    yield number, cells

    def _decoded(self) -> Iterator[str]:
        """Yield lines as text. What is not UTF-8 is kept, and found when its record is whole."""
        for _, line in self._lines():
            if isinstance(line, BadLine):
                raise UnreadableFile(line)  # nobody knows whether a quote was open in it
            yield line.decode(errors="surrogateescape")

    def _check_header(self, number: int, names: list[str]) -> RowKind:
        try:
            kind = self.kind or recognised(set(names))
        except UnknownKind as error:
            raise UnreadableFile(self._bad(number, "", translated_error(error))) from error
        self.kind = kind
        if kind in (RowKind.RETRIEVAL, RowKind.SUMMARIES, RowKind.RAG_ANSWERS):
            raise UnreadableFile(
                self._bad(
                    number,
                    "",
                    gettext("{kind} rows hold lists: give them as JSONL").format(kind=kind),
                )
            )
        fields = fields_of(kind)
        faults = [
            (name, gettext("column is missing"))
            for name in fields
            if fields[name] and name not in names
        ]
        faults += [(name, unknown_field(kind)) for name in names if name not in fields]
        faults += [
            (name, gettext("column is named twice")) for name in names if names.count(name) > 1
        ]
        if faults:
            raise UnreadableFile(self._bad(number, *faults[0]))
        return kind

    def _csv_line(self, number: int, kind: RowKind, cells: dict[str, str]) -> FileLine | BadLine:
        fields = fields_of(kind)
        values: dict[str, object] = {
            name: cell for name, cell in cells.items() if cell or fields[name]
        }
        if self._is_for_excel:
            values = {name: unguarded(str(cell)) for name, cell in values.items()}
        return self._converted(number, kind, values)

    # -- TREC
    def _trec(self) -> Iterator[FileLine | BadLine]:
        """Topics or a run. A run is read as a whole: its scores, not its ranks, make the order."""
        lines = self._texts()
        first = next((line for line in lines if line.strip()), "")
        if not first:
            return
        self._stream.seek(0)
        try:
            rows, self.kind = conversion.trec_rows(first, self._texts(), self.kind)
        except conversion.NotTrec as error:
            raise UnreadableFile(self._bad(0, "", translated_error(error))) from error
        for number, row in rows:
            if isinstance(row, FormatFault):
                yield self._bad(number, row.field, translated(row.reason))
            else:
                yield self._checked(number, row, {})

    def _texts(self) -> Iterator[str]:
        for number, line in self._lines(whole=True):
            if isinstance(line, BadLine):
                raise UnreadableFile(line)
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise UnreadableFile(self._bad(number, "", gettext("is not UTF-8"))) from error

    def _checked(
        self, number: int, row: CorpusRow, values: Mapping[str, Any]
    ) -> FileLine | BadLine:
        if fault := row.fault():
            return self._bad(number, *fault, values)
        lacks_key = bool(self._file.columns and self._file.columns.numbered)
        return FileLine(self.label, number, row, lacks_key, self.kind)


@contextmanager
def reading(file: CorpusFile) -> Iterator[FileReading]:
    """Open a file for one pass; raise Unreadable where there is nothing to open."""
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(file.opened())
        except OSError as error:
            reason = gettext("cannot be read: {error}").format(error=error.strerror or error)
            raise UnreadableFile(BadLine(file.label, 0, "", reason)) from error
        yield FileReading(file=file, stream=stream)


def with_kind(file: CorpusFile) -> CorpusFile:
    """Return the file with its kind, by the first row that shows one. None shows it: no kind."""
    if file.kind:
        return file
    with reading(file) as lines:
        for _ in lines:
            if lines.kind:
                break
        return replace(file, kind=lines.kind)
