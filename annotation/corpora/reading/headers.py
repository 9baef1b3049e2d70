"""The header of a table, and its rows as cells by column. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from annotation.corpora.reading.lines import begun
from annotation.corpora.reading.source_rows import SourceRow, UnreadRow
from annotation.corpora.recognised_columns import is_name
from annotation.texts.sentences import Sentence

MOST_TITLE_ROWS = 20  # above the header of a spreadsheet
MOST_LOOKED_AT = 50  # rows that decide which of them is the header
MOST_OF_NAME = 100  # characters of a name of a column
LINE = re.compile(r":?-{2,}:?")  # below the header of a table in Markdown
NO_NAME = re.compile(r"[-+]?[\d.,]+%?|.*[.?!…]", re.DOTALL)  # a number or a sentence
FOUND, NONE = 0, -1  # which row is the header, unless its number is chosen


class Header(NamedTuple):
    """Names of columns, in their order; one without a name, or a name given again, has its place.

    `unnamed` are those that the file does not name, `doubled` the names that it gives twice.
    """

    names: list[str]
    row: SourceRow | None = None
    unnamed: frozenset[str] = frozenset()
    doubled: tuple[str, ...] = ()


Rows = Iterator[SourceRow | UnreadRow]


def split(rows: Rows, chosen: int = FOUND) -> tuple[Header, UnreadRow | None, Rows]:
    """Return the header, or why it cannot be read, and the rows below it.

    `chosen` is the number of its row, NONE if all rows are data. A row above the header has few
    cells that are filled, none of which is called like a column.
    """
    first, ending = begun(islice(rows, max(MOST_LOOKED_AT, chosen)))
    rows = chain(ending, rows)
    if chosen == NONE:
        return _without_names(first), None, chain(first, rows)
    place = _place(first) if chosen == FOUND else _chosen_place(first, chosen)
    if place < 0:
        return Header([]), None, iter(())
    header, below = first[place], chain(first[place + 1 :], rows)
    if isinstance(header, UnreadRow):
        return Header([]), header, below
    return header_of(header), None, below


def _place(rows: Sequence[SourceRow | UnreadRow]) -> int:
    """Return the place of the header among the first rows; -1 if none has a cell."""
    counts = [_filled(row) for row in rows]
    width = max(counts, default=0)
    titles: list[int] = []
    for place, (row, count) in enumerate(zip(rows, counts, strict=True)):
        if not count and isinstance(row, SourceRow):
            continue
        if isinstance(row, UnreadRow):
            return titles[0] if titles else place
        if 2 * count > width or len(titles) == MOST_TITLE_ROWS or any(map(is_name, row.values)):
            return place if not titles or _names_columns(row.values) else titles[0]
        titles.append(place)
    return titles[0] if titles else -1


def _names_columns(cells: Sequence[str]) -> bool:
    """Return whether cells may be names: short, different, no number and no sentence."""
    names = [cell.strip() for cell in cells if cell.strip()]
    may_be = all(len(name) <= MOST_OF_NAME and not NO_NAME.fullmatch(name) for name in names)
    return may_be and len(set(names)) > len(names) / 2


def _filled(row: SourceRow | UnreadRow) -> int:
    return sum(map(bool, map(str.strip, row.values))) if isinstance(row, SourceRow) else 0


def _chosen_place(rows: Sequence[SourceRow | UnreadRow], number: int) -> int:
    places = (place for place, row in enumerate(rows) if row.row == number)
    return next(places, -1)


def _without_names(rows: Sequence[SourceRow | UnreadRow]) -> Header:
    """Return the columns of a table without a header, called by their letters."""
    width = max((len(row.values) for row in rows if isinstance(row, SourceRow)), default=0)
    names = [f"column {letters(place)}" for place in range(width)]
    return Header(names, SourceRow(0, 0, names)) if names else Header([])


def of_markdown(rows: Rows) -> Rows:
    """Return the rows of a table; of one in Markdown without its line, and without padding."""
    first = next(rows, None)
    if not isinstance(first, SourceRow) or not _is_line(first.values):
        return rows if first is None else chain([first], rows)
    return (
        row._replace(values=[cell.strip() for cell in row.values])
        if isinstance(row, SourceRow)
        else row
        for row in rows
    )


def _is_line(cells: Sequence[str]) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    return bool(filled) and all(map(LINE.fullmatch, filled))


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
