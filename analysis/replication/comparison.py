"""Printed and computed numbers side by side: the cells of the report."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analysis.replication.cells import TableCells
from analysis.replication.layout import NAMES, CellBlock, PaperSection
from analysis.replication.printed_values import approximate, printed
from analysis.replication.sections import SECTIONS

ABOUT = 0.05  # relative, of what is printed with a sign for "about"
NEAR = 0.006  # the paper rounds twice, so two decimals may be off by a little more than .005


@dataclass(frozen=True)
class ComparedCell:
    """A printed and a computed number.

    corrects: the cell is the number that should have been printed, and may be far from the print.
    """

    path: str
    name: str
    computed: float | None
    printed: float | None
    low: float | None
    high: float | None
    decimals: int
    corrects: bool

    @property
    def difference(self) -> float | None:
        if self.computed is None or self.printed is None:
            return None
        return self.computed - self.printed

    @property
    def beyond(self) -> bool:
        """Neither rounding nor the paper's "about" explains the difference."""
        return self._off_by_more_than_rounding and not self.about

    @property
    def about(self) -> bool:
        """The number is not equal, but near to one that the paper itself prints as approximate."""
        if self.difference is None or self.printed is None or self.path not in approximate():
            return False
        near = abs(self.difference) <= ABOUT * abs(self.printed)
        return near and self._off_by_more_than_rounding

    @property
    def _off_by_more_than_rounding(self) -> bool:
        if self.difference is None:
            return False
        return abs(self.difference) > max(NEAR, 0.51 * 10.0**-self.decimals)

    @property
    def shown(self) -> dict[str, str]:
        """Numbers as text: printed, computed, difference, interval."""
        more = max(self.decimals, 2) if self.decimals == 1 else self.decimals + 1
        interval = ""
        if self.low is not None and self.high is not None:
            interval = f"[{_number(self.low, more)}, {_number(self.high, more)}]"
        return {
            "printed": _number(self.printed, self.decimals),
            "computed": _number(self.computed, more),
            "difference": _number(self.difference, more, sign="+"),
            "interval": interval,
        }


@dataclass(frozen=True)
class ReportColumn:
    """A block of the report: its cells, their sample size, and the reason of empty ones."""

    title: str
    cells: list[ComparedCell]
    size: str
    reason: str

    @property
    def has_intervals(self) -> bool:
        return any(cell.low is not None for cell in self.cells)

    @property
    def has_print(self) -> bool:
        return any(cell.printed is not None for cell in self.cells)


def columns(section: PaperSection, cells: TableCells) -> list[ReportColumn]:
    return [_column(block, cells) for block in section.blocks]


def every_cell(cells: TableCells) -> Iterator[ComparedCell]:
    for section in SECTIONS:
        for column in columns(section, cells):
            yield from column.cells


def _column(block: CellBlock, cells: TableCells) -> ReportColumn:
    compared_cells = [_cell(block, number, key, cells) for number, key in enumerate(block.keys)]
    sizes = [cells.sizes[cell.path] for cell in compared_cells if cell.path in cells.sizes]
    reasons = [
        reason
        for path, reason in sorted(cells.missing.items())
        if any(cell.computed is None and _within(cell.path, path) for cell in compared_cells)
    ]
    return ReportColumn(block.title, compared_cells, _size(sizes), " ".join(dict.fromkeys(reasons)))


def _cell(block: CellBlock, number: int, key: str, cells: TableCells) -> ComparedCell:
    path = block.path.format(key)
    stands = block.keys[block.right_rows[number]] if block.right_rows else key
    low, high = cells.intervals.get(path, (None, None))
    return ComparedCell(
        path=path,
        name=NAMES[key],
        computed=value_at(cells.values, path),
        printed=printed().get((block.printed or block.path).format(stands)),
        low=low,
        high=high,
        decimals=block.decimals,
        corrects=bool(block.printed),
    )


def value_at(values: dict[str, Any], path: str) -> Any:
    """Return the cell at a path; None where there is none."""
    node: Any = values
    for key in path.split("."):
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _within(path: str, reason: str) -> bool:
    """Return whether a reason is about a cell: its table and column, or its table and row."""
    reason_keys = reason.split(".")
    return all(key in path.split(".") for key in reason_keys)


def _size(sizes: list[dict[str, int]]) -> str:
    """Return the sample size of a column, "1,352 items, 6,760 votes"; ranges where rows differ."""
    parts = []
    for unit in sizes[0] if sizes else ():
        numbers = [size[unit] for size in sizes if unit in size]
        least, most = min(numbers), max(numbers)
        parts.append(f"{least:,} {unit}" if least == most else f"{least:,} to {most:,} {unit}")
    return ", ".join(parts)


def _number(value: float | None, decimals: int, sign: str = "") -> str:
    """Return a number as text: with a typographic minus sign, empty for None."""
    if value is None:
        return "–"
    if float(value).is_integer() and abs(value) >= 20:
        decimals = 0
    if not round(value, decimals):
        value, sign = 0.0, ""
    return f"{value:{sign},.{decimals}f}".replace("-", "−")
