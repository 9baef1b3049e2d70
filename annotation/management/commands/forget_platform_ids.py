"""`python manage.py forget_platform_ids STUDY`: delete platform IDs, as on *Data kept*."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.clock import database_now
from annotation.fieldwork.consenting import erasing_study_data
from annotation.models import Study
from annotation.studies.setting_retention import PLATFORM_IDS


class Command(BaseCommand):
    help = (
        "Preview the deletion of a study's platform IDs; delete them with --yes. Pseudonyms stay. "
        "Participants can't be paid afterwards."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="study", help="slug of the study")
        parser.add_argument(
            "--version-of-study", type=int, help="version of the study (default: newest)"
        )
        parser.add_argument("--yes", action="store_true", help="delete the IDs")
        parser.add_argument(
            "--although-owed", action="store_true", help="delete even if payments are due"
        )

    def handle(self, *, slug: str, version_of_study: int | None, **options: Any) -> None:
        studies = Study.objects.filter(slug=slug).order_by("-version")
        if version_of_study is not None:
            studies = studies.filter(version=version_of_study)
        study = studies.first()
        if study is None:
            raise CommandError(f"Study {slug!r} doesn't exist.")
        if not options["yes"]:
            for sentence in erasing_study_data.consequences(study):
                self.stdout.write(sentence)
            self.stdout.write("Nothing was deleted. Add --yes to delete the IDs.")
            return
        try:
            done = erasing_study_data.forget(
                study=study,
                what=PLATFORM_IDS,
                now=database_now(),
                although_owed=options["although_owed"],
            )
        except erasing_study_data.StillOwed as owed:
            raise CommandError(f"{owed} Pay first, or add --although-owed.") from owed
        except erasing_study_data.CannotForget as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{done.n} platform IDs deleted, {done.shared} kept for other studies.")
