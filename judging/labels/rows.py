"""Rows of a file of labels, whatever contains them: read as the files of a corpus are."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from django.utils.translation import gettext

from annotation.corpora.deciding_rows import names_of
from annotation.corpora.formats.file_format import (
    FileFormat,
    FileSample,
    ForeignLabel,
    LeftOutCounts,
)
from annotation.corpora.formats.registry import labelling_format
from annotation.corpora.reading.encodings import TITLES
from annotation.corpora.reading.lines import Bounds, BrokenFile
from annotation.corpora.reading.opening import (
    QRELS,
    SUFFIXES,
    TEXT,
    is_qrel,
    opening_of,
)
from annotation.corpora.reading.source import Source
from annotation.corpora.reading.source_rows import SourceRow, UnfitFile, UnreadRow
from annotation.corpora.schema import BadLine
from annotation.corpora.uploads.unpacking import is_packed, unpacked
from annotation.texts.sentences import marked
from annotation.texts.spreadsheets import is_for_excel, unguarded
from annotation.texts.translation import translated
from judging.labels.problems import LabelProblem

MOST_DECIDING_ROWS = 200
QREL_PARTS = 4
OUR_VOTES = {"vote", "submission_id"}  # columns of exported votes


class LabelRow(NamedTuple):
    """Cells of a label by column; of a row of another system its columns are ours already."""

    file: str
    number: int
    cells: dict[str, Any]


class Remark(NamedTuple):
    """A sentence on how a file is read, or on what of it is left out."""

    file: str
    number: int
    reason: str


class FileKind(NamedTuple):
    """Reading of a file: one of ours, or the title of a format."""

    file: str
    title: str  # marked


OF_QRELS = marked("TREC qrels")
OF_LABELS = marked("Table of labels")
OF_VOTES = marked("Crowdwright votes")
Rows = Iterator[LabelRow | BadLine | Remark | FileKind]


def rows_of(path: Path, *, name: str, bounds: Bounds | None, columns: Sequence[str] = ()) -> Rows:
    """Yield the rows of a file, or of all files that a zip file contains.

    A file that has only `columns` is read as it is; else it may have a format of another system.
    """
    try:
        with path.open("rb") as stream:
            if not is_packed(stream):
                yield from _rows(stream, name, bounds, columns)
                return
        with _unpacked(path) as files:
            for inner, file in files:
                with file.open("rb") as stream:
                    yield from _rows(stream, inner, bounds, columns)
    except UnfitFile as error:
        yield BadLine(name, 0, "", translated(error.reason))
    except OSError:
        reason = gettext("can't be opened: check path and permissions")
        yield BadLine(name, 0, "", reason)


@contextmanager
def _unpacked(path: Path) -> Iterator[list[tuple[str, Path]]]:
    """Unpack the data files of a zip file, and delete them at the end. Raises UnfitFile."""
    inside = unpacked(path, suffixes=(*SUFFIXES, QRELS))
    try:
        yield [(file.name, file.path) for file in inside.files]
    finally:
        for file in (*inside.files, *inside.images):
            file.path.unlink(missing_ok=True)


def _rows(stream: BinaryIO, name: str, bounds: Bounds | None, columns: Sequence[str]) -> Rows:
    """Yield the rows of one open file. Raises OSError."""
    try:
        opening = opening_of(stream, name)
        if opening.is_encoding_guessed:
            title = TITLES.get(opening.encoding, opening.encoding)
            yield Remark(name, 0, gettext("is read as {encoding}").format(encoding=title))
        stream.seek(0)
        source = Source(stream=stream, opening=opening, bounds=bounds, refuses_doubles=True)
        if opening.container == TEXT:
            yield FileKind(name, OF_QRELS)
            yield from _qrels(name, source)
        else:
            yield from _cells(name, source, columns)
    except UnfitFile as error:
        yield BadLine(name, 0, "", translated(error.reason))
    except BrokenFile as error:
        yield BadLine(name, error.line, "", translated(error.reason))


def _qrels(name: str, source: Source) -> Rows:
    for number, line in enumerate(source.texts(), start=1):
        cells = line.split()
        if not cells or (cells[0].startswith("#") and not is_qrel(line)):
            continue
        if len(cells) == QREL_PARTS or (cells[QREL_PARTS:] and cells[QREL_PARTS].startswith("#")):
            grade = {"topic": cells[0], "passage": cells[2], "value": cells[3]}
            yield LabelRow(name, number, grade)
        else:
            reason = gettext("has {cells} columns instead of 4: topic, 0, passage, grade")
            yield _unreadable(name, number, reason.format(cells=len(cells)))


def _cells(name: str, source: Source, columns: Sequence[str]) -> Rows:
    rows = iter(source)
    first = list(islice(rows, MOST_DECIDING_ROWS))
    values = [row.values for row in first if isinstance(row, SourceRow)]
    header = source.header
    names = header.names if header else names_of(values)
    if header and header.doubled:
        line = header.row.line if header.row else 1
        reason = gettext("column {repeated!r} is a duplicate").format(repeated=header.doubled[0])
        yield BadLine(name, line, "", reason)
        return
    sample = FileSample(rows=values, names=names, name=Path(name).name)
    is_ours = set(names) <= set(columns) or set(names) >= OUR_VOTES
    file_format = None if is_ours else labelling_format(sample)
    all_rows = chain(first, rows)
    ours = OF_VOTES if set(names) >= OUR_VOTES else OF_LABELS
    yield FileKind(name, file_format.title if file_format else ours)
    if file_format:
        yield from _of_format(name, file_format, all_rows)
    else:
        yield from _flat(name, all_rows, guarded=is_for_excel(name.lower()))


def _flat(name: str, rows: Iterable[SourceRow | UnreadRow], *, guarded: bool) -> Rows:
    for row in rows:
        if isinstance(row, UnreadRow):
            yield _unread(name, row)
        elif not _is_flat(row.values):
            yield _unreadable(name, row.line, gettext("is not a flat JSON object"))
        else:
            cells = row.values
            if guarded:
                cells = {column: unguarded(cell) for column, cell in cells.items()}
            yield LabelRow(name, row.line, cells)


def _is_flat(values: Any) -> bool:
    return isinstance(values, dict) and not any(
        isinstance(value, list | dict) for value in values.values()
    )


def _of_format(name: str, file_format: FileFormat, rows: Iterable[SourceRow | UnreadRow]) -> Rows:
    """Yield the labels of another system's file; its texts are those of the corpus."""
    bad: list[BadLine] = []
    for item in file_format.reader(_readable(name, rows, bad)):
        yield from bad
        bad.clear()
        if isinstance(item, ForeignLabel):
            yield LabelRow(name, item.source.line, item.values)
        elif isinstance(item, LeftOutCounts):
            counts = ", ".join(f"{n:,} {gettext(what)}" for what, n in item.counts.items() if n)
            if counts:
                reason = gettext("is skipped: {counts}").format(counts=counts)
                yield Remark(name, item.source.line, reason)
    yield from bad


def _readable(
    name: str, rows: Iterable[SourceRow | UnreadRow], bad: list[BadLine]
) -> Iterator[SourceRow]:
    for row in rows:
        if isinstance(row, UnreadRow):
            bad.append(_unread(name, row))
        else:
            yield row


def _unread(name: str, row: UnreadRow) -> BadLine:
    return _unreadable(name, row.line, translated(row.reason))


def _unreadable(name: str, line: int, reason: str) -> BadLine:
    return BadLine(name, line, "", reason, code=LabelProblem.UNREADABLE_ROW)
