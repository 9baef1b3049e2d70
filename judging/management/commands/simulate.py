"""`python manage.py simulate STUDY`: submit answers of simulated workers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.clock import database_now
from annotation.models import Study
from annotation.refusals import Refusal
from judging.simulation.browsing import PageFailed, walk
from judging.simulation.simulating import SPAMMER, crowd, simulate


class Command(BaseCommand):
    help = (
        "Simulate workers in an open judging study, directly in the database or, with --http, on "
        "the pages of a running server. Simulated answers count like real ones."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument(
            "--workers", type=int, default=50, metavar="N", help="number of workers (default: 50)"
        )
        parser.add_argument(
            "--spammers",
            type=float,
            default=0.2,
            metavar="P",
            help="share of workers who answer at random, 0 to 1 (default: 0.2)",
        )
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="default: 1")
        parser.add_argument(
            "--http",
            metavar="URL",
            help="use the pages of this server, such as http://localhost:8000",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["workers"] < 1 or not 0 <= options["spammers"] <= 1:
            raise CommandError("--workers must be at least 1 and --spammers between 0 and 1.")
        study = Study.objects.launched().filter(slug=options["study"]).order_by("-version").first()
        if study is None:
            raise CommandError(f"Launched study {options['study']} doesn't exist.")
        if study.kind != Study.Kind.JUDGING:
            raise CommandError(f"Study {study.slug!r} is not a judging study.")
        workers = crowd(
            workers=options["workers"], spammers=options["spammers"], seed=options["seed"]
        )
        done = spammers = 0
        try:
            steps = (
                walk(base_url=options["http"], study=study, workers=workers)
                if options["http"]
                else simulate(study=study, workers=workers, now=database_now())
            )
            for worker, _assignment in tqdm(
                steps, total=len(workers), desc="workers", disable=None, leave=False
            ):
                done += 1
                spammers += worker.competence == SPAMMER
        except (Refusal, PageFailed) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{done} of {len(workers)} simulated workers submitted a questionnaire, including "
            f"{spammers} who answered at random."
        )
        if done < len(workers):
            self.stdout.write("No places were left for the others.")
