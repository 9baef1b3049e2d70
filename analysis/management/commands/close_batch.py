"""`python manage.py close_batch STUDY`: close the open batches of a study."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.management.commands.analyse import newest_study
from annotation.clock import database_now
from annotation.models import Batch
from annotation.studies import batching


class Command(BaseCommand):
    help = (
        "Close the open batches of a study and start the analysis in the background. To analyse "
        "in the terminal, use `analyse STUDY`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--batch", type=int, metavar="NUMBER", help="close only this batch")

    def handle(self, *args: Any, **options: Any) -> None:
        study = newest_study(options["study"])
        batches = study.batches.all()
        batches = batches.filter(number=options["batch"]) if options["batch"] else batches.open()
        closed = study.batches.filter(state=Batch.State.CLOSED)
        if not batches and closed and not options["batch"]:  # the last places were taken
            self.stdout.write(f"All batches of {study.slug} are already closed.")
        elif not batches:
            raise CommandError(f"Study {study.slug!r} has no such open batch.")
        for batch in batches:
            try:
                batching.close_batch(batch=batch, now=database_now())
            except batching.NotReady as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"Batch {batch.name} of {study.slug} closed.")
