"""`python manage.py propose_queries CORPUS ROUND`: let a model propose queries, and wait for it."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Corpus
from judging.calls import progress, sending
from judging.models import ProposedQuery, QueryRound
from judging.queries import files, setting_up

PAUSE = 1.0  # seconds


class Command(BaseCommand):
    help = (
        "Sends the calls of a round of queries that was set up in the console, and waits until "
        "there is nothing more to send. Interrupted, it goes on where it was; done again, it costs "
        "nothing. With --export it prints all proposals of the corpus as JSONL instead."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus")
        parser.add_argument("round", nargs="?", help="name of the round")
        parser.add_argument(
            "--export", choices=["all", *ProposedQuery.State.values], help="print these instead"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = Corpus.objects.there().filter(slug=options["corpus"]).first()
        if corpus is None:
            raise CommandError(f"There is no corpus {options['corpus']!r}.")
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
                f"There is no round {options['round']!r} there; there are: {listed_names}."
            )
        self._ask(query_round)

    def _ask(self, asked: QueryRound) -> None:
        if asked.state != QueryRound.State.RUNNING:
            try:
                setting_up.run(round=asked, by=None)
            except setting_up.BadRound as error:
                raise CommandError(str(error)) from error
            asked.refresh_from_db()
        while asked.state == QueryRound.State.RUNNING:
            worked = sending.work_on(pk=asked.pk, askers=QueryRound)
            asked.refresh_from_db()
            if not worked and asked.state == QueryRound.State.RUNNING:
                time.sleep(PAUSE)  # the endpoint asks to wait, or another process sends its calls
            self.stdout.write(progress.progress_of(asked, now=timezone.now()).sentence())
        if asked.state == QueryRound.State.PAUSED:
            raise CommandError(asked.said or "The round was paused.")
