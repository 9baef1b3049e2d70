"""Containers of rows, recognised by the first bytes of a file. Pure."""

import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

from annotation.corpora.formats import trec
from annotation.corpora.reading import delimited, excel, headers
from annotation.corpora.reading.encodings import UTF_8, decoded, encoding_of, is_decodable
from annotation.corpora.reading.source_rows import UnfitFile
from annotation.corpora.recognised_columns import is_name
from annotation.texts.sentences import Sentence

LINES, DOCUMENT, TABLE, TEXT, EXCEL, PARQUET = (
    "lines",
    "document",
    "table",
    "text",
    "excel",
    "parquet",
)
SUFFIXES = (
    *(".xlsx", ".xlsm", ".parquet", ".csv", ".tsv", ".jsonl", ".json", ".ndjson"),
    *(".txt", ".tab", ".psv", ".dat", ".run", ".trec", ".zip"),
)
QRELS = ".qrels"
TREC = (".run", ".trec", QRELS)
PLAIN = (".txt", ".tsv", ".dat")  # topics of TREC, a run, or a table
MOST_LOOKED_AT = 1 << 18  # bytes
GZIP, ZIP, PARQUET_MARK = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
OLD_OFFICE = b"\xd0\xcf\x11\xe0"
FORMATS = {  # by the first bytes
    b"%PDF": "PDF",
    b"SQLi": "SQLite",
    b"ARROW1": "Arrow",
    b"{\\rtf": "RTF",
    b"\x80\x04": "pickle",
}
ARCHIVES = {
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
    b"\x28\xb5\x2f\xfd": "Zstandard",
}
OFFICE_FORMATS = {  # by parts of the zip file
    "word/document.xml": "Word",
    "ppt/presentation.xml": "PowerPoint",
    "content.xml": "OpenDocument",
    "xl/workbook.bin": "xlsb",
}
WORKBOOK = "xl/workbook.xml"
QREL = re.compile(r"\S+\s+\S+\s+\S+\s+-?\d+(\.\d+)?\s*")


@dataclass(frozen=True)
class Opening:
    """Container, encoding and separator of a file; choices of a person are kept."""

    container: str
    is_gzip: bool = False
    encoding: str = UTF_8
    is_encoding_guessed: bool = False
    has_returns: bool = False  # carriage returns alone end the rows
    separator: str = ","
    header: int = headers.FOUND  # number of its row
    begins_with_separator: bool = False  # a line sep=; comes before the header
    sheet: str = ""
    sheets: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what is read otherwise than it looks

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "Opening":
        names = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in stored.items() if name in names})


def opening_of(
    stream: BinaryIO,
    name: str,
    *,
    encoding: str = "",
    separator: str = "",
    sheet: str = "",
    header: int = headers.FOUND,
) -> Opening:
    """Return how a file called `name` is opened, with what is chosen. Raises UnfitFile."""
    opening = _opening(stream, name, encoding=encoding, separator=separator, sheet=sheet)
    return replace(opening, header=header) if opening.container in (TABLE, EXCEL) else opening


def _opening(stream: BinaryIO, name: str, *, encoding: str, separator: str, sheet: str) -> Opening:
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    stream.seek(0)
    packed = stream.read(8)
    stream.seek(0)
    if not packed:
        raise UnfitFile(Sentence("is empty"))
    if packed.startswith(PARQUET_MARK):
        return Opening(PARQUET)
    if packed.startswith(ZIP):
        return _workbook(stream, sheet)
    if packed.startswith(OLD_OFFICE):
        raise _old_office(stream)
    start, is_gzip = beginning(stream), packed.startswith(GZIP)
    if is_gzip and start.startswith((ZIP, PARQUET_MARK)):
        raise UnfitFile(Sentence("is compressed twice: remove .gz"))
    _refuse_unread(start)
    if suffix not in (*SUFFIXES, QRELS):
        raise UnfitFile(
            Sentence(
                "needs one of these endings: {suffixes}",
                suffixes=", ".join(SUFFIXES),
            )
        )
    return _text(start, suffix, is_gzip=is_gzip, encoding=encoding, separator=separator)


def beginning(stream: BinaryIO) -> bytes:
    """Return the first bytes, unpacked. Raises UnfitFile."""
    is_gzip = stream.read(2) == GZIP
    stream.seek(0)
    if not is_gzip:
        start = stream.read(MOST_LOOKED_AT)
        stream.seek(0)
        return start
    unpacking = zlib.decompressobj(wbits=31)
    start = b""
    try:
        while len(start) < MOST_LOOKED_AT and (packed := stream.read(1 << 15)):
            start += unpacking.decompress(packed, MOST_LOOKED_AT - len(start))
    except zlib.error as error:
        if not start:  # else the check names the line from which on it cannot be read
            raise UnfitFile(Sentence("is damaged or incomplete")) from error
    finally:
        stream.seek(0)
    return start


def _old_office(stream: BinaryIO) -> UnfitFile:
    # The directory of the container, wherever in the file it is, names what is encrypted.
    start = stream.read(MOST_LOOKED_AT)
    stream.seek(max(0, stream.seek(0, 2) - MOST_LOOKED_AT))
    if "EncryptedPackage".encode("utf-16-le") in start + stream.read(MOST_LOOKED_AT):
        return UnfitFile(Sentence("is password-protected"))
    return UnfitFile(Sentence("is in an old format. Save it as .xlsx"))


def _refuse_unread(start: bytes) -> None:
    for mark, name in FORMATS.items():
        if start.startswith(mark):
            raise UnfitFile(_unread_format(name))
    for mark, name in ARCHIVES.items():
        if start.startswith(mark):
            raise UnfitFile(Sentence("is a {name} archive. Use .zip or .gz", name=name))


def _unread_format(name: str) -> Sentence:
    return Sentence("is in the format {name}. Save it as .xlsx, CSV, JSONL or Parquet", name=name)


# -- Excel ---------------------------------------------------------------------------------------
def _workbook(stream: BinaryIO, chosen: str) -> Opening:
    names = zip_names(stream)
    for part, name in OFFICE_FORMATS.items():
        if part in names:
            raise UnfitFile(_unread_format(name))
    if WORKBOOK not in names:
        raise UnfitFile(Sentence("is a zip file without data files"))
    measured = excel.measure(stream)
    stream.seek(0)
    sheets = excel.sheets_of(stream)
    if not sheets:
        raise UnfitFile(Sentence("is empty"))
    shown = [sheet for sheet in sheets if not sheet.is_hidden] or sheets
    sheet = chosen if any(one.name == chosen for one in sheets) else shown[0].name
    return Opening(
        EXCEL,
        sheet=sheet,
        sheets=[one._asdict() for one in sheets],
        notes=[*_other_sheets(sheet, shown), *_notes(measured)],
    )


def is_office(stream: BinaryIO) -> bool:
    """Return whether a zip file is a workbook or a document; a damaged one is none."""
    try:
        names = zip_names(stream)
    except UnfitFile:
        return False
    return not names.isdisjoint({WORKBOOK, *OFFICE_FORMATS})


def zip_names(stream: BinaryIO) -> set[str]:
    """Return the names in a zip file. Raises UnfitFile."""
    try:
        with zipfile.ZipFile(stream) as archive:
            return set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise UnfitFile(Sentence("is damaged or incomplete")) from error
    finally:
        stream.seek(0)


def _other_sheets(chosen: str, shown: Sequence[excel.ExcelSheet]) -> list[str]:
    """Return a note on visible sheets that are not read, if there are any."""
    others = [f"“{sheet.name}”" for sheet in shown if sheet.name != chosen]
    if not others:
        return []
    return [
        Sentence(
            "The sheet {names} isn't imported. To import it, upload a renamed copy of the file and "
            "choose this sheet.",
            "The sheets {names} aren't imported. To import one, upload a renamed copy of the file "
            "and choose that sheet.",
            len(others),
            names=", ".join(others),
        )
    ]


def _notes(measured: excel.SheetCounts) -> list[str]:
    notes: list[str] = []
    if measured.uncomputed:
        notes.append(
            Sentence(
                "{count:,} formula without a stored value is read as empty. Save the workbook "
                "in Excel.",
                "{count:,} formulas without stored values are read as empty. Save the workbook "
                "in Excel.",
                measured.uncomputed,
                count=measured.uncomputed,
            )
        )
    if measured.errors:
        notes.append(
            Sentence(
                "{count:,} error cell (#N/A) is read as empty.",
                "{count:,} error cells (#N/A) are read as empty.",
                measured.errors,
                count=measured.errors,
            )
        )
    return notes


# -- Text ----------------------------------------------------------------------------------------
def _text(start: bytes, suffix: str, *, is_gzip: bool, encoding: str, separator: str) -> Opening:
    is_whole = len(start) < MOST_LOOKED_AT
    detected = encoding_of(start, is_whole=is_whole)
    name, is_guess = (encoding, False) if encoding else detected
    if encoding and not is_decodable(start, encoding, is_whole=is_whole):
        raise UnfitFile(Sentence("contains bytes that are not {encoding}", encoding=encoding))
    text = decoded(start, name)
    if not text.strip():
        raise UnfitFile(Sentence("is empty"))
    first = next(line for line in text.splitlines() if line.strip())
    container = _container(text, first, suffix)
    opening = Opening(container, is_gzip, name, is_guess)
    if container != TABLE:
        return opening
    announced = delimited.announced(first)
    has_returns = delimited.has_returns(text)
    if has_returns:
        text = text.replace("\r", "\n")
        first = next(line for line in text.splitlines() if line.strip())
        announced = delimited.announced(first)
    if not is_whole and len(lines := text.splitlines(keepends=True)) > 1:
        text = "".join(lines[:-1])  # the last one is cut
    return Opening(
        container,
        is_gzip,
        name,
        is_guess,
        has_returns=has_returns,
        separator=separator or announced or delimited.separator_of(text),
        begins_with_separator=bool(announced),
    )


def _container(text: str, first: str, suffix: str) -> str:
    beginning = text.lstrip()
    if beginning.startswith("{"):
        has_several = len(text.strip().splitlines()) > 1
        is_of_lines = suffix in (".jsonl", ".ndjson") or (_is_object(first) and has_several)
        return LINES if is_of_lines and first.strip() != "{" else DOCUMENT
    if beginning.startswith("["):
        return LINES if _is_list_of_lines(text, first) else DOCUMENT
    if suffix in (".jsonl", ".ndjson"):
        return LINES
    if suffix in TREC or beginning.lower().startswith("<top"):
        return TEXT
    if is_qrel(first) or _is_run(first) or (suffix in PLAIN and not is_header(first)):
        return TEXT
    return TABLE


def _is_object(line: str) -> bool:
    line = line.strip()
    return line.startswith("{") and line.endswith("}")


def _is_list_of_lines(text: str, first: str) -> bool:
    """Return whether each line is a list of its own, as in graded passages of Rubric."""
    first = first.strip()
    return first.startswith('["') and (first.endswith("]") or "\n" not in text.strip())


def _is_run(first: str) -> bool:
    cells = first.split()
    return len(cells) == len(trec.RUN) and cells[1].upper() == "Q0" and is_rank(cells[3])


def is_qrel(line: str) -> bool:
    """Return whether a line is a judgment of TREC: topic, 0, passage, grade."""
    return bool(QREL.fullmatch(line)) and line.count("\t") in (0, 3)


def is_rank(cell: str) -> bool:
    return bool(trec.WHOLE.fullmatch(cell.strip()))


def is_header(first: str) -> bool:
    """Return whether the first line of a text names columns.

    TREC files have no header: topics have two cells, runs six.
    """
    cells = first.rstrip("\r\n").split("\t")
    if len(cells) == 1:
        return len(re.split(r"[,;|]", first)) > 1 and not QREL.fullmatch(first)
    if len(cells) == 2:
        return all(map(is_name, cells))
    return len(cells) != len(trec.RUN) or not is_rank(cells[3])
