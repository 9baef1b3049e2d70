"""Printed and computed cells side by side, and the reasons of differences.

The reason of a difference is inferred from the numbers themselves where the paper does not give it:
rounding, a cut in place of rounding, a row or column that slipped, one wrong digit; else unknown.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from analysis.replication.cells import rounded
from analysis.replication.table_rules import PrintedTable

SLACK = 1e-9
MOST = 2 / 3  # of the cells of a row


@dataclass(frozen=True)
class ExpectedValue:
    """A value that follows from the lower tables, and its largest error by their rounding.

    `rule`: how it follows, such as the mean of five criteria.
    """

    value: float
    exact: float = 0.0
    rule: str = ""


@dataclass(frozen=True)
class PaperCell:
    row: str
    column: str
    printed: float | None
    computed: float
    half: float  # half a unit of the last printed digit
    exact: float
    rule: str
    reason: str = ""
    comparable: bool = True  # whether the print should be what is computed

    @property
    def is_compared(self) -> bool:
        return self.printed is not None and self.comparable

    @property
    def differs(self) -> bool:
        """Rounding does not explain the difference."""
        return self.printed is not None and self.comparable and not _near(self.printed, self)


@dataclass
class PaperTable:
    """A table of a paper; `lead`: its content, and the inputs that it is computed from.

    unread: rows, columns and cells with numbers that are neither compared nor an input.
    """

    name: str
    title: str
    lead: str
    cells: list[PaperCell] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def is_compared(self) -> bool:
        return any(cell.is_compared for cell in self.cells)

    @property
    def wrong(self) -> list[PaperCell]:
        return [cell for cell in self.cells if cell.differs]


@dataclass
class Replica:
    """Tables of a paper, printed and computed.

    notes: remarks on its text; missing: name of a table -> why it is not compared; ignored: name of
    a file -> why it is not read.
    """

    paper: str
    title: str
    source: str
    tables: list[PaperTable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)

    @property
    def unread(self) -> dict[str, str]:
        """Unread files and tables, and why."""
        parts = {
            table.name: f"not read: {'; '.join(table.unread)}."
            for table in self.tables
            if table.unread
        }
        return self.ignored | parts

    @property
    def printed(self) -> int:
        return sum(cell.is_compared for table in self.tables for cell in table.cells)

    @property
    def wrong(self) -> int:
        return sum(len(table.wrong) for table in self.tables)

    def as_json(self) -> dict[str, Any]:
        """Return the content of tables.json."""
        content = {
            "paper": self.paper,
            "source": self.source,
            "printed_cells": self.printed,
            "differing_cells": self.wrong,
            "tables": {table.name: _by_row(table) for table in self.tables},
            "differences": [
                {"table": table.name, "row": cell.row, "column": cell.column}
                | {"printed": cell.printed, "computed": cell.computed}
                | {"rule": cell.rule, "reason": cell.reason}
                for table in self.tables
                for cell in table.wrong
            ],
            "notes": self.notes,
            "missing": self.missing,
            "unread": self.unread,
        }
        return dict(rounded(content))


def _by_row(table: PaperTable) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for cell in table.cells:
        numbers = {"printed": cell.printed, "computed": cell.computed}
        rows.setdefault(cell.row, {})[cell.column] = numbers | (
            {"reason": cell.reason} if cell.reason else {}
        )
    return rows


def unread(table: PrintedTable, read: Collection[tuple[str, str]]) -> list[str]:
    """Return the rows, columns and single cells that hold numbers and are not in `read`."""
    numbers = [
        (table.rows[r], table.columns[c])
        for r, c in zip(*np.nonzero(np.isfinite(table.values)), strict=True)
    ]
    left = [place for place in numbers if place not in read]
    unread_names = []
    for kind, side in (("row", 0), ("column", 1)):
        names = dict.fromkeys(place[side] for place in left)
        whole = [n for n in names if not any(p[side] == n and p in read for p in numbers)]
        unread_names += [f"{kind} “{name}”" for name in whole]
        left = [place for place in left if place[side] not in whole]
    return unread_names + [f"cell “{row}, {column}”" for row, column in left]


Printed = Mapping[tuple[str, str], tuple[float, float]]  # row, column -> number, half a unit


def compared(
    printed: Printed,
    expected: Mapping[tuple[str, str], ExpectedValue],
    known: Mapping[tuple[str, str], str] | None = None,
) -> list[PaperCell]:
    """Return each cell that follows from others with its print, and a reason where they differ.

    `known` are reasons that the table itself does not show.
    """
    moved = _moved_rows(printed, expected)
    cells = []
    for (row, column), follows in expected.items():
        value, half = printed.get((row, column), (None, 0.005))
        cell = PaperCell(row, column, value, follows.value, half, follows.exact, follows.rule)
        if cell.differs:
            why = (known or {}).get((row, column)) or (
                f"This row has the numbers of {moved[row].rstrip('.')}."
                if row in moved
                else _why(cell, expected)
            )
            cell = replace(cell, reason=why)
        cells.append(cell)
    return cells


def _moved_rows(
    printed: Printed, expected: Mapping[tuple[str, str], ExpectedValue]
) -> dict[str, str]:
    """Return rows that have most numbers of another row, and not their own."""
    columns: dict[str, list[str]] = {}
    for row, column in expected:
        columns.setdefault(row, []).append(column)

    def share(row: str, other: str) -> float:
        mine = [column for column in columns[row] if (row, column) in printed]
        hits = 0
        for column in mine:
            follows = expected.get((other, column))
            value, half = printed[row, column]
            hits += follows is not None and abs(value - follows.value) <= half + SLACK
        return hits / len(mine) if len(mine) > 2 else 0.0

    moved = {}
    for row in columns:
        others = {other: share(row, other) for other in columns if other != row}
        best = max(others, key=lambda other: others[other], default="")
        if best and others[best] >= MOST > share(row, row):
            moved[row] = best
    return moved


def _near(number: float, cell: PaperCell) -> bool:
    return abs(number - cell.computed) <= cell.half + cell.exact + SLACK


def _why(cell: PaperCell, expected: Mapping[tuple[str, str], ExpectedValue]) -> str:
    printed = cell.printed
    assert printed is not None  # it differs
    if math.isclose(math.trunc(cell.computed / (2 * cell.half)) * 2 * cell.half, printed):
        return "Truncated instead of rounded."
    if abs(printed - cell.computed) <= 2 * cell.half + cell.exact + SLACK:
        return "Rounded from rounded numbers."
    if elsewhere := _elsewhere(cell, expected):
        return f"This is the number of {elsewhere}, printed in the wrong cell."
    if _digits_off(printed, cell) == 1:
        return "One digit is wrong."
    if math.isclose(-printed, cell.computed):
        return "The sign is wrong."
    return f"It contradicts the tables it is computed from: it is not the {cell.rule}."


def _elsewhere(cell: PaperCell, expected: Mapping[tuple[str, str], ExpectedValue]) -> str:
    """Return the row (of the same column) or column (of the same row) whose number is printed."""
    assert cell.printed is not None
    order = list(dict.fromkeys(row for row, _ in expected))
    near = [
        (row, column)
        for (row, column), other in expected.items()
        if (row == cell.row) != (column == cell.column)
        if abs(other.value - cell.printed) <= cell.half + SLACK
    ]
    near.sort(key=lambda place: abs(order.index(place[0]) - order.index(cell.row)))
    return next((row if column == cell.column else column for row, column in near), "")


def _digits_off(printed: float, cell: PaperCell) -> int:
    """Return the number of wrong digits in the print; 0 if the lengths differ."""
    decimals = max(0, round(-math.log10(2 * cell.half)))
    printed_text, other = f"{printed:.{decimals}f}", f"{cell.computed:.{decimals}f}"
    if len(printed_text) != len(other):
        return 0
    return sum(a != b for a, b in zip(printed_text, other, strict=True))
