"""`python manage.py create_study SLUG`: a judging study from instruments, previewed first."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.study_command import StudyCommand, as_recruited, study_settings
from annotation.models import Batch, Corpus, Study
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.design.previews import preview
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
            action="append",
            help=f"{', '.join(instruments.available())}, or a file; may be given several times",
        )
        parser.add_argument("--items", type=int, help="items in a questionnaire")
        parser.add_argument("--reversed", type=float, help="share of pairs shown in reverse too")
        parser.add_argument("--depth", type=int, help="the best so many passages of a topic")
        parser.add_argument("--games", type=int, help="so many pairs of a topic, else all")
        parser.add_argument(
            "--one-page",
            action="store_true",
            help="what several instruments ask of the same texts stands on one page",
        )
        parser.add_argument("--rounds", type=int, help="blocks that each text stands in")

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        if not options["instrument"]:
            raise CommandError("Say how it is judged: --instrument.")
        # call_command hands on a single name as it is.
        named = [options["instrument"]] if isinstance(options["instrument"], str) else None
        files = [
            as_recruited(find(name, options["language"]), options)
            for name in named or options["instrument"]
        ]
        settings = study_settings(options)
        if options["one_page"]:
            settings["presentation"] = Study.ONE_PAGE
        study = create_study(corpus=corpus, instruments=files, **settings)
        plans = plans_of(
            study=study,
            seed=options["seed"],
            topics=options["topics"],
            depth=options["depth"],
            rounds=options["rounds"],
            reversed_share=options["reversed"],
            games_per_topic=options["games"],
            items_per_questionnaire=options["items"],
            quota=options["quota"],
        )
        for line in preview(study=study, plans=plans).lines():
            self.stdout.write(line)
        return write_plans(study=study, plans=plans)
