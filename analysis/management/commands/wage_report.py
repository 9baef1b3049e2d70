"""Report the hourly wage of a study with n and exact intervals, beside that of a paper."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.pages.results.wage_report import NoTimes, sentences, wages_of
from annotation.models import Study


class Command(BaseCommand):
    help = "Report the hourly wage of a study: median with interval, and total pay by hours."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")

    def handle(self, *, slug: str, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).order_by("-version").first()
        if study is None:
            raise CommandError(f"There is no such study: {slug}.")
        try:
            for sentence in sentences(wages_of(study)):
                self.stdout.write(sentence)
        except NoTimes as error:
            raise CommandError(str(error)) from error
