"""`python manage.py remove_labels STUDY --rater NAME`: delete imported labels."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q

from annotation.models import Study
from annotation.people import access
from annotation.texts.plurals import counted
from judging.labels.removing import CannotRemove, imported_labels, remove_labels
from judging.raters.registering import known_to


class Command(BaseCommand):
    help = (
        "Count the imported labels of a rater; delete them with --yes, including items created "
        "only for them. Analyses that used the labels run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument(
            "--rater", required=True, metavar="NAME", help="name or pseudonym of the rater"
        )
        parser.add_argument("--yes", action="store_true", help="delete the labels")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, name = options["study"], options["rater"]
        study = Study.objects.filter(slug=slug, kind=Study.Kind.JUDGING).order_by("version").last()
        if study is None:
            raise CommandError(f"Judging study {slug} doesn't exist.")
        rater = known_to(study.team).filter(Q(name=name) | Q(pseudonym=name)).first()
        if rater is None:
            raise CommandError(f"Rater {name} doesn't exist.")
        count = imported_labels(study, rater).count()
        if count and not options["yes"]:
            self.stdout.write(
                f"{counted(count, 'label')} of {rater} found. Add --yes to delete them."
            )
            return
        try:
            with transaction.atomic():
                removed = remove_labels(study=study, rater=rater, expected=count)
                summary = f"{counted(removed.labels, 'label')} of {rater.pseudonym}"
                access.record(user=None, act="deleted labels", what=summary, of=study)
        except CannotRemove as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{counted(removed.labels, 'label')} and {counted(removed.items, 'item')} deleted."
        )
