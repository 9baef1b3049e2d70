"""`python manage.py write_responses STUDY AUTHOR`: run an LLM author of a writing study."""

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from judging.calls import running_rounds
from judging.management.asking import ask
from judging.models import AuthorRound


class Command(BaseCommand):
    help = (
        "Run an LLM author that was set up in the console or by the API, until all calls are "
        "answered. An interrupted run can be resumed. Answered calls aren't sent or charged again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study (newest version)")
        parser.add_argument("author", help="name of the author")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = Study.objects.filter(slug=options["study"], kind=Study.Kind.WRITING)
        study = studies.order_by("version").last()
        if study is None:
            raise CommandError(f"Writing study {options['study']!r} doesn't exist.")
        author = AuthorRound.objects.filter(study=study, name=options["author"]).first()
        if author is None:
            names = AuthorRound.objects.filter(study=study).values_list("name", flat=True)
            listed = ", ".join(names) or "none"
            raise CommandError(
                f"Study {study.slug!r} has no LLM author {options['author']!r}. Authors: {listed}."
            )
        ask(
            author,
            run=partial(running_rounds.run, round=author, by=None),
            stdout=self.stdout,
            paused="The author is paused.",
        )
