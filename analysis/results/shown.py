"""Stored tables as people read them: words for codes, intervals in brackets, rounded numbers.

One form serves the console and the LaTeX files; the CSV files have the stored numbers.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pandas as pd

from analysis.analyses.described import Column, Form
from analysis.plots.intervals import interval_name

GAP = "–"
PLAIN = Column()
GROUPS = frozenset(("system", "group"))  # columns that name systems


@dataclass(frozen=True)
class Cell:
    """What is written, and the value by which its column is sorted."""

    text: str
    value: Any = ""
    number: bool = True
    link: str = ""  # to the page of what it names


@dataclass(frozen=True)
class Head:
    title: str
    number: bool


@dataclass(frozen=True)
class ShownTable:
    """`name` is that of its files, <analysis>-<table>."""

    name: str
    title: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[Cell]]
    folded: bool = False
    note: str = ""


def found_in(rows: Sequence[Sequence[Cell]], sought: str) -> list[Sequence[Cell]]:
    """The rows in which something is written."""
    return [row for row in rows if any(sought.lower() in cell.text.lower() for cell in row)]


def sorted_by(
    rows: Sequence[Sequence[Cell]], column: int, *, descending: bool
) -> list[Sequence[Cell]]:
    """The rows by a column: numbers before words, and what is missing always last."""
    known = [row for row in rows if row[column].text != GAP]
    missing = [row for row in rows if row[column].text == GAP]

    def key(row: Sequence[Cell]) -> tuple[bool, Any]:
        cell = row[column]
        return not cell.number, cell.value if cell.number else cell.text.lower()

    return [*sorted(known, key=key, reverse=descending), *missing]


@dataclass(frozen=True)
class Words:
    """What stands for codes: question key -> name, code -> word; how sure intervals are."""

    questions: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 0.95

    def of_group(self, value: Any) -> str:
        """The name of a system, else what a code is called: nothing else has keys like these."""
        return self.systems.get(str(value)) or self.of(value)

    def of(self, value: Any) -> str:
        """The name of a question, the word for a code, also of each in "question, style"."""
        text = str(value)
        if text in self.questions or text in self.codes:
            return self.questions.get(text) or self.codes[text]
        front, comma, rest = text.partition(", ")
        return f"{self.of(front)}{comma}{self.of(rest)}" if comma else text


def shown(
    frame: pd.DataFrame,
    *,
    name: str,
    title: str,
    words: Words,
    columns: Mapping[str, Column] | None = None,
    hidden: Sequence[str] = (),
    folded: bool = False,
    note: str = "",
    links: Mapping[str, str] | None = None,
) -> ShownTable:
    """The table of a frame: each value with its interval behind it, in the order of questions.

    `columns` are those of its analysis; one that is not described is called as it is stored.
    `links` are the addresses of what a column names, with {} for the name.
    """
    known, pages = columns or {}, links or {}
    gone = {*hidden, *(column for column, how in known.items() if how.hidden)}
    records = _ordered(frame, words)
    names = _ordered_columns(frame)
    columns_of = {name: [each[name] for each in records] for name in names if name not in gone}
    groups = _groups([str(name) for name, values in columns_of.items() if _says(values)])
    heads = [Head(_title(each[0], known), _is_number(columns_of[each[0]])) for each in groups]
    rows = [
        [
            _linked(_cell(record, group, words, known), record[group[0]], pages.get(group[0], ""))
            for group in groups
        ]
        for record in records
    ]
    heads = [
        Head(_range_title(group, words), True) if len(group) > 1 and group[0] != group[1] else head
        for group, head in zip(groups, heads, strict=True)
    ]
    return ShownTable(name, title, heads, rows, folded, note)


def _ordered_columns(frame: pd.DataFrame) -> list[str]:
    """Identifying columns first."""
    first = [c for c in ("by", "question", "test", "group") if c in frame]
    return [*first, *(str(c) for c in frame if c not in first)]


def _ordered(frame: pd.DataFrame, words: Words) -> list[dict[str, Any]]:
    """The rows, by question where they are mixed. A page has dozens of tables of a few rows, which
    pandas would take longer to sort than to hand out."""
    names = _ordered_columns(frame)
    values = [frame[name].tolist() for name in names]
    records = [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
    place = {key: k for k, key in enumerate(words.questions)}
    if "question" in names and all(row["question"] in place for row in records):
        records.sort(key=lambda row: place[row["question"]])
    elif "test" in names:  # a question, and perhaps a style
        records.sort(key=lambda row: place.get(str(row["test"]).partition(", ")[0], len(place)))
    return records


def _says(column: Sequence[Any]) -> bool:
    return any(str(value) for value in column if not _is_missing(value))


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _groups(columns: Sequence[str]) -> list[tuple[str, ...]]:
    """Columns, and the two ends of each interval as one column: ("low", "high")."""
    found: list[tuple[str, ...]] = []
    for name in columns:
        for low, high in (("low", "high"), ("lowest", "highest")):
            if name.endswith(low) and f"{name.removesuffix(low)}{high}" in columns:
                found.append((name, f"{name.removesuffix(low)}{high}"))
                break
        else:
            if not any(name == each[-1] for each in found):
                found.append((name,))
    return found


def _range_title(group: tuple[str, ...], words: Words) -> str:
    null = group[0] == "null_lowest"
    return "Range of null" if null else interval_name(words.confidence)


def _title(name: str, columns: Mapping[str, Column]) -> str:
    return columns.get(name, PLAIN).title or name.replace("_", " ").capitalize()


def _is_number(column: Sequence[Any]) -> bool:
    known = [value for value in column if not _is_missing(value)]
    return bool(known) and all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in known
    )


def _cell(
    record: dict[Any, Any],
    group: tuple[str, ...],
    words: Words,
    columns: Mapping[str, Column],
) -> Cell:
    value = record[group[0]]
    if len(group) == 2:
        low, high = (
            number(record[name], columns.get(_stem(name, record), PLAIN).form) for name in group
        )
        return Cell(GAP) if GAP in (low, high) else Cell(f"[{low}, {high}]", value)
    if isinstance(value, bool):
        return Cell("yes" if value else "no", number=False)
    if isinstance(value, int | float):
        written = number(value, columns.get(group[0], PLAIN).form)
        return Cell(written, "" if written == GAP else value)
    if value in (None, ""):
        return Cell(GAP, number=False)
    name = group[0]
    is_group = name in GROUPS or (name == "other" and not GROUPS.isdisjoint(record))
    return Cell(words.of_group(value) if is_group else words.of(value), number=False)


def _linked(cell: Cell, value: Any, page: str) -> Cell:
    """The cell with the address of what it names."""
    if not page or not isinstance(value, str) or not value:
        return cell
    return Cell(cell.text, cell.value, cell.number, page.replace("{}", quote(value, safe="/")))


def _stem(name: str, record: dict[Any, Any]) -> str:
    """The column whose interval this is an end of: share for low, d_z for d_z_low."""
    for end in ("_low", "_high", "_lowest", "_highest"):
        if name.endswith(end):
            return name.removesuffix(end)
    columns = list(record)
    return str(columns[columns.index("low") - 1])


def number(value: Any, form: Form) -> str:
    """A number in this form; a dash where there is none."""
    if value is None or not math.isfinite(value):
        return GAP
    if form == Form.CHANCE:
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if form == Form.SHARE:
        return f"{100 * value:.1f} %"
    if form == Form.WHOLE or (float(value).is_integer() and abs(value) >= 1000):
        return f"{value:,.0f}"
    written = f"{value:.{2 if form == Form.TWO else 3}f}"
    # What rounds to zero has no sign.
    return written.replace("-", "−") if float(written) else written.removeprefix("-")
