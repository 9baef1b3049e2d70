"""`python manage.py import_rubric STUDY BANK PASSAGES`: import a bank and grades of Rubric."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from annotation.corpora.importing import ImportRefused
from annotation.management.commands.import_corpus import counted
from annotation.refusals import Refusal
from judging.banks.rubric_studies import import_with_bank
from judging.instruments.files import BadInstrument
from judging.labels.importing import LabelsRefused
from judging.labels.rubric_importing import CannotImport
from judging.raters.registering import BadRater


class Command(BaseCommand):
    help = (
        "Import a bank of the Autograder Workbench (Rubric) as a draft study, graded passages "
        "as a corpus with labels of each grader. If a row has a problem, nothing is imported. To "
        "analyse the grades, use `analyse --pool models`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study, created if it doesn't exist")
        parser.add_argument(
            "bank", type=Path, metavar="BANK", help="file of the bank, such as bank.jsonl.gz"
        )
        parser.add_argument(
            "passages", type=Path, nargs="?", metavar="PASSAGES", help="file of graded passages"
        )
        parser.add_argument(
            "--corpus", default="", help="slug of the corpus (default: slug of the bank)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = import_with_bank(
                slug=options["study"],
                bank=options["bank"],
                passages=options["passages"],
                corpus=options["corpus"],
                now=database_now(),
            )
        except CannotImport as error:
            lines = counted(error.count, error.lines[:20])
            raise CommandError("\n".join((str(error), *lines))) from error
        except (ImportRefused, LabelsRefused) as refusal:
            bad = counted(refusal.report.bad_line_count, refusal.report.bad_lines)
            raise CommandError("\n".join((str(refusal), *bad))) from refusal
        except (BadInstrument, BadRater, Refusal) as error:
            raise CommandError(str(error)) from error
        for name, counts in report.raters.items():
            self.stdout.write(
                f"{name}: {counts.added:,} grades added, {counts.changed:,} changed, "
                f"{counts.unchanged:,} unchanged"
            )
        for reason, count in report.left_out.items():
            self.stderr.write(self.style.WARNING(f"skipped: {count:,} {reason}"))
        self.stdout.write(f"Draft and bank created: {report.study.slug}")
