"""`python manage.py import_rubric STUDY BANK PASSAGES`: Rubric's files as a study with grades."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

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
        "Imports a bank of the Autograder Workbench (Rubric) as a draft study, whose points are "
        "the entries, and as a bank of the corpus; passages graded on it become a corpus with the "
        "grades of each grader: everything, or nothing. Read the grades by analyse --pool models."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study, which is made if it is not there")
        parser.add_argument("bank", type=Path, metavar="BANK", help="such as bank.jsonl.gz")
        parser.add_argument(
            "passages", type=Path, nargs="?", metavar="PASSAGES", help="graded passages"
        )
        parser.add_argument("--corpus", default="", help="slug; if not given, that of the bank")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = import_with_bank(
                slug=options["study"],
                bank=options["bank"],
                passages=options["passages"],
                corpus=options["corpus"],
                now=timezone.now(),
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
            self.stderr.write(self.style.WARNING(f"left out: {count:,} {reason}"))
        self.stdout.write(f"study {report.study.slug}: a draft, on the bank {report.study.slug}")
