"""`python manage.py rate STUDY JUDGE`: let a machine judge answer, and wait for it."""

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
        "Sends the calls of a machine judge that was set up in the console, and waits until there "
        "is nothing more to send. Interrupted, it goes on where it was; done again, it costs "
        "nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("judge", help="name of the judge")
        parser.add_argument("--items", type=int, metavar="N", help="only so many, drawn")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).order_by("version").last()
        judge = MachineJudge.objects.filter(study=study, name=options["judge"]).first()
        if study is None or judge is None:
            names = (
                ", ".join(MachineJudge.objects.filter(study=study).values_list("name", flat=True))
                or "none"
            )
            raise CommandError(f"There is no judge {options['judge']!r} there; there are: {names}.")
        ask(
            judge,
            run=partial(setting_up.run, judge=judge, items=options["items"], by=None),
            stdout=self.stdout,
            paused="The judge was paused.",
        )
