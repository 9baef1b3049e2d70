"""What the commands that make a study have in common, whatever its kind."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from annotation import batching
from annotation.models import Batch, Corpus, Study


class StudyCommand(BaseCommand):
    """Shows what the study would be; writes it with --write, lets workers in with --launch."""

    refusals: tuple[type[Exception], ...] = ()  # of the kind; their sentence is the answer

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study in addresses")
        parser.add_argument("--corpus", required=True, help="slug of the corpus")
        parser.add_argument("--title", help="what people read (the slug if not given)")
        parser.add_argument("--topics", type=int, help="draw so many topics (all if not given)")
        parser.add_argument("--quota", type=int, help="workers for each task")
        parser.add_argument(
            "--contact",
            default="",
            metavar="TEXT",
            help="who runs it and where people reach them, for the consent text; needed to launch",
        )
        parser.add_argument("--pay", default="0", help="for one task")
        parser.add_argument("--currency", default="USD")
        parser.add_argument("--tasks-per-worker", type=int, default=1)
        parser.add_argument(
            "--recruitment", choices=Study.Recruitment.values, default=Study.Recruitment.LINK
        )
        parser.add_argument("--completion-code", help="made from the seed if not given")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--new-version", action="store_true", help="of a study that was launched and is frozen"
        )
        parser.add_argument("--write", action="store_true", help="make the study and its batch")
        parser.add_argument("--launch", action="store_true", help="make it and let workers in")

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        """Make study and draft batches, say what they are like and return the main one."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                batch = self.make_batch(corpus_of(options["corpus"]), options)
                if options["launch"]:
                    for each in batch.study.batches.order_by("-onboarding", "number"):
                        batching.open_batch(batch=each, now=timezone.now())
                elif not options["write"]:
                    transaction.set_rollback(True)
        except batching.NotReady as error:
            raise CommandError(str(error)) from error
        except self.refusals as error:
            raise CommandError(str(error)) from error
        if options["launch"]:
            self.stdout.write(f"workers: {settings.PUBLIC_URL}{batch.study.public_path}")
        elif not options["write"]:
            self.stdout.write("nothing was written: --write makes it, --launch lets workers in")


def corpus_of(slug: str) -> Corpus:
    """The corpus of this slug. Raises CommandError with those that there are."""
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no corpus {slug!r}; known are: {known}.")
    return corpus


def study_settings(options: dict[str, Any]) -> dict[str, Any]:
    """The fields of a study that the options give. Raises CommandError."""
    last = Study.objects.filter(slug=options["slug"]).order_by("-version").first()
    if last and not options["new_version"]:
        raise CommandError(
            f"There is a study {options['slug']!r} already; --new-version makes another "
            "version of it."
        )
    try:
        pay = Decimal(options["pay"])
    except InvalidOperation as error:
        raise CommandError(f"--pay must be a number, not {options['pay']!r}.") from error
    fields: dict[str, Any] = {
        "slug": options["slug"],
        "title": options["title"] or options["slug"],
        "seed": options["seed"],
        "pay": pay,
        "currency": options["currency"],
        "tasks_per_worker": options["tasks_per_worker"],
        "recruitment": options["recruitment"],
    }
    if options["completion_code"]:
        fields["completion_code"] = options["completion_code"]
    _check(fields)
    return {**fields, "version": last.version + 1 if last else 1, "contact": options["contact"]}


def _check(fields: dict[str, Any]) -> None:
    """Raise CommandError with the first setting that no study can have."""
    others = {field.name for field in Study._meta.fields} - set(fields)
    try:
        Study(**fields).clean_fields(exclude=others)
    except ValidationError as error:
        name, reasons = next(iter(error.message_dict.items()))
        option = name if name == "slug" else f"--{name.replace('_', '-')}"
        raise CommandError(f"{option} cannot be {fields[name]}: {' '.join(reasons)}") from error
    if fields["tasks_per_worker"] < 1:
        raise CommandError("--tasks-per-worker must be at least 1.")
