"""`python manage.py create_study SLUG`: a judging study from instruments, previewed first."""

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
        parser.add_argument(
            "--arms",
            action="store_true",
            help="give each worker one of the instruments, drawn at random",
        )
        parser.add_argument(
            "--documents-scored-at-least",
            type=int,
            metavar="SCORE",
            help="beside two texts, put documents in view that have this score or more",
        )
        parser.add_argument(
            "--documents-scored-in",
            metavar="STUDY/VERSION",
            help="the study on the same corpus in which passages were scored",
        )
        parser.add_argument(
            "--documents-scored-on", metavar="QUESTION", help="of that study (its first)"
        )
        parser.add_argument(
            "--documents-scored-by", metavar="POOL", help="or a rater by name (people)"
        )
        parser.add_argument(
            "--documents-annotations",
            choices=("hidden", "shown"),
            help="whether people read that score, and its reasons, beside the document (hidden)",
        )
        parser.add_argument(
            "--system",
            action="append",
            metavar="KEY",
            help="only texts of this system are judged; may be given several times (all of the "
            "corpus; origin:human and origin:llm are texts of no system)",
        )
        parser.add_argument("--rounds", type=int, help="blocks that each text stands in")

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        if not options["instrument"]:
            raise CommandError("Say how it is judged: --instrument.")
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
            f"The corpus {corpus.slug!r} has no texts of {', '.join(map(repr, unknown))}; it has "
            f"some of {', '.join(keys) or 'no system'}."
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
