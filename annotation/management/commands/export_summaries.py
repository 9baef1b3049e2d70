"""`python manage.py export_summaries CORPUS`: export structured summaries as JSONL."""

import gzip
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.corpora.formats import sgss
from annotation.corpora.summaries import summaries_of
from annotation.models import Corpus


class Command(BaseCommand):
    help = (
        "Export the structured summaries of a corpus as JSONL for import_corpus. Files ending in "
        ".gz are compressed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus")
        parser.add_argument("--out", type=Path, metavar="FILE", required=True, help="output file")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = Corpus.objects.filter(slug=options["corpus"]).first()
        if corpus is None:
            raise CommandError(f"Corpus {options['corpus']!r} doesn't exist.")
        lines = list(sgss.written(summaries_of(corpus.responses.all())))
        if not lines:
            raise CommandError(f"Corpus {corpus.slug!r} has no structured summaries.")
        content, out = b"".join(lines), options["out"]
        try:
            out.write_bytes(gzip.compress(content, mtime=0) if out.suffix == ".gz" else content)
        except OSError as error:
            raise CommandError(f"Can't write {out}: {error.strerror}.") from error
        self.stdout.write(f"{len(lines):,} summaries exported to {out}.")
