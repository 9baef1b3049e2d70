"""`python manage.py import_official_order CORPUS FILE`: import an official order."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.corpora.importing_orders import CannotImportOrder, import_order, text_of
from annotation.corpora.official_orders import matched_orders
from annotation.models import Corpus, OfficialOrder


class Command(BaseCommand):
    help = "Import an official order of the systems or texts of a corpus."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="slug of the corpus")
        parser.add_argument("file", type=Path, help="file of names with ranks or scores")
        parser.add_argument("--name", default="", help="name of the order (default: file name)")
        parser.add_argument(
            "--measure", default="", help="name of the measure; required if the file has several"
        )
        parser.add_argument("--better", default="", choices=OfficialOrder.Better.values)

    def handle(
        self, *, slug: str, file: Path, name: str, measure: str, better: str, **options: Any
    ) -> None:
        corpus = Corpus.objects.there().filter(slug=slug).first()
        if corpus is None:
            raise CommandError(f"Corpus not found: {slug}.")
        try:
            with file.open("rb") as stream:
                text = text_of(stream)
            order = import_order(
                corpus=corpus, text=text, file=file.name, name=name, measure=measure, better=better
            )
        except OSError as error:
            raise CommandError(f"Can't read {file}: {error.strerror}.") from error
        except CannotImportOrder as error:
            choices = f" Choices: {', '.join(error.choices)}." if error.choices else ""
            raise CommandError(f"{error}{choices}") from error
        (matched,) = (one for one in matched_orders(corpus) if one.order.pk == order.pk)
        texts = f", {len(matched.texts)} texts" if matched.texts else ""
        self.stdout.write(f"{order}: {len(matched.scores)} systems{texts} matched.")
        for title, names in (
            ("Names without a system or text", matched.unmatched),
            ("Systems without a value", matched.without),
        ):
            if names:
                self.stdout.write(f"{title}: {', '.join(names)}.")
