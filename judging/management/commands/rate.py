"""`python manage.py rate STUDY JUDGE`: let a machine judge answer, and wait for it."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Study
from judging.calls import progress, sending
from judging.machines import setting_up
from judging.models import MachineJudge

PAUSE = 1.0  # seconds


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
        if judge.state != MachineJudge.State.RUNNING:
            try:
                setting_up.run(judge=judge, items=options["items"], by=None)
            except setting_up.BadJudge as error:
                raise CommandError(str(error)) from error
            judge.refresh_from_db()
        while judge.state == MachineJudge.State.RUNNING:
            worked = sending.work_on(pk=judge.pk)
            judge.refresh_from_db()
            if not worked and judge.state == MachineJudge.State.RUNNING:
                time.sleep(PAUSE)  # the endpoint asks to wait, or another process sends its calls
            self.stdout.write(progress.progress_of(judge, now=timezone.now()).sentence())
        if judge.state == MachineJudge.State.PAUSED:
            raise CommandError(judge.said or "The judge was paused.")
