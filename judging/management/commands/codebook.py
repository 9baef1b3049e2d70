"""`python manage.py codebook STUDY ACT`: list, import and export the codebooks of its team."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from annotation.models import Study
from annotation.refusals import Refusal
from judging.coding import codebook_files, saving_codebooks
from judging.coding.starting import newest_versions


class Command(BaseCommand):
    help = "List, import and export the codebooks of a study's team (JSON or CSV)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="list the codebooks as JSON Lines")
        importing = acts.add_parser("import", help="import a file as the next version")
        importing.add_argument("file", help="path of a file, or name of a template")
        importing.add_argument(
            "--name", default="", help="name of the codebook, if the file has none"
        )
        exporting = acts.add_parser("export", help="export the newest version")
        exporting.add_argument("name")
        exporting.add_argument("--format", choices=codebook_files.FORMATS, default="json")
        exporting.add_argument("--out", type=Path, help="output file (default: print)")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).order_by("version").last()
        if study is None:
            raise CommandError(f"Study {options['study']!r} doesn't exist.")
        try:
            {"list": self._list, "import": self._import, "export": self._export}[options["act"]](
                study, options
            )
        except Refusal as error:
            raise CommandError(str(error)) from error

    def _list(self, study: Study, options: dict[str, Any]) -> None:
        for version in newest_versions(study):
            row = {
                "name": version.codebook.name,
                "version": version.number,
                "codes": version.codes.count(),
            }
            self.stdout.write(json.dumps(row, ensure_ascii=False))

    def _import(self, study: Study, options: dict[str, Any]) -> None:
        file = codebook_files.templates().get(options["file"])
        if file is None:
            path = Path(options["file"])
            try:
                file = codebook_files.read(path.read_bytes())
            except OSError as error:
                names = ", ".join(codebook_files.templates())
                raise CommandError(f"{path} cannot be read. Templates: {names}.") from error
        saved = saving_codebooks.save(
            team=study.team,
            file=file,
            by=None,
            now=database_now(),
            name=file.name or options["name"],
        )
        self.stdout.write(f"{saved.codebook.name}, version {saved.number}: {saved.codes.count()}")

    def _export(self, study: Study, options: dict[str, Any]) -> None:
        for version in newest_versions(study):
            if version.codebook.name == options["name"]:
                content = codebook_files.written(codebook_files.file_of(version), options["format"])
                if options["out"]:
                    options["out"].write_bytes(content)
                else:
                    self.stdout.write(content.decode(), ending="")
                return
        raise CommandError(f"Codebook {options['name']!r} doesn't exist.")
