"""`python manage.py create_study SLUG`: a judging study from an instrument, previewed first."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.study_command import StudyCommand, study_settings
from annotation.models import Batch, Corpus
from judging.design.designing import (
    create_study,
    parameters_of,
    plan,
    preview,
    write_design,
)
from judging.design.questionnaires import CannotDesign
from judging.instruments import files as instruments
from judging.instruments.files import BadInstrument
from judging.instruments.studyfiles import find


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
        parser.add_argument("--depth", type=int, help="the best so many passages of a topic")
        parser.add_argument("--rounds", type=int, help="blocks that each text stands in")

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        if options["instrument"] is None:
            raise CommandError("Say how it is judged: --instrument.")
        instrument = find(options["instrument"])
        study = create_study(corpus=corpus, instrument=instrument, **study_settings(options))
        parameters = parameters_of(
            instrument=instrument,
            seed=options["seed"],
            topics=options["topics"],
            depth=options["depth"],
            rounds=options["rounds"],
            reversed_share=options["reversed"],
            items_per_questionnaire=options["items"],
            quota=options["quota"],
        )
        design = plan(study=study, parameters=parameters)
        for line in preview(study=study, design=design).lines():
            self.stdout.write(line)
        return write_design(study=study, design=design)
