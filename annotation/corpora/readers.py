"""The rows of a corpus file, checked one by one, in constant memory.

Reading yields a `FileLine` with a checked row, or a `BadLine` that says what is wrong with it, and
goes on. Whether a row agrees with the rows around it is `importing`'s to find out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from django.utils.translation import gettext

from annotation.corpora import conversion
from annotation.corpora.conventions import as_meant
from annotation.corpora.corpus_files import CorpusFile, certain_opening, source_rows
from annotation.corpora.deciding_rows import certain_kind, deciding_rows, names_of, unknown_kind
from annotation.corpora.detection.kinds import (
    detected,
)
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FileFormat,
    FileSample,
    ForeignLabel,
    FormatRow,
    LeftOutCounts,
    Read,
)
from annotation.corpora.formats.registry import FORMATS
from annotation.corpora.reading.lines import MOST_BYTES as MOST_BYTES
from annotation.corpora.reading.lines import BrokenFile, begun
from annotation.corpora.reading.opening import TEXT, Opening, opening_of
from annotation.corpora.reading.source import Source
from annotation.corpora.reading.source_rows import SourceRow, UnfitFile, UnreadRow
from annotation.corpora.remedies import Problem, Remedy
from annotation.corpora.row_errors import explained, object_fault, unknown_field
from annotation.corpora.rows import CorpusRow
from annotation.corpora.run_mending import mended_run
from annotation.corpora.schema import (
    ROWS,
    BadLine,
    FileLine,
    RowKind,
    all_of,
    brought,
    fields_of,
)
from annotation.texts.sentences import marked
from annotation.texts.spreadsheets import is_for_excel, unguarded
from annotation.texts.translation import translated, translated_error

LATE_ID = marked("looks like an ID, but the first rows have no IDs")
SYSTEM = "system"
CHOSEN = ("style", "origin", "citations_from", "ranks_from")  # fields with a few accepted values
SUFFIXES = re.compile(r"(?:\.(?:jsonl?|gz|txt|parquet|ndjson))+\Z", re.IGNORECASE)
OF_LISTS = (RowKind.RETRIEVAL, RowKind.SUMMARIES, RowKind.RAG_ANSWERS)


# -- Reading -----------------------------------------------------------------------------------
class UnreadableFile(Exception):
    """A file, or the rest of it, that cannot be read."""

    def __init__(self, bad_line: BadLine) -> None:
        super().__init__(str(bad_line))
        self.bad_line = bad_line


class FileReading:
    """One pass over an open file: iterate for its lines, ask `position` how far it is.

    A file that nobody has explained gets its kind, format and columns from its first rows.
    """

    def __init__(self, *, file: CorpusFile, stream: BinaryIO) -> None:
        self.label = file.label
        self.kind = file.kind
        self.format = file.format
        self.columns = file.columns
        self.left_out: Counter[str] = Counter()  # what a format names that no corpus keeps
        self.empty_rows = 0  # rows without any content, once all are read
        self.keep_label: Callable[[dict[str, Any]], None] | None = None
        self._file = file
        # Rows by fields that no row before had, and that might be ids where rows are numbered.
        self.unread: Counter[str] = Counter()
        self._stream = stream
        self._is_for_excel = is_for_excel(self.label.lower())
        self._fault = ""
        try:
            self.opening = file.opening or certain_opening(
                opening_of(stream, self.label, header=file.header)
            )
        except UnfitFile as error:
            self.opening, self._fault = Opening(TEXT), translated(error.reason)

    def position(self) -> int:
        """Return how many bytes of the file were read, before any decompression."""
        return self._stream.tell()

    def __iter__(self) -> Iterator[FileLine | BadLine]:
        if self._fault:
            yield replace(self._bad(0, "", self._fault), brings=all_of(self.kind))
            return
        self._stream.seek(0)
        source = Source(stream=self._stream, opening=self.opening, bounds=self._file.bounds)
        try:
            if self.opening.container == TEXT:
                yield from self._trec(source)
            else:
                yield from self._rows(source)
        except BrokenFile as error:  # what follows is not read
            yield self._broken(error)
        except UnreadableFile as refusal:
            yield replace(refusal.bad_line, brings=all_of(self.kind))
        self.empty_rows = source.empty_rows

    def _bad(
        self,
        line: int,
        field: str,
        reason: str,
        values: Mapping[str, Any] | None = None,
        *,
        row: int = 0,
        code: str = "",
    ) -> BadLine:
        value = (values or {}).get(field)
        return BadLine(
            self.label,
            line,
            field,
            reason,
            brings=brought(self.kind, values or {}),
            row=row if row != line else 0,
            code=code,
            value=value if isinstance(value, str) else "",
        )

    def _broken(self, error: BrokenFile) -> BadLine:
        """Return the complaint about the rest of the file; the rows above it may be imported."""
        code = Problem.BROKEN_REST if error.line > 1 else ""
        bad = self._bad(error.line, "", translated(error.reason), code=code)
        return replace(bad, brings=all_of(self.kind))

    def _unread(self, row: UnreadRow) -> BadLine:
        reason = translated(row.reason)
        return self._bad(row.line, "", reason, row=row.row, code=Problem.UNREADABLE_ROW)

    # -- Rows ------------------------------------------------------------------------------------
    def _rows(self, source: Source) -> Iterator[FileLine | BadLine]:
        rows = iter(source)
        if self.kind is None:
            first, ending = begun(deciding_rows(rows))
            self._decide(source, first)
            rows = chain(first, ending, rows)
        if self.format:
            yield from self._of_format(self.format, rows)
        elif source.is_table:
            yield from self._cells(source, rows)
        else:
            yield from self._objects(rows)

    def _decide(self, source: Source, first: Iterable[SourceRow | UnreadRow]) -> None:
        """Take the kind, and the columns if they have not our names, from the first rows."""
        values = [row.values for row in first if isinstance(row, SourceRow)]
        names = source.header.names if source.header else names_of(values)
        sample = FileSample(rows=values, names=names, name=Path(self.label).name)
        detection = detected(sample)
        if self.columns is None and detection.kind in FORMATS:
            self.format = FORMATS[detection.kind]
            self.kind = self.format.brings[0]
            return
        self.kind, columns = certain_kind(detection, names)
        self.columns = self.columns or columns

    def _cells(
        self, source: Source, rows: Iterator[SourceRow | UnreadRow]
    ) -> Iterator[FileLine | BadLine]:
        if source.header is None or source.header.row is None:
            return
        kind = self._check_header(source)
        fields = fields_of(kind)
        for row in rows:
            if isinstance(row, UnreadRow):
                yield self._unread(row)
                continue
            cells = row.values
            if self._is_for_excel:
                cells = {name: unguarded(cell) for name, cell in cells.items()}
            for part, theirs in enumerate(self._ours(cells)):
                values = {
                    name: cell
                    for name, cell in theirs.items()
                    if cell or fields.get(name, True) or name == SYSTEM
                }
                if (line := self._line(row, kind, values, part=part)) is not None:
                    yield line

    def _ours(self, theirs: dict[str, Any]) -> list[dict[str, Any]]:
        return self.columns.rows(theirs) if self.columns else [theirs]

    def _objects(self, rows: Iterator[SourceRow | UnreadRow]) -> Iterator[FileLine | BadLine]:
        for row in rows:
            if isinstance(row, UnreadRow):
                yield self._unread(row)
            elif not isinstance(row.values, dict):
                field, reason = object_fault(row.values)
                yield self._bad(row.line, field, reason, row=row.row, code=Problem.UNREADABLE_ROW)
            elif self.kind is None:
                yield self._bad(row.line, "", unknown_kind(row.values), row=row.row)
            elif (late := self._late_id(row.values)) is not None:
                yield self._bad(row.line, late, gettext(LATE_ID), row=row.row, code=Problem.OTHER)
            else:
                for part, values in enumerate(self._ours(row.values)):
                    if (line := self._line(row, self.kind, values, part=part)) is not None:
                        yield line

    def _late_id(self, theirs: dict[str, Any]) -> str | None:
        """Return a field that no row before had and that is called an id; count other ones."""
        for late, is_called_id in (self.columns.late_ids(theirs) if self.columns else {}).items():
            if is_called_id:
                return late[:40]
            self.unread[late[:40]] += 1
        return None

    def _line(
        self, source: SourceRow, kind: RowKind, values: dict[str, Any], *, part: int = 0
    ) -> FileLine | BadLine | None:
        """Return the checked row, or None if it is for another kind."""
        if self._file.needs and not str(values.get(self._file.needs) or "").strip():
            return None
        if self._file.is_distinct and not self._is_new(values):
            return None
        mended: dict[str, BadLine] = {}  # by the field
        while True:
            line = self._converted(source, kind, values, part=part)
            if not isinstance(line, BadLine):
                return line._replace(mended=(*mended.values(), *line.mended)) if mended else line
            mended_values = self._mended(line, values)
            if mended_values is None or line.field in mended:
                return line
            mended[line.field], values = line, mended_values

    def _converted(
        self, source: SourceRow, kind: RowKind, values: dict[str, Any], *, part: int
    ) -> FileLine | BadLine:
        try:
            row = msgspec.convert(as_meant(values, kind=kind), ROWS[kind])
        except (msgspec.ValidationError, RecursionError) as error:
            field, reason = explained(error, kind)
            code = _code_of(field, values.get(field))
            return self._bad(source.line, field, reason, values, row=source.row, code=code)
        return self._checked(source, row, values, part=part)

    def _mended(self, bad: BadLine, values: dict[str, Any]) -> dict[str, Any] | None:
        """Return the values of a bad row, mended as was chosen; None if it stays bad."""
        choice = self._file.choices.of(bad.code)
        if choice.remedy is Remedy.REPLACE:
            is_list = isinstance(values.get(bad.field), list)  # of sentences
            return values | {bad.field: [{"text": choice.value}] if is_list else choice.value}
        if choice.remedy is Remedy.MAP and bad.value in choice.values:
            return values | {bad.field: choice.values[bad.value] or None}
        if choice.remedy is Remedy.DROP and bad.code == Problem.UNREAD_LIST:
            return {name: value for name, value in values.items() if name != bad.field}
        return None

    @cached_property
    def _met(self) -> set[bytes]:
        return set()

    def _is_new(self, values: Mapping[str, Any]) -> bool:
        digest = blake2b(msgspec.json.encode(values), digest_size=16).digest()
        is_new = digest not in self._met
        self._met.add(digest)
        return is_new

    def _check_header(self, source: Source) -> RowKind:
        """Return the kind of a table. Raises UnreadableFile."""
        header = source.header
        if header is None or header.row is None:
            raise UnreadableFile(self._bad(1, "", gettext("is empty")))
        line, kind = header.row.line, self.kind
        if kind is None:
            raise UnreadableFile(self._bad(line, "", unknown_kind(header.names)))
        if kind in OF_LISTS:
            reason = gettext("{kind} rows must be in a JSONL file").format(kind=kind)
            raise UnreadableFile(self._bad(line, "", reason))
        fields = fields_of(kind)
        columns = self.columns
        names = header.names
        if columns:
            present = [ours for ours, theirs in columns.ours.items() if theirs in header.names]
            names = [*present, *columns.all_rows, *(["answer"] if columns.systems else [])]
        faults = [
            (name, gettext("column is missing"))
            for name in fields
            if fields[name] and name not in names
        ]
        if columns is None:
            faults += [(name, gettext("column name is a duplicate")) for name in header.doubled]
            faults += [
                (name, unknown_field(kind))
                for name in names
                if name not in fields and name not in header.unnamed
            ]
        if faults:
            raise UnreadableFile(self._bad(line, *faults[0]))
        return kind

    # -- Formats of other systems
    def _of_format(
        self, file_format: FileFormat, rows: Iterator[SourceRow | UnreadRow]
    ) -> Iterator[FileLine | BadLine]:
        """Yield the rows of one kind; bad rows in the first of the passes over the file alone."""
        bad: list[BadLine] = []
        is_first = self.kind is file_format.brings[0]
        before: SourceRow | None = None
        part = 0
        for item in self._read(file_format, self._readable(rows, bad)):
            if is_first:
                yield from bad
            bad.clear()
            part = part + 1 if item.source is before else 0
            before = item.source
            if isinstance(item, LeftOutCounts | ForeignLabel):
                if is_first:
                    self._keep_beside(item)
            elif isinstance(item, FormatRow):
                if item.kind is self.kind:
                    line = self._line(item.source, item.kind, self._named(item), part=part)
                    if line is not None:
                        yield line
            elif is_first:
                reason = translated(item.fault.reason)
                yield self._bad(
                    item.source.line,
                    item.fault.field,
                    reason,
                    row=item.source.row,
                    code=Problem.OTHER,
                )
        if is_first:
            yield from bad

    def _read(self, file_format: FileFormat, rows: Iterator[SourceRow]) -> Iterator[Read]:
        if file_format.joined_reader is None:
            return file_format.reader(rows)
        joined = chain.from_iterable(map(source_rows, self._file.joined))
        return file_format.joined_reader(rows, joined)

    def _keep_beside(self, item: LeftOutCounts | ForeignLabel) -> None:
        """Count what no corpus keeps, and pass on a label."""
        if isinstance(item, LeftOutCounts):
            self.left_out.update(item.counts)
        elif self.keep_label:
            self.keep_label(item.values)

    def _named(self, item: FormatRow) -> dict[str, Any]:
        """Return the values of a row; a ranking of nobody is called like the file."""
        if item.kind is not RowKind.RANKINGS or item.values.get("system"):
            return item.values
        return item.values | {"system": SUFFIXES.sub("", Path(self.label).name) or self.label}

    def _readable(
        self, rows: Iterator[SourceRow | UnreadRow], bad: list[BadLine]
    ) -> Iterator[SourceRow]:
        for row in rows:
            if isinstance(row, UnreadRow):
                bad.append(self._unread(row))
            else:
                yield row

    # -- TREC
    def _trec(self, source: Source) -> Iterator[FileLine | BadLine]:
        """Topics or a run. A run is read as a whole: its scores, not its ranks, make the order."""
        first = next((line for line in source.texts() if line.strip()), "")
        if not first:
            return
        self._stream.seek(0)
        broken: list[BrokenFile] = []
        lines = _until_broken(source.texts(), broken)
        mended: dict[int, list[BadLine]] = {}
        if (self.kind or conversion.trec_kind(first)) is RowKind.RANKINGS:
            lines = mended_run(
                lines,
                self._file.choices,
                lambda number, fault: mended.setdefault(number, []).append(
                    self._of_fault(number, fault)
                ),
            )
        try:
            rows, self.kind = conversion.trec_rows(first, lines, self.kind)
        except conversion.NotTrec as error:
            raise UnreadableFile(self._bad(0, "", translated_error(error))) from error
        for number, row in rows:
            if isinstance(row, FormatFault):
                yield self._of_fault(number, row)
                continue
            line = self._checked(SourceRow(number, number, None), row, {})
            if isinstance(line, FileLine) and number in mended:
                line = line._replace(mended=tuple(mended[number]))
            yield line
        yield from map(self._broken, broken)

    def _of_fault(self, number: int, fault: FormatFault) -> BadLine:
        code = Problem.UNKNOWN_VALUE if fault.value else Problem.OTHER
        reason, values = translated(fault.reason), {fault.field: fault.value}
        return self._bad(number, fault.field, reason, values, code=code)

    def _checked(
        self, source: SourceRow, row: CorpusRow, values: Mapping[str, Any], *, part: int = 0
    ) -> FileLine | BadLine:
        if fault := row.fault():
            field, reason = fault
            code = _code_of(field, values.get(field))
            return self._bad(source.line, field, reason, values, row=source.row, code=code)
        mended: tuple[BadLine, ...] = ()
        if (bad := self._without_system(source, values)) is not None:
            if self._file.choices.of(bad.code).remedy is not Remedy.DROP:
                return bad
            mended = (bad,)
        if (answered := row.answered()) and not answered[1].strip():
            bad = self._empty(source, row, answered[0])
            if bad and self._file.choices.of(bad.code).remedy is not Remedy.KEEP_EMPTY:
                return bad
            mended = (*mended, bad) if bad else mended
        lacks_key = bool(self.columns and self.columns.numbered)
        row_number = source.row if source.row != source.line else 0
        return FileLine(
            self.label, source.line, row, lacks_key, self.kind, row_number, part, mended
        )

    def _without_system(self, source: SourceRow, values: Mapping[str, Any]) -> BadLine | None:
        """Return the problem of an answer whose column of systems is empty, and no author is."""
        if self.kind not in (RowKind.RESPONSES, RowKind.TABLE) or SYSTEM not in values:
            return None
        system = values[SYSTEM]
        if values.get("origin") or not (system is None or not str(system).strip()):
            return None
        reason = gettext("is empty")
        return self._bad(source.line, SYSTEM, reason, row=source.row, code=Problem.BLANK_SYSTEM)

    def _empty(self, source: SourceRow, row: CorpusRow, field: str) -> BadLine | None:
        """Return the problem of an answer without words; None if its row says that it is one."""
        is_empty = getattr(row, "is_empty", None)
        if is_empty:
            return None
        if is_empty is False:
            code, reason = Problem.ERASED_TEXT, gettext("is missing because the text was withdrawn")
        else:
            code, reason = Problem.EMPTY_ANSWER, gettext("is empty")
        return self._bad(source.line, field, reason, row=source.row, code=code)


def _until_broken(lines: Iterable[str], broken: list[BrokenFile]) -> Iterator[str]:
    """Yield lines; `broken` gets the reason why they end. Raises BrokenFile for no line."""
    try:
        yield from lines
    except BrokenFile as error:
        if not error.line:
            raise
        broken.append(error)


def _code_of(field: str, value: Any) -> Problem:
    """Return the class of a row that is bad for the value of a field."""
    if field == "passages" and value:
        return Problem.UNREAD_LIST
    if field and (value is None or (isinstance(value, str) and not value.strip())):
        return Problem.BLANK_FIELD
    return Problem.UNKNOWN_VALUE if field in CHOSEN and isinstance(value, str) else Problem.OTHER


@contextmanager
def reading(file: CorpusFile) -> Iterator[FileReading]:
    """Open a file for one pass; raise UnreadableFile where there is nothing to open."""
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(file.opened())
        except OSError as error:
            reason = gettext("can't be opened: check path and permissions")
            raise UnreadableFile(BadLine(file.label, 0, "", reason)) from error
        yield FileReading(file=file, stream=stream)


def with_kind(file: CorpusFile) -> CorpusFile:
    """Return the file with its kind, by its first rows. None shows it: no kind."""
    if file.kind:
        return file
    with reading(file) as lines:
        for _ in lines:
            break
        return replace(file, kind=lines.kind, format=lines.format, columns=lines.columns)
