"""`python manage.py code_comments STUDY CODING CODER`: run an LLM coder of a coding."""

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from judging.calls import running_rounds
from judging.management.asking import ask
from judging.models import CoderRound


class Command(BaseCommand):
    help = (
        "Run an LLM coder that was set up in the console or by the API, until all calls are "
        "answered. An interrupted run can be resumed. Answered calls aren't sent or charged again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study (newest version)")
        parser.add_argument("coding", help="name of the coding")
        parser.add_argument("coder", help="name of the LLM coder")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).order_by("version").last()
        if study is None:
            raise CommandError(f"Study {options['study']!r} doesn't exist.")
        coders = CoderRound.objects.filter(coding__study=study, coding__name=options["coding"])
        coder = coders.filter(name=options["coder"]).first()
        if coder is None:
            listed = ", ".join(coders.values_list("name", flat=True)) or "none"
            raise CommandError(
                f"Coding {options['coding']!r} has no LLM coder {options['coder']!r}. "
                f"LLM coders: {listed}."
            )
        ask(
            coder,
            run=partial(running_rounds.run, round=coder, by=None),
            stdout=self.stdout,
            paused="The LLM coder is paused.",
        )
