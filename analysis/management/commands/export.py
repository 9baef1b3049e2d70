"""`python manage.py export STUDY --out DIR`: export a study to a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from analysis.exports.exporting import write_bundle
from analysis.exports.source import CannotExport
from analysis.management.commands.analyse import newest_study
from annotation.people.access import record_secret


class Command(BaseCommand):
    help = (
        "Export a study to a folder: responses, writing tasks, ratings and grades in the schema of "
        "the Crowd RAG Corpus 2025 and as CSV, gold labels, all votes, a data dictionary "
        "(DATA.md) and a manifest with checksums. Workers appear by pseudonym. Results are those "
        "of the newest finished analysis."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="output folder")

        parser.add_argument(
            "--pool",
            default="",
            help="raters of the analysis: people (default), models, experts, …",
        )
        parser.add_argument(
            "--secret", action="store_true", help="include the secret entries of banks"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = newest_study(options["study"])
        with tqdm(disable=None, leave=False, unit="") as bar:

            def show(table: str, done: int, total: int) -> None:
                bar.set_description(table, refresh=False)
                bar.total = total
                bar.update(done - bar.n)

            try:
                manifest = write_bundle(
                    study=study,
                    out=options["out"],
                    progress=show,
                    pool=options["pool"],
                    secret=options["secret"],
                )
            except CannotExport as error:
                raise CommandError(str(error)) from error
            except OSError as error:
                raise CommandError(f"Can't write {options['out']}: {error}") from error
        if options["secret"]:
            record_secret(user=None, what="export", of=study)
        for file in manifest.files:
            self.stdout.write(f"{file.file}: {file.rows:,} rows, {file.bytes:,} bytes")
        for name, reason in manifest.left_out.items():
            self.stderr.write(self.style.WARNING(f"{name} not exported: {reason}"))
        for note in manifest.notes:
            self.stderr.write(self.style.WARNING(f"note: {note}"))
