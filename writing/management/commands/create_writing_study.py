"""`python manage.py create_writing_study SLUG`: preview, create or launch a writing study."""

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import CommandError

from annotation.management.study_command import (
    StudyCommand,
    as_recruited,
    chosen_topics,
    study_settings,
)
from annotation.models import Batch, Corpus, Study
from annotation.studies.instruments import BadInstrument
from annotation.studies.wages import TaskTerms, careful_minutes, warnings, writing_minutes
from annotation.texts.plurals import counted
from writing.instruments import files as instruments
from writing.instruments.schema import WritingInstrument
from writing.studies.designing import (
    NothingToWrite,
    create_study,
    reading_minutes,
    styles_of,
    write_onboarding,
    write_tasks,
)
from writing.studies.topics import draw_topics, texts_to_accept


class Command(StudyCommand):
    help = (
        "Preview a writing study: tasks (one per topic and style), cost and hourly pay. Only "
        "topics with passages are used. Add --write to create a draft, or --launch to open the "
        "study and print the participant link."
    )
    refusals = (BadInstrument, NothingToWrite)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--instrument",
            default="crowdrag-writing",
            choices=instruments.available(),
            help="method (default: %(default)s)",
        )
        parser.add_argument(
            "--styles", nargs="+", help="styles of the method to use (default: all)"
        )
        parser.add_argument(
            "--passages",
            type=int,
            metavar="N",
            help="show writers the top N passages per topic (default: all)",
        )
        parser.add_argument(
            "--onboarding-topics",
            type=int,
            default=0,
            metavar="N",
            help="sample N additional topics for onboarding; newcomers write on them in one style "
            "and are reviewed before they get other tasks",
        )
        parser.add_argument(
            "--onboarding-writers",
            type=int,
            default=10,
            metavar="M",
            help="number of writers in onboarding (default: 10)",
        )
        parser.add_argument(
            "--onboarding-accepted",
            type=int,
            metavar="K",
            help="approved texts needed to pass (default: N)",
        )
        parser.epilog = (
            "Example: manage.py create_writing_study write-it --corpus mine --topics 2 --pay 4"
        )

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        loaded = instruments.load(options["instrument"], options["language"])
        instrument = _with_passages(as_recruited(loaded, options), options["passages"])
        first, writers = options["onboarding_topics"], options["onboarding_writers"]
        styles = styles_of(instrument, wanted=options["styles"])
        chosen = chosen_topics(corpus, options)
        drawn = draw_topics(
            corpus=corpus,
            seed=options["seed"],
            topics=options["topics"],
            onboarding_topics=first,
            chosen=chosen,
        )
        study = create_study(
            corpus=corpus,
            instrument=instrument,
            onboarding_tasks=texts_to_accept(
                onboarding_topics=first, accepted=options["onboarding_accepted"]
            ),
            **study_settings(options),
        )
        if first:
            write_onboarding(study=study, topics=drawn.onboarding, styles=styles, writers=writers)
            self._preview(study, f"onboarding: {counted(first, 'topic')}", first, writers)
        quota = options["quota"] or instrument.defaults.quota
        batch = write_tasks(
            study=study, topics=drawn.main, styles=styles, quota=quota, chosen_topics=chosen
        )
        counts = f"{counted(len(drawn.main), 'topic')} x {counted(len(styles), 'style')}"
        self._preview(study, counts, len(drawn.main) * len(styles), quota)
        reading = reading_minutes(drawn.main, shown=instrument.passages)
        writing = writing_minutes(instrument.target_words)
        expected = TaskTerms(
            pay=float(study.pay),
            minutes=study.minutes,
            careful=careful_minutes(reading=reading, writing=writing),
            target=float(study.hourly_wage),
            currency=study.currency,
        )
        self.stdout.write(
            f"pay {expected.pay:.2f} per text, expected {expected.wage or 0:.2f} an hour at "
            f"{expected.honest} min"
        )
        for line in warnings(expected, reading=reading, writing=writing):
            self.stdout.write(line)
        return batch

    def _preview(self, study: Study, counts: str, tasks: int, writers: int) -> None:
        texts = tasks * writers
        self.stdout.write(
            f"{counts} x {counted(writers, 'writer')} = {counted(texts, 'text')} of about "
            f"{study.brief.target_words} "
            f"words; total {study.pay * texts:.2f} without fees"
        )


def _with_passages(instrument: WritingInstrument, shown: int | None) -> WritingInstrument:
    """Return the instrument with this number of passages. Raises CommandError."""
    if shown is None:
        return instrument
    if shown < 1:
        raise CommandError("--passages must be at least 1.")
    return msgspec.structs.replace(instrument, passages=shown)
