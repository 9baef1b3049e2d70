"""Printed tables as CSV: the first line names the columns, the first cell of a line the row."""

import csv
from pathlib import Path

from analysis.replication.table_rules import PrintedTable, read_table
from annotation.texts.coded_errors import CodedError


class BadTable(CodedError):
    """A file is no table, or a folder has none; the message says which."""


def lines_of(file: Path) -> list[list[str]]:
    """Return cells between commas, semicolons or tabs. Raises BadTable."""
    try:
        with file.open(newline="", encoding="utf-8-sig") as lines:
            sample = lines.read(4096)
            lines.seek(0)
            separator = max(",;\t", key=sample.count)
            table_lines = [line for line in csv.reader(lines, delimiter=separator) if any(line)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadTable("unreadable", f"{file} cannot be read: {error}") from error
    if len(table_lines) < 2 or len(table_lines[0]) < 2:
        raise BadTable("not_a_table", f"{file} isn't a table of names and numbers.")
    return table_lines


def tables_in(folder: Path, names: list[str]) -> dict[str, PrintedTable]:
    """Return the tables of the folder by name. Raises BadTable where it has none of them."""
    tables = {
        name: read_table(lines_of(folder / f"{name}.csv"))
        for name in names
        if (folder / f"{name}.csv").is_file()
    }
    if not tables:
        files = ", ".join(f"{name}.csv" for name in names)
        raise BadTable("missing_files", f"{folder} has none of the tables {files}.")
    return tables
