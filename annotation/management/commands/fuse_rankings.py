"""`python manage.py fuse_rankings CORPUS --system A --system B --name C`: add a fused system."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.corpora import fusing
from annotation.corpora.fusion import K
from annotation.models import Corpus


class Command(BaseCommand):
    help = "Add a system to a corpus by fusing the rankings of other systems by reciprocal rank."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="corpus", help="slug of the corpus")
        parser.add_argument(
            "--system", action="append", required=True, help="key of a system to fuse (repeatable)"
        )
        parser.add_argument("--name", required=True, help="name of the new system")
        parser.add_argument(
            "--k",
            type=int,
            default=K,
            help="constant k of reciprocal rank fusion (default: %(default)s)",
        )

    def handle(self, *, slug: str, system: list[str], name: str, k: int, **options: Any) -> None:
        corpus = Corpus.objects.there().filter(slug=slug).first()
        if corpus is None:
            raise CommandError(f"Corpus {slug!r} doesn't exist.")
        try:
            made = fusing.fuse(corpus=corpus, of=system, name=name, k=k)
        except fusing.CannotFuse as error:
            raise CommandError(str(error)) from error
        ranked = made.rankings.count()
        self.stdout.write(
            f"Added {made}: {ranked:,} ranked passages from {len(set(system))} systems."
        )
