"""Inputs of the writing tables: texts, passages and logs of the scratch database. Only reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

import pandas as pd

from analysis.replication.cells import TableCells
from analysis.replication.judging_study import responses_of
from analysis.stats.text.prose import Prose, read_prose
from annotation.models import Corpus, Passage, Study
from annotation.studies.wages import hourly
from annotation.texts.words import count_pieces
from writing.log.eventlog import unpack
from writing.models import PackedLog
from writing.process.rhythm import active_seconds
from writing.studies.crowdrag_importing import STUDY

PAY, SPENT = 2.50, 2610.32  # dollars a response, and in all with pilots, fees and tax (3.1.5)


@dataclass(frozen=True)
class WritingStudy:
    """The writing study.

    responses, writers, topics: their numbers, the model's responses included. minutes: active time
    of each text, gaps capped at 20 s.
    """

    responses: int
    minutes: list[float]
    writers: int
    topics: int


def read() -> WritingStudy:
    """Read the writing study from the database."""
    study = Study.objects.get(slug=STUDY)
    logs = PackedLog.objects.filter(assignment__study=study).order_by("assignment")
    return WritingStudy(
        responses=study.corpus.responses.count(),
        minutes=[
            active_seconds(event.ms for event in unpack(bytes(data))) / 60
            for data in logs.values_list("data", flat=True).iterator()
        ],
        writers=study.assignments.values("worker").distinct().count(),
        topics=study.corpus.topics.count(),
    )


@dataclass(frozen=True)
class CorpusTexts:
    """Responses of a corpus, split into statements and citations.

    long: those of 50 words and more. every: all of them, as the paper takes them for its citations.
    keys: (topic, rank) -> id of the passage.
    """

    long: Prose
    every: Prose
    keys: Mapping[tuple[str, int], str]


def texts_of(corpus: Corpus) -> CorpusTexts:
    """Return the split responses. Raises CannotCompute if nothing is written."""
    passages, responses = _passages(corpus), responses_of(corpus)
    places = zip(passages["topic"], passages["rank"], strict=True)
    offered = passages[["topic", "rank", "text"]]
    return CorpusTexts(
        long=read_prose(responses, offered, count=count_pieces),
        every=read_prose(responses, offered, least_words=0, count=count_pieces),
        keys=dict(zip(places, passages["key"], strict=True)),
    )


def _passages(corpus: Corpus) -> pd.DataFrame:
    """Return topic, rank (1 for the best), text, key."""
    rows = Passage.objects.filter(topic__corpus=corpus).order_by("topic", "rank")
    passages = pd.DataFrame.from_records(
        rows.values_list("topic__key", "rank", "text", "key"),
        columns=["topic", "rank", "text", "key"],
    )
    # Within its topic, whether the corpus counts from 0 or from 1.
    passages["rank"] = passages.groupby("topic").cumcount() + 1
    return passages


def fill_counts(cells: TableCells, written: WritingStudy) -> None:
    """Fill in the writing half of table 1."""
    minutes = fmean(written.minutes)
    people = len(written.minutes)
    for name, value in (
        ("topics_written", written.topics),
        ("responses", written.responses),
        ("writers", written.writers),
        ("minutes_per_response", minutes),
        ("dollars_per_hour_writing", hourly(pay=PAY, minutes=minutes)),
        ("dollars_per_response", SPENT / people),
    ):
        cells.put("table1", name, value=value)
