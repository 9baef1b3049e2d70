"""`python manage.py propose_queries CORPUS ROUND`: run a query round."""

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Corpus
from judging.calls import running_rounds
from judging.management.asking import ask
from judging.models import ProposedQuery, QueryRound
from judging.queries import files


class Command(BaseCommand):
    help = (
        "Run a query round that was set up in the console, until all calls are answered. An "
        "interrupted run can be resumed. Answered calls aren't sent or charged again. With "
        "--export: print the proposed queries of the corpus as JSONL."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus")
        parser.add_argument("round", nargs="?", help="name of the round")
        parser.add_argument(
            "--export",
            choices=["all", *ProposedQuery.State.values],
            help="print the proposed queries in this state",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = Corpus.objects.there().filter(slug=options["corpus"]).first()
        if corpus is None:
            raise CommandError(f"Corpus {options['corpus']!r} doesn't exist.")
        if options["export"]:
            state = "" if options["export"] == "all" else options["export"]
            for line in files.as_jsonl(files.rows(corpus, state=state)):
                self.stdout.write(line, ending="")
            return
        query_round = QueryRound.objects.filter(corpus=corpus, name=options["round"]).first()
        if query_round is None:
            names = QueryRound.objects.filter(corpus=corpus).values_list("name", flat=True)
            listed_names = ", ".join(names) or "none"
            raise CommandError(
                f"Corpus {corpus.slug!r} has no round {options['round']!r}. Rounds: {listed_names}."
            )
        ask(
            query_round,
            run=partial(running_rounds.run, round=query_round, by=None),
            stdout=self.stdout,
            paused="The round is paused.",
        )
