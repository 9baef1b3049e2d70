"""Rows as a file has them, with the places at which people find them. Pure."""

from typing import Any, NamedTuple


class SourceRow(NamedTuple):
    """A row of a file.

    `line` is the line of the file on which it starts, `row` its number in a spreadsheet, where
    the header is row 1; a file without lines (Excel, Parquet) has the same number for both.
    `values` are cells by column, or what a line of JSON holds.
    """

    line: int
    row: int
    values: Any


class UnreadRow(NamedTuple):
    """A row that cannot be read, and a sentence that says why; reading goes on behind it."""

    line: int
    row: int
    reason: str


class UnfitFile(ValueError):
    """A file that cannot be what it should be; the sentence lacks its subject, the file."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
