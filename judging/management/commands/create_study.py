"""`python manage.py create_study SLUG`: a judging study from an instrument, previewed first."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from annotation import batching
from annotation.models import Batch, Corpus, Study
from judging import instruments
from judging.design import Parameters
from judging.designing import create_study, plan, preview, write_design
from judging.instruments import BadInstrument, Instrument
from judging.questionnaires import CannotDesign
from judging.studyfiles import read_study_file

DESIGNERS = {"pair": "all_pairs", "response": "pool"}


def instrument_of(argument: str) -> Instrument:
    """An instrument by name, or from a file: ours, or a study file of Gienapp et al."""
    path = Path(argument)
    if path.suffix != ".json":
        return instruments.load(argument)
    if not path.is_file():
        raise BadInstrument(f"There is no file {argument}.")
    try:
        return instruments.read(path)
    except BadInstrument as own:
        try:
            return read_study_file(path)
        except BadInstrument as other:
            both = f"neither an instrument ({own}) nor a study file ({other})"
            raise BadInstrument(both) from own


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


class Command(BaseCommand):
    help = (
        "Makes a judging study over a corpus. Without --write it shows the design (counts, "
        "spread of the work, time, cost, wage) and writes nothing; with --launch it opens the "
        "batch and prints the link for workers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study in addresses")
        parser.add_argument("--corpus", required=True, help="slug of the corpus")
        parser.add_argument(
            "--instrument",
            required=True,
            help=f"{', '.join(instruments.available())}, or a file",
        )
        parser.add_argument("--title", help="what people read (the slug if not given)")
        parser.add_argument("--topics", type=int, help="draw so many topics (all if not given)")
        parser.add_argument("--items", type=int, help="items in a questionnaire")
        parser.add_argument("--quota", type=int, help="workers for each questionnaire")
        parser.add_argument("--reversed", type=float, help="share of pairs shown in reverse too")
        parser.add_argument(
            "--contact",
            default="",
            metavar="TEXT",
            help="who runs it and where people reach them, for the consent text; needed to launch",
        )
        parser.add_argument("--pay", default="0", help="for one questionnaire")
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

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with transaction.atomic():
                batch = self._batch(options)
                if not (options["write"] or options["launch"]):
                    transaction.set_rollback(True)
        except (BadInstrument, CannotDesign, batching.NotReady) as error:
            raise CommandError(str(error)) from error
        if options["launch"]:
            self.stdout.write(f"workers: {settings.PUBLIC_URL}{batch.study.public_path}")
        elif not options["write"]:
            self.stdout.write("nothing was written: --write makes it, --launch lets workers in")

    def _batch(self, options: dict[str, Any]) -> Batch:
        instrument = instrument_of(options["instrument"])
        study = self._study(instrument, options)
        defaults = instrument.defaults
        share = options["reversed"]
        parameters = Parameters(
            seed=options["seed"],
            designer=DESIGNERS[instrument.item_kind],
            topics=options["topics"],
            reversed_share=defaults.reversed_share if share is None else share,
            items_per_questionnaire=options["items"] or defaults.items_per_questionnaire,
            quota=options["quota"] or defaults.quota,
        )
        design = plan(study=study, parameters=parameters)
        for line in preview(study=study, design=design).lines():
            self.stdout.write(line)
        batch = write_design(study=study, design=design)
        if options["launch"]:
            batching.open_batch(batch=batch, now=timezone.now())
        return batch

    def _study(self, instrument: Instrument, options: dict[str, Any]) -> Study:
        corpus = Corpus.objects.filter(slug=options["corpus"]).first()
        if corpus is None:
            known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no corpus {options['corpus']!r}; known are: {known}.")
        last = Study.objects.filter(slug=options["slug"]).order_by("-version").first()
        if last and not options["new_version"]:
            raise CommandError(
                f"There is a study {options['slug']!r} already; --new-version makes another "
                "version of it."
            )
        settings_of_study: dict[str, Any] = {}
        if options["completion_code"]:
            settings_of_study["completion_code"] = options["completion_code"]
        try:
            pay = Decimal(options["pay"])
        except InvalidOperation as error:
            raise CommandError(f"--pay must be a number, not {options['pay']!r}.") from error
        settings_of_study |= {
            "slug": options["slug"],
            "title": options["title"] or options["slug"],
            "seed": options["seed"],
            "pay": pay,
            "currency": options["currency"],
            "tasks_per_worker": options["tasks_per_worker"],
            "recruitment": options["recruitment"],
        }
        _check(settings_of_study)
        return create_study(
            version=last.version + 1 if last else 1,
            corpus=corpus,
            instrument=instrument,
            contact=options["contact"],
            **settings_of_study,
        )
