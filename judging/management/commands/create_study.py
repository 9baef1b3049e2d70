"""`python manage.py create_study SLUG`: a judging study from an instrument, previewed first."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.study_command import StudyCommand, study_settings
from annotation.models import Batch, Corpus
from judging.design.designers import Parameters
from judging.design.designing import create_study, plan, preview, write_design
from judging.design.questionnaires import CannotDesign
from judging.instruments import files as instruments
from judging.instruments.files import BadInstrument, Instrument
from judging.instruments.studyfiles import read_study_file

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


class Command(StudyCommand):
    help = (
        "Makes a judging study over a corpus. Without --write it shows the design (counts, "
        "spread of the work, time, cost, wage) and writes nothing; with --launch it opens the "
        "batch and prints the link for workers."
    )
    refusals = (BadInstrument, CannotDesign)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--instrument",
            help=f"{', '.join(instruments.available())}, or a file",
        )
        parser.add_argument("--items", type=int, help="items in a questionnaire")
        parser.add_argument("--reversed", type=float, help="share of pairs shown in reverse too")

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        if options["instrument"] is None:
            raise CommandError("Say how it is judged: --instrument.")
        instrument = instrument_of(options["instrument"])
        study = create_study(corpus=corpus, instrument=instrument, **study_settings(options))
        defaults = instrument.defaults
        share = options["reversed"]
        parameters = Parameters(
            seed=options["seed"],
            kind=instrument.item_kind,
            designer=DESIGNERS[instrument.item_kind],
            topics=options["topics"],
            reversed_share=defaults.reversed_share if share is None else share,
            items_per_questionnaire=options["items"] or defaults.items_per_questionnaire,
            quota=options["quota"] or defaults.quota,
        )
        design = plan(study=study, parameters=parameters)
        for line in preview(study=study, design=design).lines():
            self.stdout.write(line)
        return write_design(study=study, design=design)
