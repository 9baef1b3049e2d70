"""What the first rows of a file show: its kind, its columns, what cannot be right. Only reads."""

import csv
import gzip
import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.corpora import conversion
from annotation.corpora.formats.file_format import Sample
from annotation.corpora.formats.registry import FORMATS, recognised_formats
from annotation.corpora.kinds import is_header, kind_of_rows
from annotation.corpora.lines import BOM
from annotation.corpora.readers import SUFFIXES, TREC, TSV
from annotation.corpora.recognised_columns import is_bare, proposed
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.texts.citations import cited_numbers
from annotation.texts.sentences import marked

KEYS = ("topic", "passage", "response", "system")  # fields that hold an id, and no text
MOST_LOOKED_AT = 1 << 18  # bytes
MOST_ROWS = 5
MOST_COLUMNS = 60
MOST_CELL = 200  # characters of a value of which a file has few
MOST_SHOWN = 1_000  # of a cell of the first rows
MOST_FEW, FEW_ROWS = 40, 2_000  # different values of a column, among its first rows
SNAPSHOTS, AUTHORS = "snapshots", "authors"  # of the Crowd RAG Corpus 2025, read in their own way
# Their rows hold lists and parts: there is nothing to map.
AS_THEY_ARE = (
    *(SNAPSHOTS, AUTHORS, *FORMATS),
    *(RowKind.RETRIEVAL, RowKind.SUMMARIES, RowKind.RAG_ANSWERS),
)

WHOLE = re.compile(r"\d{1,18}(\.0+)?", re.ASCII)  # a number that may be a rank: 0, 7, 7.0
GZIP = b"\x1f\x8b"
MAGIC = {
    b"PK\x03\x04": marked(
        "is a spreadsheet or a zip file. Open it and save the sheet as “CSV UTF-8”"
    ),
    b"\xd0\xcf\x11\xe0": marked(
        "is an old spreadsheet or document. Open it and save it as “CSV UTF-8”"
    ),
    b"%PDF": marked("is a PDF. Bring the texts as CSV or JSONL"),
    b"SQLi": marked("is a database. Bring its tables as CSV or JSONL"),
    b"PAR1": marked("is a Parquet file. Bring it as CSV or JSONL"),
    b"\xff\xfe": marked("is UTF-16. Save it as “CSV UTF-8”"),
    b"\xfe\xff": marked("is UTF-16. Save it as “CSV UTF-8”"),
}


@dataclass
class FileLook:
    """What is seen; `fault` is a sentence without its subject, the file."""

    kind: str = ""
    names: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    delimiter: str = ","
    fault: str = ""
    lowest_cited: int | None = None  # of the numbers by which the first answers cite
    # The values of each column that has few of them, as one of systems has.
    few: dict[str, list[str]] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)  # columns "id" in which a value stands twice
    from_0: list[str] = field(default_factory=list)  # columns of whole numbers, the lowest is 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class UnfitFile(ValueError):
    """The file cannot be what it should be."""


def look_at(path: Path, name: str) -> FileLook:
    """Inspect the first rows of a file called `name`."""
    try:
        return _look(path, name.lower())
    except UnfitFile as error:
        return FileLook(fault=str(error))


def _look(path: Path, name: str) -> FileLook:
    if not path.stat().st_size:
        raise UnfitFile(gettext("is empty"))
    start = _beginning(path, is_gzip=name.endswith(".gz"))
    for magic, sentence in MAGIC.items():
        if start.startswith(magic):
            raise UnfitFile(gettext(sentence))
    suffix = Path(name.removesuffix(".gz")).suffix
    if suffix not in SUFFIXES:
        raise UnfitFile(
            gettext("must have a name that ends with one of {suffixes}, or .gz after it").format(
                suffixes=", ".join(SUFFIXES)
            )
        )
    is_whole = len(start) < MOST_LOOKED_AT
    text = _kept(_decoded(start.removeprefix(BOM), is_whole=is_whole))
    if not text.strip():
        raise UnfitFile(gettext("is empty"))
    first = next(line for line in text.splitlines() if line.strip())
    if suffix in TREC and not (suffix == TSV and is_header(first)):
        return _trec(text)
    if suffix == ".jsonl":
        return _objects(text, name)
    return _table(text, name, is_whole=is_whole)


def _beginning(path: Path, *, is_gzip: bool) -> bytes:
    with path.open("rb") as raw:
        packed = raw.read(2) == GZIP
        raw.seek(0)
        if packed and not is_gzip:
            raise UnfitFile(gettext("is packed by gzip: its name must end with .gz"))
        if not is_gzip:
            return raw.read(MOST_LOOKED_AT)
        if not packed:
            raise UnfitFile(gettext("is called .gz and is not packed by gzip"))
        try:
            return gzip.GzipFile(fileobj=raw).read(MOST_LOOKED_AT)
        except (OSError, EOFError, zlib.error) as error:
            raise UnfitFile(
                gettext("cannot be unpacked: the file is damaged, or only a part of it")
            ) from error


def _decoded(start: bytes, *, is_whole: bool) -> str:
    try:
        return start.decode()
    except UnicodeDecodeError as error:
        if not is_whole and error.start > len(start) - 4:
            return start[: error.start].decode()  # a character was cut
        line = start.count(b"\n", 0, error.start) + 1
        raise UnfitFile(
            gettext(
                "is not UTF-8 (line {line}): its umlauts and accents would be lost. Save "
                "it as UTF-8; Excel calls that “CSV UTF-8”"
            ).format(line=line)
        ) from error


def _trec(text: str) -> FileLook:
    first = next(line for line in text.splitlines() if line.strip())
    kind = conversion.trec_kind(first)
    if kind is None:
        raise UnfitFile(
            gettext(
                "is neither topics of TREC (between <top> tags, or a key, a tab and a query on "
                "each line) nor a run of six columns"
            )
        )
    rows = [[_cell(line)] for line in text.splitlines()[:MOST_ROWS]]
    return FileLook(kind=kind.value, names=[""], rows=rows)


def _table(text: str, name: str, *, is_whole: bool) -> FileLook:
    lines = text.splitlines(keepends=True)
    if not is_whole and len(lines) > 1:
        lines.pop()  # it is cut
    delimiter = max(",;\t", key=lines[0].count)
    try:
        records = csv.reader(lines, delimiter=delimiter)
        beginning = [cells for cells, _ in zip(records, range(FEW_ROWS), strict=False) if cells]
        shown = beginning[: MOST_ROWS + 1]
    except csv.Error as error:
        raise UnfitFile(gettext("is not CSV: {error}").format(error=error)) from error
    names = shown[0] if shown else []
    if len(names) > MOST_COLUMNS:
        raise UnfitFile(
            gettext("has {names} columns, at most {most_columns} are taken").format(
                names=len(names), most_columns=MOST_COLUMNS
            )
        )
    rows = [[_cell(cell) for cell in cells] for cells in shown[1:]]
    begun = [dict(zip(names, cells, strict=False)) for cells in beginning[1:]]
    return FileLook(
        kind=_kind(names, name),
        names=names,
        rows=rows,
        delimiter=delimiter,
        lowest_cited=_lowest_cited(dict(zip(names, cells, strict=False)) for cells in shown[1:]),
        few=_few(begun),
        repeated=_repeated(begun),
        from_0=_from_0(begun),
    )


def _few(rows: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the values of columns with few, short values."""
    values_by_column: dict[str, dict[str, None]] = {}
    excluded: set[str] = set()
    for row in rows:
        for name in row.keys() - excluded:
            value = row[name]
            if not isinstance(value, str) or len(value) > MOST_CELL or "\x00" in value:
                excluded.add(name)
                continue
            values = values_by_column.setdefault(name, {})
            if value:
                values[value] = None
            if len(values) > MOST_FEW:
                excluded.add(name)
    return {
        name: list(values)
        for name, values in values_by_column.items()
        if name not in excluded and values
    }


def _objects(text: str, name: str) -> FileLook:
    if formats := recognised_formats(Sample(name=name, beginning=text)):
        return FileLook(kind=formats[0][0].name)
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if len(rows) == FEW_ROWS:
            break
        if not line.strip():
            continue
        try:
            rows.append(msgspec.json.decode(line, type=dict[str, Any]))
        except (msgspec.DecodeError, RecursionError):
            if number > 1 or "\n" not in text:
                break  # a later line is named by the check; a single one may be cut
            if text.lstrip().startswith("["):
                raise UnfitFile(
                    gettext(
                        "is one JSON list. JSONL has an object on each line, without brackets "
                        "around and commas between them"
                    )
                ) from None
            break
    few, repeated, all_names = _few(rows), _repeated(rows), _names(rows)
    from_0, rows = _from_0(rows), rows[:MOST_ROWS]
    names = _names(rows)
    if len(names) > MOST_COLUMNS:
        raise UnfitFile(
            gettext("has {names} fields, at most {most_columns} are taken").format(
                names=len(names), most_columns=MOST_COLUMNS
            )
        )
    names += [name for name in all_names if name not in names][: MOST_COLUMNS - len(names)]
    shown = [[_cell(row.get(name)) for name in names] for row in rows]
    return FileLook(
        kind=_format(rows, all_names, name) or _kind(names, name),
        names=[_kept(column) for column in names],
        rows=shown,
        lowest_cited=_lowest_cited(rows),
        few={_kept(column): values for column, values in few.items()},
        repeated=[_kept(column) for column in repeated],
        from_0=[_kept(column) for column in from_0],
    )


def _names(rows: Iterable[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _repeated(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Which columns that are called an id have a value twice, in the first rows."""
    values: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for name in filter(is_bare, row):
            values[name][str(row[name])] += 1
    return [name for name, counted in values.items() if max(counted.values()) > 1]


def _from_0(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Which columns hold whole numbers, the lowest of which is 0, in the first rows."""
    lowest: dict[str, float] = {}
    excluded: set[str] = set()
    for row in rows:
        for name in row.keys() - excluded:
            if row[name] in (None, ""):
                continue
            if not WHOLE.fullmatch(str(row[name]).strip()):
                excluded.add(name)
                continue
            lowest[name] = min(float(row[name]), lowest.get(name, math.inf))
    return [name for name, number in lowest.items() if number == 0 and name not in excluded]


def _lowest_cited(rows: Iterable[dict[str, Any]]) -> int | None:
    """Of the answers in a table of them."""
    numbers: list[int] = []
    for row in rows:
        answer = row.get(proposed(row, ("question", "answer")).get("answer", ""))
        numbers += cited_numbers(answer) if isinstance(answer, str) else []
    return min(numbers, default=None)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return _kept(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…")


def _kept(text: str) -> str:
    """As a database can keep it."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def _kind(names: list[str], name: str) -> str:
    has = set(names)
    if {"response", "text", "timestamp"} <= has:
        return SNAPSHOTS
    if {"response", "worker", "topic", "style"} <= has and "text" not in has:
        return AUTHORS
    kind = kind_of_rows(names, name=name)
    return kind.value if kind else ""


def _format(rows: list[dict[str, Any]], names: list[str], name: str) -> str:
    formats = recognised_formats(Sample(rows=rows, names=names, name=name))
    return formats[0][0].name if formats else ""


def unread_columns(look: dict[str, Any], mapping: dict[str, Any]) -> list[str]:
    """Return the unused columns of a mapped file."""
    columns = mapping.get("columns", {})
    return [name for name in look["names"] if name not in columns.values()] if columns else []


def open_questions(look: dict[str, Any], mapping: dict[str, Any]) -> list[str]:
    """Return the reasons why the rows cannot be read yet."""
    kind = mapping.get("kind") or look["kind"]
    if kind in AS_THEY_ARE or (look["names"] == [""] and kind):
        return []
    if not kind:
        return [gettext("Say what its rows are.")]
    fields = fields_of(RowKind(kind))
    columns = mapping.get("columns", {})
    decided = {*columns, *mapping.get("fixed", {}), *mapping.get("numbered", ())}
    if not decided:
        unknown = [name for name in look["names"] if name not in fields]
        decided = set(look["names"])
        if unknown:
            return [
                gettext("Say what to do with the column “{unknown}”.").format(unknown=unknown[0])
            ]
    twice = [column for column, times in Counter(columns.values()).items() if times > 1]
    return [
        gettext("“{column}” is chosen for {fields}: a column can be only one of them.").format(
            column=column, fields=", ".join(ours for ours in fields if columns.get(ours) == column)
        )
        for column in twice
    ] + [_asked(RowKind(kind), name) for name in fields if fields[name] and name not in decided]


def _asked(kind: RowKind, name: str) -> str:
    if name == OWN_KEYS.get(kind):
        sentence = gettext(
            "Say which column is “{name}”, the id; or let Crowdwright number the rows."
        )
    elif name in KEYS:
        sentence = gettext("Say which column is “{name}”, the id.")
    else:
        sentence = gettext("Say which column is “{name}”.")
    return sentence.format(name=name)


def may_number(look: dict[str, Any], mapping: dict[str, Any]) -> bool:
    """Return whether the rows have no id of their own, and it is not said yet that they get one."""
    kind = mapping.get("kind") or look["kind"]
    id_field = OWN_KEYS.get(RowKind(kind)) if kind in list(RowKind) else None
    if id_field is None or look["names"] == [""]:
        return False
    fields = mapping.get("columns") or look["names"]
    return id_field not in fields and id_field not in mapping.get("numbered", ())
