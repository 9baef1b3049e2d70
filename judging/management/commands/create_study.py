"""`python manage.py create_study SLUG`: preview, create or launch a judging study."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import CommandError

from annotation.corpora.systems import systems_with_texts
from annotation.management.study_command import (
    StudyCommand,
    as_recruited,
    chosen_topics,
    named,
    study_settings,
)
from annotation.models import Batch, Corpus, Study
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.design.previews import preview
from judging.designers.designs import shows_documents
from judging.designers.questionnaires import CannotDesign
from judging.instruments import files as instruments
from judging.instruments.files import BadInstrument
from judging.instruments.schema import InstrumentFile
from judging.instruments.studyfiles import find
from judging.items.kinds import item_kind

SCORED = (  # what its options say of documents in view
    "documents_scored_at_least",
    "documents_scored_in",
    "documents_scored_on",
    "documents_scored_by",
    "documents_annotations",
)


class Command(StudyCommand):
    help = (
        "Preview a judging study: items, workload, minutes, cost and hourly pay. Add --write to "
        "create a draft, or --launch to open the study and print the participant link."
    )
    refusals = (BadInstrument, CannotDesign)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--instrument",
            action="append",
            help=f"{', '.join(instruments.available())}, or a file (repeatable)",
        )
        parser.add_argument("--items", type=int, help="items per questionnaire")
        parser.add_argument(
            "--reversed", type=float, help="share of pairs also shown in reverse, 0 to 1"
        )
        parser.add_argument("--depth", type=int, help="number of top passages per topic")
        parser.add_argument("--games", type=int, help="pairs per topic (default: all)")
        parser.add_argument(
            "--one-page",
            action="store_true",
            help="show the questions of several methods about the same texts on one page",
        )
        parser.add_argument(
            "--arms",
            action="store_true",
            help="give each worker one of the instruments, drawn at random",
        )
        parser.add_argument(
            "--documents-scored-at-least",
            type=int,
            metavar="SCORE",
            help="show documents with at least this score next to a pair",
        )
        parser.add_argument(
            "--documents-scored-in",
            metavar="STUDY/VERSION",
            help="study on the same corpus that scored the passages",
        )
        parser.add_argument(
            "--documents-scored-on",
            metavar="QUESTION",
            help="question of that study (default: its first)",
        )
        parser.add_argument(
            "--documents-scored-by",
            metavar="POOL",
            help="pool or rater of the scores (default: people)",
        )
        parser.add_argument(
            "--documents-annotations",
            choices=("hidden", "shown"),
            help="show participants the score and its reasons (default: hidden)",
        )
        parser.add_argument(
            "--system",
            action="append",
            metavar="KEY",
            help="judge only texts of this system (repeatable; default: all; origin:human and "
            "origin:llm select texts without a system)",
        )
        parser.add_argument("--rounds", type=int, help="blocks per text")
        parser.epilog = (
            "Example: manage.py create_study which-is-better --corpus mine "
            "--instrument crowdrag-pairwise --topics 2 --pay 3"
        )

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        if not options["instrument"]:
            raise CommandError("Choose a method with --instrument.")
        files = [
            _with_documents(as_recruited(find(name, options["language"]), options), options)
            for name in named(options["instrument"]) or ()
        ]
        systems = _systems(corpus, named(options["system"]))
        settings = study_settings(options)
        if options["one_page"]:
            settings["presentation"] = Study.ONE_PAGE
        if options["arms"]:
            settings["arms"] = Study.Arms.ONE
        study = create_study(corpus=corpus, instruments=files, **settings)
        plans = plans_of(
            study=study,
            seed=options["seed"],
            topics=options["topics"],
            systems=systems,
            chosen_topics=chosen_topics(corpus, options),
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


def _systems(corpus: Corpus, named: list[str] | None) -> list[str] | None:
    """Return the named systems, None for all. Raises CommandError if one has no texts."""
    if named is None:
        return None
    keys = [systems_with_text.key for systems_with_text in systems_with_texts(corpus)]
    if unknown := [key for key in named if key not in keys]:
        raise CommandError(
            f"Corpus {corpus.slug!r} has no texts of {', '.join(map(repr, unknown))}. Systems with "
            f"texts: {', '.join(keys) or 'none'}."
        )
    return named


def _with_documents(file: InstrumentFile, options: dict[str, Any]) -> InstrumentFile:
    """Return the instrument with the options on documents in view. Raises BadInstrument."""
    given = {name: options[name] for name in SCORED if options[name] is not None}
    if not given or not shows_documents(item_kind(file.item_kind)):
        return file
    figures = msgspec.structs.replace(file.defaults, **given)
    changed = msgspec.structs.replace(file, defaults=figures)
    instruments.check(changed, name=file.name)
    return changed
