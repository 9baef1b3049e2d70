"""`python manage.py rate STUDY JUDGE`: run an LLM judge."""

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from judging.machines import setting_up
from judging.management.asking import ask
from judging.models import MachineJudge


class Command(BaseCommand):
    help = (
        "Run an LLM judge that was set up in the console, until all calls are answered. An "
        "interrupted run can be resumed. Answered calls aren't sent or charged again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("judge", help="name of the judge")
        parser.add_argument(
            "--items", type=int, metavar="N", help="judge a sample of N items (default: all)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).order_by("version").last()
        judge = MachineJudge.objects.filter(study=study, name=options["judge"]).first()
        if study is None or judge is None:
            names = (
                ", ".join(MachineJudge.objects.filter(study=study).values_list("name", flat=True))
                or "none"
            )
            raise CommandError(
                f"Study {options['study']!r} has no judge {options['judge']!r}. Judges: {names}."
            )
        ask(
            judge,
            run=partial(setting_up.run, judge=judge, items=options["items"], by=None),
            stdout=self.stdout,
            paused="The judge is paused.",
        )
