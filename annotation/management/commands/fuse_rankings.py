"""`python manage.py fuse_rankings CORPUS --system A --system B --name C`: as its page does."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.corpora import fusing
from annotation.corpora.fusion import K
from annotation.models import Corpus


class Command(BaseCommand):
    help = "Make a system whose ranking fuses those of others by reciprocal ranks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--system", action="append", required=True, help="a key; repeat it")
        parser.add_argument("--name", required=True, help="of the new system")
        parser.add_argument("--k", type=int, default=K, help="default %(default)s")

    def handle(self, *, slug: str, system: list[str], name: str, k: int, **options: Any) -> None:
        corpus = Corpus.objects.there().filter(slug=slug).first()
        if corpus is None:
            raise CommandError(f"There is no such corpus: {slug}.")
        try:
            made = fusing.fuse(corpus=corpus, of=system, name=name, k=k)
        except fusing.CannotFuse as error:
            raise CommandError(str(error)) from error
        ranked = made.rankings.count()
        self.stdout.write(f"{made} ranks {ranked:,} passages, from {len(set(system))} systems.")
