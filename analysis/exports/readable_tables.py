"""Stored tables in their form for people: words for codes, intervals, rounded numbers.

The console and the LaTeX files share it; the CSV files have the stored numbers.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

import pandas as pd
from django.utils.translation import gettext

from analysis.inputs.columns import ENDS, Column, NumberFormat
from analysis.plots.text_fitting import interval_name

BLOCK = 20_000  # rows formatted at once
GAP = "–"
PLAIN = Column()
GROUPS = frozenset(("system", "group", "part"))  # columns that name systems
OTHERS = frozenset(("other", "against"))  # and those beside them


CODES = {
    "alpha": "Krippendorff's alpha", "llm": "LLM", "bleu": "BLEU", "rouge_l": "ROUGE-L",
    "first_section": "first section", "scale_honesty": "honesty (scale)",
    "scale_comprehensibility": "comprehensibility (scale)",
    "shown as a,b": "first text on the left",
    "shown as b,a": "first text on the right", "both": "both together",
}  # fmt: skip


@dataclass(frozen=True)
class TableCell:
    """Cell of a table, with the value by which its column is sorted."""

    text: str
    value: Any = ""
    number: bool = True
    link: str = ""  # to the page of what it names


@dataclass(frozen=True)
class TableHead:
    title: str
    number: bool
    meaning: str = ""


@dataclass(frozen=True)
class Words:
    """Words for codes.

    questions: names of questions by key; codes: words of other codes; named: the names of the keys
    in a column; confidence: the level of intervals.
    """

    questions: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)
    named: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    confidence: float = 0.95

    def of_group(self, value: Any) -> str:
        """Return the name of a system, or else the word for a code."""
        return self.systems.get(str(value)) or self.of(value)

    def of(self, value: Any) -> str:
        """Return the name of a question or the word for a code, also in "question, style"."""
        text = str(value)
        if text in self.questions or text in self.codes:
            return self.questions.get(text) or self.codes[text]
        front, comma, rest = text.partition(", ")
        return f"{self.of(front)}{comma}{self.of(rest)}" if comma else text


@dataclass(frozen=True)
class TableRows(Sequence[Sequence[TableCell]]):
    """Rows of a table, each formatted when it is read, so that a page formats only its own.

    `columns` have the values of all rows; `places` are the indices of the selected rows, in order.
    """

    columns: Mapping[str, Sequence[Any]]
    groups: Sequence[tuple[str, ...]]
    places: Sequence[int]
    words: Words
    described: Mapping[str, Column]
    links: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self._row(place) for place in self.places[at]]
        return self._row(self.places[at])

    def texts(self) -> Iterator[tuple[str, ...]]:
        """Yield the texts of all selected rows: of many rows faster than one by one."""
        for at in range(0, len(self.places), BLOCK):
            places = self.places[at : at + BLOCK]
            yield from zip(*(self._texts(group, places) for group in self.groups), strict=True)

    def found(self, sought: str) -> "TableRows":
        """Return the rows that contain a text."""
        low = sought.lower()
        matches: set[int] = set()
        for group in self.groups:
            texts = self._texts(group)
            those = {text for text in set(texts) if low in text.lower()}
            if those:
                matches.update(place for place, text in enumerate(texts) if text in those)
            if group[0] in self.words.named:  # files have its key
                keys = self.columns[group[0]]
                matches.update(place for place, key in enumerate(keys) if low in str(key).lower())
        return replace(self, places=[place for place in self.places if place in matches])

    def sorted_by(self, column: int, *, descending: bool) -> "TableRows":
        """Return the rows sorted by a column: numbers before words, missing values last."""
        group = self.groups[column]
        texts, values = self._texts(group), self.columns[group[0]]
        filled = [place for place in self.places if texts[place] != GAP]
        missing = [place for place in self.places if texts[place] == GAP]

        def key(place: int) -> tuple[bool, Any]:
            is_number = _counts(values[place])
            return not is_number, values[place] if is_number else texts[place].lower()

        return replace(self, places=[*sorted(filled, key=key, reverse=descending), *missing])

    def _row(self, place: int) -> list[TableCell]:
        cells = []
        for group in self.groups:
            value = self.columns[group[0]][place]
            text = self._text(group, [self.columns[name][place] for name in group])
            if len(group) == 2 or _counts(value):
                cell = TableCell(text, "" if text == GAP else value)
            else:
                cell = TableCell(text, number=False)
            cells.append(_linked(cell, value, self.links.get(group[0], "")))
        return cells

    def _texts(self, group: tuple[str, ...], places: Sequence[int] | None = None) -> list[str]:
        """Return the texts of a column, or of these places in it, formatting equal values once."""
        columns = [self.columns[name] for name in group]
        if places is not None:
            columns = [[column[place] for place in places] for column in columns]

        def keys() -> Iterator[tuple[Any, ...]]:
            return zip(map(type, columns[0]), *columns, strict=True)  # True is not 1

        written = {key: self._text(group, key[1:]) for key in dict.fromkeys(keys())}
        return [*map(written.__getitem__, keys())]

    def _text(self, group: tuple[str, ...], values: Sequence[Any]) -> str:
        name, value = group[0], values[0]
        if len(group) == 2:
            ends = [number(end, self.described[name].form) for end in values]
            if ends[1] == GAP != ends[0]:  # it has no upper end
                return gettext("at least %(low)s") % {"low": ends[0]}
            return GAP if GAP in ends else f"[{', '.join(ends)}]"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int | float):
            return number(value, self.described.get(name, PLAIN).form)
        if value in (None, ""):
            return GAP
        if called := self.words.named.get(name, {}).get(str(value)):
            return called
        is_group = name in GROUPS or (name in OTHERS and not GROUPS.isdisjoint(self.columns))
        return self.words.of_group(value) if is_group else self.words.of(value)


@dataclass(frozen=True)
class ShownTable:
    """Table on a page; `name` is that of its files, <analysis>-<table>."""

    name: str
    title: str
    heads: Sequence[TableHead]
    rows: TableRows
    folded: bool = False
    note: str = ""


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
    """Return a frame as a table with intervals behind their values, by question.

    `columns` are those of its analysis; `links` are the addresses of the names in a column, with {}
    for the name.
    """
    displays = dict(columns or {})
    gone = {*hidden, *(column for column, how in displays.items() if how.hidden)}
    values = {column: frame[column].tolist() for column in _ordered_columns(frame)}
    kept = [column for column in values if column not in gone and _says(values[column])]
    intervals = [
        (column, *column.interval)
        for key, column in displays.items()
        if column.interval and key in values and {*column.interval} <= {*kept}
    ]
    displays |= {
        low: replace(displays.get(low, ENDS), form=column.form) for column, low, _ in intervals
    }
    high = {low: high for _, low, high in intervals}
    groups = [
        (key, high[key]) if key in high else (key,) for key in kept if key not in high.values()
    ]
    heads = [_head(group, values, words, displays) for group in groups]
    rows = TableRows(
        values, groups, _ordered(values, len(frame), words), words, displays, links or {}
    )
    return ShownTable(name, title, heads, rows, folded, note)


def _head(
    group: tuple[str, ...],
    values: Mapping[str, Sequence[Any]],
    words: Words,
    columns: Mapping[str, Column],
) -> TableHead:
    column = columns.get(group[0], PLAIN)
    meaning = gettext(column.meaning) if column.meaning else ""
    if len(group) == 2:
        title = gettext(column.title) if column.title else interval_name(words.confidence)
        return TableHead(title, True, meaning)
    title = column.title or group[0].replace("_", " ").capitalize()
    return TableHead(title, _is_number(values[group[0]]), meaning)


def _ordered_columns(frame: pd.DataFrame) -> list[str]:
    """Return the columns, identifying ones first."""
    first = [c for c in ("by", "question", "test", "group") if c in frame]
    return [*first, *(str(c) for c in frame if c not in first)]


def _ordered(values: Mapping[str, Sequence[Any]], rows: int, words: Words) -> Sequence[int]:
    """Return the indices of the rows, by question where they are mixed."""
    place = {key: k for k, key in enumerate(words.questions)}
    questions = values.get("question")
    if questions is not None and all(question in place for question in set(questions)):
        return sorted(range(rows), key=lambda at: place[questions[at]])
    if "test" in values:  # a question, and perhaps a style
        of = [place.get(str(test).partition(", ")[0], len(place)) for test in values["test"]]
        return sorted(range(rows), key=of.__getitem__)
    return range(rows)


def _says(column: Sequence[Any]) -> bool:
    return any(str(value) for value in column if not _is_missing(value))


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _is_number(column: Sequence[Any]) -> bool:
    types = {*map(type, column)} - {type(None)}  # fast, for columns of a million cells
    if not all(issubclass(each, int | float) and not issubclass(each, bool) for each in types):
        return False
    return not all(map(_is_missing, column))


def _counts(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _linked(cell: TableCell, value: Any, page: str) -> TableCell:
    """Return the cell with the address of what it names."""
    if not page or not isinstance(value, str) or not value:
        return cell
    return TableCell(cell.text, cell.value, cell.number, page.replace("{}", quote(value, safe="/")))


def number(value: Any, form: NumberFormat) -> str:
    """Return a number in this form; a dash where it is missing."""
    if value is None or not math.isfinite(value):
        return GAP
    if form == NumberFormat.CHANCE:
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if form == NumberFormat.SHARE:
        written = f"{100 * value:.1f}"
        return f"{written if float(written) else '0.0'}%".replace("-", "−")
    whole = float(value).is_integer()
    counts = whole and (form == NumberFormat.WHOLE or isinstance(value, int) or abs(value) >= 1000)
    if counts or form == NumberFormat.ROUNDED:
        return f"{round(value) + 0:,.0f}".replace("-", "−")
    written = f"{value:.{3 if form == NumberFormat.THREE else 2}f}"
    # What rounds to zero has no sign.
    return written.replace("-", "−") if float(written) else written.removeprefix("-")
