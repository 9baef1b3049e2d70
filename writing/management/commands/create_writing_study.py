"""`python manage.py create_writing_study SLUG`: a writing study, previewed first."""

from argparse import ArgumentParser
from typing import Any

import numpy as np
from django.core.management.base import CommandError

from annotation.management.study_command import StudyCommand, study_settings
from annotation.models import Batch, Corpus, Study, Topic
from annotation.studies.instruments import BadInstrument
from annotation.studies.wages import hourly, warnings
from annotation.work.allocation import generator
from writing.instruments import files as instruments
from writing.studies.designing import (
    NothingToWrite,
    create_study,
    reading_minutes,
    write_onboarding,
    write_tasks,
)


class Command(StudyCommand):
    help = (
        "Makes a writing study over the topics of a corpus that have passages: each topic in each "
        "style is a task. Without --write it shows counts, cost and wage and writes nothing; with "
        "--launch it opens the batches and prints the link for writers."
    )
    refusals = (BadInstrument, NothingToWrite)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--instrument", default="crowdrag-writing", choices=instruments.available()
        )
        parser.add_argument("--styles", nargs="+", help="some of the instrument's (all)")
        parser.add_argument(
            "--onboarding-topics",
            type=int,
            default=0,
            metavar="N",
            help="draw N further topics that newcomers write on first, each in one style, and "
            "have reviewed before they get other tasks",
        )
        parser.add_argument(
            "--onboarding-writers", type=int, default=10, metavar="M", help="how many can try (10)"
        )
        parser.add_argument(
            "--onboarding-accepted", type=int, metavar="K", help="texts to be accepted (all N)"
        )

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        instrument = instruments.load(options["instrument"])
        needed = _onboarding_tasks(options)
        study = create_study(
            corpus=corpus,
            instrument=instrument,
            onboarding_tasks=needed,
            **study_settings(options),
        )
        styles = options["styles"] or [each.style for each in instrument.styles]
        if unknown := set(styles) - {each.style for each in instrument.styles}:
            raise CommandError(f"--styles cannot be {', '.join(sorted(unknown))}.")
        first, topics = _topics(corpus, options)
        if first:
            writers = options["onboarding_writers"]
            write_onboarding(study=study, topics=first, styles=styles, writers=writers)
            self._preview(study, f"onboarding: {len(first)} topics", len(first), writers)
        quota = options["quota"] or instrument.defaults.quota
        batch = write_tasks(study=study, topics=topics, styles=styles, quota=quota)
        counts = f"{len(topics)} topics x {len(styles)} styles"
        self._preview(study, counts, len(topics) * len(styles), quota)
        pay = float(study.pay)
        self.stdout.write(
            f"a text pays {pay:.2f}, an expected wage of "
            f"{hourly(pay=pay, minutes=study.minutes) or 0:.2f} an hour at {study.minutes} min"
        )
        reading, target = reading_minutes(topics), float(study.hourly_wage)
        for line in warnings(reading=reading, minutes=study.minutes, pay=pay, target=target):
            self.stdout.write(line)
        return batch

    def _preview(self, study: Study, counts: str, tasks: int, writers: int) -> None:
        texts = tasks * writers
        self.stdout.write(
            f"{counts} x {writers} writers = {texts} texts of about {study.brief.target_words} "
            f"words; in all {study.pay * texts:.2f} without fees"
        )


def _onboarding_tasks(options: dict[str, Any]) -> int:
    """How many texts of the onboarding have to be accepted. Raises CommandError."""
    topics, accepted = options["onboarding_topics"], options["onboarding_accepted"]
    if topics < 0 or options["onboarding_writers"] < 1:
        raise CommandError("--onboarding-topics and --onboarding-writers count from 1.")
    if accepted is None:
        return int(topics)
    if not 1 <= accepted <= topics:
        raise CommandError(f"--onboarding-accepted is {accepted}, of {topics} onboarding topics.")
    return int(accepted)


def _topics(corpus: Corpus, options: dict[str, Any]) -> tuple[list[Topic], list[Topic]]:
    """Topics with passages, drawn by the seed: of the onboarding, and others for all else.

    Raises CommandError.
    """
    seed, n, first = options["seed"], options["topics"], options["onboarding_topics"]
    topics = list(corpus.topics.filter(passages__isnull=False).distinct().order_by("pk"))
    if first >= len(topics) > 0:
        raise CommandError(
            f"--onboarding-topics is {first}, but {len(topics)} topics have passages."
        )
    onboarding = [topics[at] for at in generator("onboarding", seed).permutation(len(topics))]
    onboarding = onboarding[:first]
    left = [topic for topic in topics if topic not in onboarding]
    if n is None:
        return onboarding, left
    if not 1 <= n <= len(left):
        besides = f" besides the {first} of the onboarding" if first else ""
        raise CommandError(f"--topics is {n}, but {len(left)} topics have passages{besides}.")
    chosen = np.random.default_rng(seed).choice(len(left), size=n, replace=False)
    return onboarding, [left[index] for index in sorted(chosen)]
