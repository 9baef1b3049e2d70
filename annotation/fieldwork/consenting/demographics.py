"""Prolific's file of demographic data, and the sample as a table.

The file has a row for each submission; it may have more or fewer columns than ours.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

SUBMISSION, PARTICIPANT = "submission id", "participant id"
COLUMNS = {
    "age": "Age",
    "sex": "Sex",
    "ethnicity simplified": "Ethnicity",
    "country of birth": "Country of birth",
    "country of residence": "Country of residence",
    "nationality": "Nationality",
    "language": "Language",
    "student status": "Student status",
    "employment status": "Employment status",
}
NOT_SAID = "not said"
# What Prolific writes where somebody took it back, or where it is too old.
WITHHELD = {"", "CONSENT_REVOKED", "DATA_EXPIRED", "PREFER NOT TO SAY"}
ID = re.compile(r"[0-9a-f]{24}")
BANDS = ((18, "under 18"), (25, "18–24"), (35, "25–34"), (45, "35–44"), (55, "45–54"),
         (65, "55–64"))  # fmt: skip
MAX_AGE, MIN_GROUP_SIZE, MAX_CELL_LENGTH = 120, 5, 200
MAX_ROWS = 20_000


@dataclass(frozen=True)
class DemographicsRow:
    number: int
    submission: str
    participant: str
    said: dict[str, str]


class BadDemographics(ValueError):
    """A file with `faults`, row by row; nothing of it is imported."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__(" ".join(self.faults))


def read(data: bytes) -> list[DemographicsRow]:
    """Return the rows of the file. Raises BadDemographics with every bad row."""
    parsed = list(_parsed(_text(data)))
    lines = [item for item in parsed if isinstance(item, DemographicsRow)]
    faults = [item for item in parsed if isinstance(item, str)]
    first: dict[str, int] = {}
    for line in lines:
        if line.submission in first:
            faults.append(
                gettext("Line {number} repeats the submission in line {first}.").format(
                    number=line.number, first=first[line.submission]
                )
            )
        first.setdefault(line.submission, line.number)
    if faults:
        raise BadDemographics(faults)
    return lines


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadDemographics(
            [gettext("The file isn't UTF-8: can't read byte {start}.").format(start=error.start)]
        ) from (error)
    if "\x00" in text:
        raise BadDemographics([gettext("The file isn't CSV: it has null bytes.")])
    return text


def _parsed(text: str) -> Iterator[DemographicsRow | str]:
    """Yield each row, or its fault. Raises BadDemographics."""
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        head = _head(next(rows, []))
        for row in rows:
            if rows.line_num > MAX_ROWS:
                raise BadDemographics(
                    [
                        gettext("The file exceeds the limit of {most_lines:,} lines.").format(
                            most_lines=MAX_ROWS
                        )
                    ]
                )
            if any(cell.strip() for cell in row):
                yield _line(rows.line_num, head, row)
    except csv.Error as error:
        yield gettext("Can't read line {line_num}: {error}.").format(
            line_num=rows.line_num, error=error
        )


def _head(row: list[str]) -> list[str]:
    head = [cell.strip().lower() for cell in row]
    faults = [
        gettext("The header has no column “{name}”.").format(name=name.capitalize())
        for name in (SUBMISSION, PARTICIPANT)
        if name not in head
    ]
    twice = [name for name, n in Counter(head).items() if name and n > 1]
    faults += [
        gettext("The header has the column “{name}” twice.").format(name=name) for name in twice
    ]
    if faults:
        raise BadDemographics(faults)
    return head


def _line(number: int, head: list[str], row: list[str]) -> DemographicsRow | str:
    """Return the row that ends at line `number`, or its fault."""
    if len(row) != len(head):
        return gettext("Line {number} has {cells} cells instead of {columns}.").format(
            number=number, cells=len(row), columns=len(head)
        )
    cells = {name: cell.strip() for name, cell in zip(head, row, strict=True)}
    for name in (SUBMISSION, PARTICIPANT):
        cells[name] = cells[name].lower()
        if not ID.fullmatch(cells[name]):
            return gettext("Line {number}: {name} needs 24 hexadecimal digits.").format(
                number=number, name=name
            )
    answers = {name: cells[name] for name in COLUMNS if name in cells}
    answers = {name: cell for name, cell in answers.items() if cell.upper() not in WITHHELD}
    if long := [name for name, cell in answers.items() if len(cell) > MAX_CELL_LENGTH]:
        return gettext("Line {number}: {columns} exceeds {longest} characters.").format(
            number=number, columns=COLUMNS[long[0]], longest=MAX_CELL_LENGTH
        )
    age = answers.get("age", "0")
    if not (age.isascii() and age.isdigit() and int(age[:4]) <= MAX_AGE):
        return gettext("Line {number}: “{age}” isn't a valid age.").format(
            number=number, age=age[:20]
        )
    return DemographicsRow(number, cells[SUBMISSION], cells[PARTICIPANT], answers)


@dataclass(frozen=True)
class DemographicCounts:
    """Answers of the sample to one question as (value, n), most frequent first.

    Answers of fewer than five people are counted together, so that they identify nobody.
    """

    title: str
    counts: list[tuple[str, int]]


def sample_of(people: Iterable[Mapping[str, str]]) -> list[DemographicCounts]:
    """Return the table of a sample, without questions that have no group of five."""
    people = list(people)
    parts = (
        DemographicCounts(
            title, list(_suppressed(Counter(_value(name, person) for person in people)))
        )
        for name, title in COLUMNS.items()
        if any(name in person for person in people)
    )
    return [part for part in parts if part.counts]


def _value(name: str, said: Mapping[str, str]) -> str:
    value = said.get(name, NOT_SAID)
    if name != "age" or value == NOT_SAID:
        return value
    return next((band for limit, band in BANDS if int(value) < limit), "65 and over")


def _suppressed(counts: Counter[str]) -> Iterator[tuple[str, int]]:
    """Count small groups together, and with the next one where the total would give them away."""
    large = [(value, n) for value, n in counts.most_common() if n >= MIN_GROUP_SIZE]
    rest = sum(counts.values()) - sum(n for _, n in large)
    while large and 0 < rest < MIN_GROUP_SIZE:
        rest += large.pop()[1]
    if not large and rest < MIN_GROUP_SIZE:
        return
    yield from sorted(large, key=lambda each: (-each[1], each[0]))
    if rest:
        yield "others, in small groups", rest
