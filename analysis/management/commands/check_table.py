"""`python manage.py check_table FILE ...`: which cells of a printed table contradict the others."""

import csv
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.replication.table_checking import check_table, read_table, rules


class Command(BaseCommand):
    help = (
        "Reads tables as CSV (the first line names the columns, the first cell of each line the "
        "row) and marks the cells that contradict the others: sums, means, differences, ranks and "
        "taus that hold in nearly all rows or columns, but not there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        for file in options["files"]:
            table = read_table(_lines(file))
            marks = check_table(table)
            found = len(rules(table)) + len(rules(table.turned))
            for mark in marks:
                self.stdout.write(
                    f"{file}: {mark.row}, {mark.column}: {mark.printed:g} is printed, but the "
                    f"{mark.rule} is {mark.expected:.6g}"
                )
            if not marks:
                what = f"nothing contradicts the {found} rules found" if found else "no rule found"
                self.stdout.write(f"{file}: {what}")


def _lines(file: Path) -> list[list[str]]:
    """Raises CommandError."""
    try:
        with file.open(newline="", encoding="utf-8-sig") as lines:
            sample = lines.read(4096)
            lines.seek(0)
            separator = max(",;\t", key=sample.count)
            found = [line for line in csv.reader(lines, delimiter=separator) if any(line)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    if len(found) < 2 or len(found[0]) < 2:
        raise CommandError(f"{file} is no table: it needs a line of names and rows of numbers.")
    return found
