"""`python manage.py wage_report STUDY`: report hourly pay with intervals."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.pages.results.wage_report import NoTimes, sentences, wages_of
from annotation.models import Study


class Command(BaseCommand):
    help = "Report the hourly pay of a study: median with interval, and total pay per hour worked."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="study", help="slug of the study")

    def handle(self, *, slug: str, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).order_by("-version").first()
        if study is None:
            raise CommandError(f"Study {slug!r} doesn't exist.")
        try:
            for sentence in sentences(wages_of(study)):
                self.stdout.write(sentence)
        except NoTimes as error:
            raise CommandError(str(error)) from error
