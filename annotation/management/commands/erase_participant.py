"""`python manage.py erase_participant STUDY PARTICIPANT`: erase on request."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from annotation.fieldwork.consenting import erasing_participants, erasing_study_data
from annotation.models import Study, Worker
from annotation.people.pseudonyms import people_with_id
from annotation.refusals import Refusal


class Command(BaseCommand):
    help = (
        "Preview the data of a participant that would be erased; erase it with --yes. The effect "
        "is the same as if the participant withdraws."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study (newest version)")
        parser.add_argument("participant", help="pseudonym or exact platform ID")
        parser.add_argument(
            "--study-version", type=int, help="version of the study (default: newest)"
        )
        parser.add_argument(
            "--reason",
            default="",
            help="reason for the audit log, without personal data; required with --yes",
        )
        parser.add_argument("--yes", action="store_true", help="erase the data")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = Study.objects.filter(slug=options["study"]).order_by("-version")
        if options["study_version"] is not None:
            rows = rows.filter(version=options["study_version"])
        study = rows.first()
        if study is None:
            raise CommandError(f"Study {options['study']!r} doesn't exist.")
        worker = _participant(study, options["participant"])
        preview = erasing_participants.preview(study=study, worker=worker)
        if not options["yes"]:
            for name, n in preview.counts:
                self.stdout.write(f"{name}: {n}")
            self.stdout.write("Nothing was erased. Add --reason and --yes to erase the data.")
            return
        try:
            n = erasing_participants.erase(
                study=study,
                worker=worker,
                reason=options["reason"],
                now=database_now(),
            )
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Erased {n} submissions of {worker.pseudonym}.")


def _participant(study: Study, name: str) -> Worker:
    """Return the participant with this pseudonym or platform ID. Raises CommandError."""
    people = erasing_study_data.people_of(study)
    worker = people.filter(pseudonym=name).first() or people_with_id(people, name).first()
    if worker is None:
        raise CommandError(f"Study {study.slug!r} has no participant {name!r}.")
    return worker
