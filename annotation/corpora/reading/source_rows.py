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
