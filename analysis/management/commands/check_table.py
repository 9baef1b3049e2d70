"""`python manage.py check_table FILE ...`: which cells of a printed table contradict the others."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.replication.papers.reading import BadTable, lines_of
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
            try:
                table = read_table(lines_of(file))
            except BadTable as error:
                raise CommandError(str(error)) from error
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
