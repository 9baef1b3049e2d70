"""The header of a table, and its rows as cells by column. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from annotation.corpora.reading.source_rows import SourceRow, UnreadRow
from annotation.texts.sentences import Sentence

MOST_TITLE_ROWS = 20  # above the header of a spreadsheet


class Header(NamedTuple):
    """Names of columns, in their order; one without a name, or a name given again, has its place.

    `unnamed` are those that the file does not name, `doubled` the names that it gives twice.
    """

    names: list[str]
    row: SourceRow | None = None
    unnamed: frozenset[str] = frozenset()
    doubled: tuple[str, ...] = ()


Rows = Iterator[SourceRow | UnreadRow]


def split(rows: Rows) -> tuple[Header, UnreadRow | None, Rows]:
    """Return the header, or why it cannot be read, and the rows below it.

    A title above the header is a row with one cell, where a later one has several.
    """
    before: list[SourceRow] = []
    for source in rows:
        if isinstance(source, UnreadRow):
            if before:
                return header_of(before[0]), None, chain(before[1:], [source], rows)
            return Header([]), source, rows
        if not is_filled(source.values):
            continue
        if sum(map(bool, source.values)) > 1:
            return header_of(source), None, rows
        before.append(source)
        if len(before) > MOST_TITLE_ROWS or len(source.values) == 1:
            break
    if not before:
        return Header([]), None, rows
    return header_of(before[0]), None, chain(before[1:], rows)


def header_of(source: SourceRow) -> Header:
    """Return the columns that a row names."""
    names: list[str] = []
    unnamed, doubled = set(), []
    for place, cell in enumerate(source.values):
        name = cell.strip()
        if not name or name in names:
            doubled += [name] if name else []
            name = _free(f"{name} (column {letters(place)})".strip(), names)
            if not cell.strip():
                unnamed.add(name)
        names.append(name)
    return Header(names, source, frozenset(unnamed), tuple(doubled))


def _free(name: str, names: Sequence[str]) -> str:
    while name in names:
        name += "'"
    return name


def letters(place: int) -> str:
    """Return the letters of a column as spreadsheets show them: A, B, … Z, AA."""
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def is_filled(cells: Iterable[str]) -> bool:
    return any(cell and not cell.isspace() for cell in cells)


def by_column(source: SourceRow, names: list[str]) -> SourceRow | UnreadRow:
    """Return the row with its cells by column; cells beyond the header have to be empty."""
    cells, count = source.values, len(names)
    if len(cells) != count:
        if len(cells) < count or is_filled(cells[count:]):
            reason = Sentence(
                "has {cells} cells, but the header has {names}", cells=len(cells), names=count
            )
            return UnreadRow(source.line, source.row, reason)
        cells = cells[:count]
    return SourceRow(source.line, source.row, dict(zip(names, cells, strict=True)))
