"""Tables as text: which character separates the cells, and the records. Pure."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from annotation.corpora.reading.lines import MOST_BYTES, BrokenFile
from annotation.corpora.reading.source_rows import SourceRow, UnreadRow
from annotation.texts.sentences import Sentence, marked

# The csv module has one limit for the whole process, 131,072 by default: too little for a text.
csv.field_size_limit(MOST_BYTES)

SEPARATORS = (",", ";", "\t", "|", "^", "~", "\x1f", "\x01", ":")
USUAL = (",", ";", "\t", "|")  # what one column may be full of: the others need every row
SEP_LINE = re.compile(r"""\ufeff?"?sep=(.)"?\s*""", re.IGNORECASE)  # for Excel, before the header
MOST_RECORDS = 200  # that decide
MOST_TAKEN = 1_000  # lines of one record
# What the csv module says, and what that means for a file.
FAULTS = (
    ("new-line character seen", marked("has an unquoted carriage return")),
    ("unexpected end of data", marked("has an unclosed quotation mark")),
    ("expected after", marked("has text after a closing quotation mark")),
    ("field larger", marked("has a very long cell: check quotation marks")),
    ("line contains NUL", marked("contains a NUL character")),
)


def has_returns(text: str) -> bool:
    """Return whether carriage returns alone end the rows: a line feed is found only in cells."""
    outside = re.sub(r'"[^"]*"', "", text)
    return outside.count("\r") > 2 * outside.count("\n") and "\r\n" not in outside


def announced(first: str) -> str:
    """Return the separator that a line `sep=;` announces, or an empty text."""
    match = SEP_LINE.fullmatch(first)
    return match[1] if match else ""


def separator_of(text: str) -> str:
    """Return the character that separates the cells of a table that begins like this.

    It makes rows of two cells or more, as many in each as in the header.
    """
    best, best_merit = ",", (0.0, 0.0)
    for separator in SEPARATORS:
        records = [cells for cells in _parsed(text, separator) if any(cells)]
        widths = Counter(map(len, records))
        width, alike = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
        if width < 2 or (separator not in USUAL and alike < len(records)):
            continue
        share = alike / len(records)
        merit = (share * (1 if len(records[0]) == width else 0.5), float(width))
        if merit > best_merit:
            best, best_merit = separator, merit
    return best


def _parsed(text: str, separator: str) -> list[list[str]]:
    lines = text.splitlines(keepends=True)
    try:
        return list(islice(csv.reader(lines, delimiter=separator), MOST_RECORDS))
    except csv.Error:
        return []


def records(
    lines: Iterable[str], *, separator: str, begun: int = 0
) -> Iterator[SourceRow | UnreadRow]:
    """Yield lists of cells with the line on which each starts, and its number.

    `begun` is the number of lines before the header, which a spreadsheet does not show. Lines that
    a quotation mark without its closing one has swallowed are read again. Raises BrokenFile.
    """
    raw = _RawLines(lines)
    reader = csv.reader(raw, strict=True, delimiter=separator)
    row = width = 0
    while True:
        line = begun + raw.count + 1
        row += 1
        raw.taken.clear()
        try:
            cells = next(reader)
            "".join(cells).encode()
        except StopIteration:
            return
        except csv.Error as error:
            if unquoted := _unquoted(raw.taken, separator, width):
                yield from _numbered(unquoted, line, row)
                row += len(unquoted) - 1
            else:
                if len(raw.taken) == MOST_TAKEN:
                    raise BrokenFile(line, csv_fault(error)) from error
                yield UnreadRow(line, row, csv_fault(error))
                raw.give_back(raw.taken[1:])
        except UnicodeEncodeError:
            yield UnreadRow(line, row, Sentence("is not UTF-8"))
        else:
            unquoted = _unquoted(raw.taken, separator, width) if len(raw.taken) > 1 else []
            if unquoted:  # a quotation mark that is never closed has swallowed rows
                yield from _numbered(unquoted, line, row)
                row += len(unquoted) - 1
                continue
            width = width or len(cells)
            yield SourceRow(line, row, cells)


class _RawLines:
    """Lines for a reader, with those that it has taken for the record that it reads."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._again: list[str] = []
        self.taken: list[str] = []
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines)
        self.count += 1
        if len(self.taken) < MOST_TAKEN:
            self.taken.append(line)
        return line

    def give_back(self, lines: Sequence[str]) -> None:
        """Let these lines come again."""
        self._again += reversed(lines)
        self.count -= len(lines)


def _unquoted(lines: list[str], separator: str, width: int) -> list[list[str]]:
    """Return the records of lines in which quotation marks are letters, as tables with tabs may be.

    Each line has as many cells as the header; else the list is empty.
    """
    if separator != "\t" or not width or len(lines) >= MOST_TAKEN:
        return []
    records = [line.rstrip("\r\n").split("\t") for line in lines]
    return records if all(len(cells) == width for cells in records) else []


def _numbered(records: list[list[str]], line: int, row: int) -> Iterator[SourceRow | UnreadRow]:
    for place, cells in enumerate(records):
        yield SourceRow(line + place, row + place, cells)


def csv_fault(error: csv.Error) -> Sentence:
    """Return why a row of a table cannot be read: a clause without its subject."""
    for words, reason in FAULTS:
        if words in str(error):
            return Sentence(reason)
    return Sentence("has unmatched quotation marks")
