"""`python manage.py check_table FILE ...`: find contradictions in printed tables."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.replication.contradictions import check_table, sentence
from analysis.replication.papers.table_files import BadTable, lines_of
from analysis.replication.table_rules import read_table


class Command(BaseCommand):
    help = (
        "Check the arithmetic of CSV tables (header row, row names in the first column): sums, "
        "means, differences, ranks and Kendall's tau."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="CSV table")

    def handle(self, *args: Any, **options: Any) -> None:
        for file in options["files"]:
            try:
                table = read_table(lines_of(file))
            except BadTable as error:
                raise CommandError(str(error)) from error
            checked = check_table(table)
            for contradiction in checked.contradictions:
                self.stdout.write(f"{file}: {sentence(contradiction)}")
            if not checked.contradictions:
                what = "no column or row can be computed from the others"
                if checked.rules:
                    what = f"no contradictions ({checked.rules} rules checked)"
                self.stdout.write(f"{file}: {what}")
