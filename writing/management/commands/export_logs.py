"""`python manage.py export_logs STUDY --out DIR --format idfx`: export logs of submitted texts."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from writing.exports.logfiles import ENDINGS, INTERVAL, log_files


class Command(BaseCommand):
    help = "Export one log file per submitted text of a study (newest version)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--out", type=Path, required=True, help="output folder")
        parser.add_argument(
            "--format", choices=list(ENDINGS), default="jsonl", help="default: jsonl"
        )
        parser.add_argument(
            "--interval",
            type=int,
            default=INTERVAL,
            metavar="MS",
            help="time between snapshots (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.latest_versions().filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"Study {options['study']!r} doesn't exist.")
        if options["interval"] < 1:
            raise CommandError("--interval must be at least 1 ms.")
        out: Path = options["out"]
        out.mkdir(parents=True, exist_ok=True)
        done = 0
        for file in log_files(study, options["format"], interval=options["interval"]):
            if file.fault:
                self.stderr.write(f"{file.name} not exported: {file.fault}")
                continue
            (out / file.name).write_text(file.text, encoding="utf-8", newline="")
            done += 1
        self.stdout.write(f"{done} logs exported to {out}.")
