"""Find contradictions in printed tables: `python manage.py check_table FILE ...`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.replication.contradictions import check_table, sentence
from analysis.replication.papers.table_files import BadTable, lines_of
from analysis.replication.table_rules import read_table


class Command(BaseCommand):
    help = (
        "Check CSV tables (header row, row names in the first column) for contradictions in "
        "sums, means, differences, ranks and taus."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

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
                what = "no rule found"
                if checked.rules:
                    what = f"nothing contradicts the {checked.rules} rules found"
                self.stdout.write(f"{file}: {what}")
