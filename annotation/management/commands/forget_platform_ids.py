"""Deletes the platform ids of a study's people after the study, as the page *Data kept* does."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.fieldwork.consenting import erasing_study_data
from annotation.models import Study
from annotation.studies.setting_retention import PLATFORM_IDS


class Command(BaseCommand):
    help = "Delete the platform ids of a study's people: pseudonyms stay, nobody can be paid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--version-of-study", type=int, help="the newest without it")
        parser.add_argument("--yes", action="store_true", help="do it; else only say what it means")
        parser.add_argument("--although-owed", action="store_true", help="people are owed money")

    def handle(self, *, slug: str, version_of_study: int | None, **options: Any) -> None:
        studies = Study.objects.filter(slug=slug).order_by("-version")
        if version_of_study is not None:
            studies = studies.filter(version=version_of_study)
        study = studies.first()
        if study is None:
            raise CommandError(f"There is no such study: {slug}.")
        if not options["yes"]:
            for sentence in erasing_study_data.consequences(study):
                self.stdout.write(sentence)
            self.stdout.write("Nothing was deleted. With --yes it is.")
            return
        try:
            done = erasing_study_data.forget(
                study=study,
                what=PLATFORM_IDS,
                now=timezone.now(),
                although_owed=options["although_owed"],
            )
        except erasing_study_data.StillOwed as owed:
            raise CommandError(f"{owed} Pay first, or say --although-owed.") from owed
        except erasing_study_data.CannotForget as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The platform ids of {done.n} people are deleted; {done.shared} kept.")
