"""Detect the kind, columns and problems of a file from its first rows. Only reads."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from django.conf import settings
from django.utils.translation import gettext

from annotation.corpora import conversion
from annotation.corpora.deciding_rows import names_of
from annotation.corpora.detection.columns import ColumnEvidence
from annotation.corpora.detection.kinds import Detection, KindCandidate, detected
from annotation.corpora.formats.file_format import FileSample
from annotation.corpora.formats.registry import FORMATS
from annotation.corpora.reading.headers import FOUND, Header
from annotation.corpora.reading.lines import Bounds, BrokenFile
from annotation.corpora.reading.opening import (
    EXCEL,
    PARQUET,
    TEXT,
    Opening,
    beginning,
    is_qrel,
    opening_of,
)
from annotation.corpora.reading.source import Source
from annotation.corpora.reading.source_rows import SourceRow, UnfitFile, UnreadRow
from annotation.corpora.recognised_columns import proposed
from annotation.texts.citation_marks import marks_of
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated

MOST_ROWS = 5
MOST_COLUMNS = 60
MOST_CELL = 200  # characters of a value of which a file has few
MOST_SHOWN = 1_000  # of a cell of the first rows
MOST_FEW, FEW_ROWS = 40, 2_000  # different values of a column, among its first rows
MOST_CHARACTERS = 1 << 20  # of the rows that are looked at
MOST_CANDIDATES = 6


@dataclass
class FileLook:
    """Findings in the first rows; `fault` is a sentence without its subject, the file."""

    kind: str = ""
    names: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    opening: dict[str, Any] = field(default_factory=dict)
    fault: str = ""
    # The kinds that the rows may be of, the most probable one first: kind, score, reasons,
    # columns, systems. Unsure: somebody has to choose.
    ranking: list[dict[str, Any]] = field(default_factory=list)
    unkept: list[str] = field(default_factory=list)  # fields that its format does not keep
    is_unsure: bool = False
    texts: dict[str, int] = field(default_factory=dict)  # characters of the columns of texts
    lowest_cited: int | None = None  # of the numbers by which the first answers cite
    # The values of each column that has few of them, as one of systems has.
    few: dict[str, list[str]] = field(default_factory=dict)
    from_0: list[str] = field(default_factory=list)  # columns of whole numbers, the lowest is 0
    row_count: int = 0  # of the rows that were looked at
    # Of each column the cells that are filled, and the different values among them.
    filled: dict[str, list[int]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def look_at(path: Path, name: str, *, header: int = FOUND, **chosen: str) -> FileLook:
    """Inspect the first rows of a file called `name`.

    `chosen`: its encoding, separator, sheet; `header`: the number of that row.
    """
    with path.open("rb") as stream:
        try:
            opening = opening_of(stream, name, header=header, **chosen)
            return _look(stream, opening, name)
        except UnfitFile as error:
            return FileLook(fault=translated(error.reason))
        except BrokenFile as error:
            reason = translated(error.reason)
            if error.line:
                reason = gettext("{reason} (line {line})").format(reason=reason, line=error.line)
            return FileLook(fault=reason)


def _look(stream: BinaryIO, opening: Opening, name: str) -> FileLook:
    if opening.container == TEXT:
        return _trec(stream, opening)
    bounds = Bounds(unpacked=settings.UPLOAD_MOST_UNPACKED)
    source = Source(stream=stream, opening=opening, bounds=bounds)
    unread: list[UnreadRow] = []
    first = list(_first(source, unread))
    if unread and not first and not source.is_table:  # of a table the separator may be wrong
        raise BrokenFile(unread[0].line, unread[0].reason)
    rows = [row.values for row in first if isinstance(row.values, dict)]
    if source.header is not None and source.header.row is None:
        raise UnfitFile(gettext("is empty"))
    if source.header:
        opening = replace(opening, notes=[*opening.notes, *_notes(source.header)])
    names = _columns(source, rows)
    _refuse_wide(source, names, rows)
    is_text = opening.container not in (EXCEL, PARQUET)
    sample = FileSample(
        rows=[row.values for row in first],
        names=names,
        name=Path(name.lower()).name,
        beginning=_text(stream) if is_text else "",
    )
    look = _of_rows(rows, names[:MOST_COLUMNS], opening, detected(sample), ColumnEvidence(sample))
    if file_format := FORMATS.get(look.kind):
        look.unkept = [_cell(path) for path in file_format.unkept(sample)[:MOST_COLUMNS]]
    return look


def _notes(header: Header) -> list[str]:
    """Return what of a header is read otherwise than it looks."""
    notes: list[str] = []
    above = header.row.row - 1 if header.row else 0
    if above > 0:
        notes.append(
            Sentence(
                "{count:,} row above the header skipped.",
                "{count:,} rows above the header skipped.",
                above,
                count=above,
            )
        )
    for name in dict.fromkeys(header.doubled):
        others = [one for one in header.names if one.startswith(f"{name} (column ")]
        listed = ", ".join(f"“{one[:60]}”" for one in others)
        notes.append(
            Sentence(
                "Other columns named “{name}” are read as {listed}.",
                name=name[:60],
                listed=listed,
            )
        )
    return notes


def _text(stream: BinaryIO) -> str:
    stream.seek(0)
    return beginning(stream).decode(errors="replace")


def _first(source: Source, unread: list[UnreadRow]) -> Iterator[SourceRow]:
    """Yield the first rows that can be read; the check names the others, of `unread` the first."""
    count = characters = 0
    try:
        for row in source:
            if isinstance(row, UnreadRow):
                unread[1:] = [row]
                continue
            yield row
            count += 1
            characters += len(str(row.values))
            if count >= FEW_ROWS or characters > MOST_CHARACTERS:
                return
    except BrokenFile as error:
        if not count or not error.line:
            raise


def _columns(source: Source, rows: list[dict[str, Any]]) -> list[str]:
    """Return the columns of a file; one without a name only if it holds something."""
    if not source.header:
        return names_of(rows)
    unnamed = source.header.unnamed
    return [
        name
        for name in source.header.names
        if name not in unnamed or any(str(row.get(name) or "").strip() for row in rows)
    ]


def _refuse_wide(source: Source, names: list[str], rows: list[dict[str, Any]]) -> None:
    count = len(names) if source.is_table else len(names_of(rows[:MOST_ROWS]))
    if count > MOST_COLUMNS:
        words = gettext("has {columns:,} columns. The limit is {most:,}")
        raise UnfitFile(words.format(columns=count, most=MOST_COLUMNS))


def _of_rows(
    rows: list[dict[str, Any]],
    names: list[str],
    opening: Opening,
    detection: Detection,
    seen: ColumnEvidence,
) -> FileLook:
    return FileLook(
        kind=detection.kind,
        names=[_kept(name) for name in names],
        rows=[[_cell(row.get(name)) for name in names] for row in rows[:MOST_ROWS]],
        opening=opening.as_json() | {"notes": [translated(note) for note in opening.notes]},
        ranking=[_candidate(one) for one in detection.ranking[:MOST_CANDIDATES]],
        is_unsure=detection.is_unsure,
        texts={_kept(name): seen.profile(name).characters for name in seen.texts},
        lowest_cited=_lowest_cited(rows[:MOST_ROWS]),
        few={_kept(name): values for name, values in _few(rows).items()},
        from_0=[_kept(name) for name in names if _begins_at(seen, name, 0)],
        row_count=len(rows),
        filled={_kept(name): _filled(seen, name) for name in names},
    )


def _filled(seen: ColumnEvidence, name: str) -> list[int]:
    profile = seen.profile(name)
    return [profile.filled, len(profile.values)]


def _begins_at(seen: ColumnEvidence, name: str, number: int) -> bool:
    """Return whether a column holds whole numbers, the lowest of which is this one."""
    profile = seen.profile(name)
    return 0 < profile.filled == profile.wholes and profile.lowest == number


def _candidate(candidate: KindCandidate) -> dict[str, Any]:
    return {
        "kind": candidate.kind,
        "score": round(candidate.score, 3),
        "reasons": [_kept(translated(reason)) for reason in candidate.reasons],
        "columns": {ours: _kept(theirs) for ours, theirs in candidate.columns.items()},
        "systems": {_kept(theirs): _kept(name) for theirs, name in candidate.systems.items()},
    }


def _trec(stream: BinaryIO, opening: Opening) -> FileLook:
    source = Source(stream=stream, opening=opening)
    lines: list[str] = []
    try:
        lines += (line for line, _ in zip(source.texts(), range(FEW_ROWS), strict=False))
    except BrokenFile as error:
        if not lines or not error.line:
            raise
    filled = [line for line in lines if line.strip()]
    first = next((line for line in filled if not line.startswith("#")), filled[0])
    if is_qrel(first):
        raise UnfitFile(gettext("contains qrels: import them as labels, after the corpus"))
    kind = conversion.trec_kind(first)
    if kind is None:
        raise UnfitFile(gettext("contains neither TREC topics nor a run with six columns"))
    rows = [[_cell(line)] for line in lines[:MOST_ROWS]]
    return FileLook(
        kind=kind.value,
        names=[""],
        rows=rows,
        opening=opening.as_json(),
        row_count=sum(bool(line.strip()) for line in lines),
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


def _lowest_cited(rows: Iterable[dict[str, Any]]) -> int | None:
    """Return the lowest cited number of the answers in a table."""
    numbers: list[int] = []
    for row in rows:
        answer = row.get(proposed(row, ("question", "answer")).get("answer", ""))
        marks = marks_of(answer) if isinstance(answer, str) else []
        numbers += [number for mark in marks if not mark.refused for number in mark.numbers]
    return min(numbers, default=None)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return _kept(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…")


def _kept(text: str) -> str:
    """Return the value as a database can store it."""
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
