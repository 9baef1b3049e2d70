"""`python manage.py select_texts CORPUS NEW --score NAME`: a corpus of the best and worst texts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.corpora.importing import ImportRefused
from annotation.corpora.selecting_texts import CannotSelect, select_texts
from annotation.management.owners import add_owner_option, owners_of
from annotation.models import Corpus


class Command(BaseCommand):
    help = (
        "Create a corpus of the best and worst texts of each system and topic, by the scores of an "
        "official order."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="corpus", help="slug of the corpus")
        parser.add_argument("new", help="slug of the new corpus")
        parser.add_argument("--score", required=True, help="name of the official order")
        parser.add_argument("--best", type=int, default=1, help="texts (default: %(default)s)")
        parser.add_argument("--worst", type=int, default=1, help="texts (default: %(default)s)")
        add_owner_option(parser)

    def handle(
        self, *, slug: str, new: str, score: str, best: int, worst: int, **options: Any
    ) -> None:
        corpus = Corpus.objects.there().filter(slug=slug).first()
        if corpus is None:
            raise CommandError(f"Corpus {slug!r} doesn't exist.")
        try:
            report = select_texts(
                corpus=corpus,
                slug=new,
                score=score,
                best=best,
                worst=worst,
                owners=owners_of(options["owner"]),
            )
        except (CannotSelect, ImportRefused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{new}: {report.added['responses']:,} texts.")
