"""`python manage.py create_writing_study SLUG`: a writing study, previewed first."""

from argparse import ArgumentParser
from typing import Any

import numpy as np
from django.core.management.base import CommandError

from annotation.management.study_command import StudyCommand, study_settings
from annotation.models import Batch, Corpus, Study, Topic
from writing import instruments
from writing.designing import NothingToWrite, create_study, write_tasks
from writing.instruments import BadInstrument


class Command(StudyCommand):
    help = (
        "Makes a writing study over the topics of a corpus that have passages: each topic in each "
        "style is a task. Without --write it shows counts, cost and wage and writes nothing; with "
        "--launch it opens the batch and prints the link for writers."
    )
    refusals = (BadInstrument, NothingToWrite)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--instrument", default="crowdrag-writing", choices=instruments.available()
        )
        parser.add_argument("--styles", nargs="+", help="some of the instrument's (all)")

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        instrument = instruments.load(options["instrument"])
        study = create_study(corpus=corpus, instrument=instrument, **study_settings(options))
        styles = options["styles"] or [each.style for each in instrument.styles]
        if unknown := set(styles) - {each.style for each in instrument.styles}:
            raise CommandError(f"--styles cannot be {', '.join(sorted(unknown))}.")
        topics = _topics(corpus, options["topics"], options["seed"])
        quota = options["quota"] or instrument.defaults.quota
        batch = write_tasks(study=study, topics=topics, styles=styles, quota=quota)
        self._preview(study, len(topics), len(styles), quota)
        return batch

    def _preview(self, study: Study, topics: int, styles: int, quota: int) -> None:
        texts = topics * styles * quota
        self.stdout.write(
            f"{topics} topics x {styles} styles x {quota} writers = {texts} texts of about "
            f"{study.brief.target_words} words"
        )
        self.stdout.write(
            f"pay {study.pay:.2f} = {float(study.pay) / study.minutes * 60:.2f} an hour at "
            f"{study.minutes} min; in all {study.pay * texts:.2f} without fees"
        )


def _topics(corpus: Corpus, n: int | None, seed: int) -> list[Topic]:
    """Topics with passages; n of them drawn by the seed. Raises CommandError."""
    topics = list(corpus.topics.filter(passages__isnull=False).distinct().order_by("pk"))
    if n is None:
        return topics
    if not 1 <= n <= len(topics):
        raise CommandError(f"--topics is {n}, but {len(topics)} topics have passages.")
    chosen = np.random.default_rng(seed).choice(len(topics), size=n, replace=False)
    return [topics[index] for index in sorted(chosen)]
