"""Direct judgments of passages, from a study and from files imported with its corpus.

Only reads. Analyses compare grades on bank entries with these judgments.
"""

import json
from collections.abc import Iterator

import pandas as pd
from django.db.models import Count, Max, Sum

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.measures import Does, measures_of
from analysis.inputs.settings import PEOPLE
from annotation.models import Batch, Corpus, Study
from judging.models import ItemSlot, Judgment, Question
from judging.raters.cells import counted
from judging.raters.pools import EVERYBODY, Pool

COLUMNS = ("rater", "topic", "passage", "grade")
KIND = "passage"
Row = tuple[str, str, str, float]


def judged_passages(
    study: Study, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> pd.DataFrame:
    """Return one row per rater and passage, with the columns COLUMNS and whole-number grades.

    Participants are one rater together, by the mean of their grades, halves up; imported labels,
    experts and models are raters of their own, and so is each rater of a file of the corpus.
    """
    return _whole([*_of_study(study, batch, frozen), *_of_files(study.corpus)])


def judged_of_corpus(corpus: Corpus) -> pd.DataFrame:
    """Return the judgments by people in studies and files of a corpus; if none, those by models."""
    studies = Study.objects.filter(corpus=corpus, kind=Study.Kind.JUDGING).order_by("pk")
    rows: list[Row] = []
    for pool in (Pool("people"), Pool("models")):
        rows += [row for study in studies for row in _of_study(study, None, None, pool=pool)]
        rows += _of_files(corpus, pool=pool)
        if rows:
            break
    return _whole(rows)


def judged_fingerprint(corpus: Corpus) -> tuple[object, ...]:
    """Return numbers that change with the judgments of `judged_of_corpus`."""
    labels = tuple(corpus.labels.order_by("name").values_list("name", "created_at"))
    questions = Question.objects.filter(instrument__study__corpus=corpus, instrument__bank=None)
    asked = list(questions.values_list("pk", flat=True))
    rows = counted(Judgment.objects.filter(question__in=asked))
    numbers = rows.aggregate(n=Count("pk"), sum=Sum("pk"), at=Max("answered_at")) if asked else {}
    return (*labels, *numbers.values())


def _whole(rows: list[Row]) -> pd.DataFrame:
    """Return the mean per rater and passage, rounded half up."""
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    if frame.empty:
        return frame
    means = frame.groupby(list(COLUMNS[:3]))["grade"].mean()
    return ((means + 0.5) // 1).astype(int).reset_index()


def _of_study(
    study: Study, batch: Batch | None, frozen: FrozenWork | None, *, pool: Pool = EVERYBODY
) -> Iterator[Row]:
    """Yield judgments of the study's first question about single passages."""
    question = next(
        (
            measure.question
            for measure in measures_of(study, pool=PEOPLE)
            if measure.kind == KIND and measure.does == Does.SCORES
        ),
        None,
    )
    if question is None:
        return
    judgments = pool.judgments(study=study, batch=batch, frozen=frozen)
    rows = judgments.filter(question=question, item__kind=KIND, score__isnull=False)
    slots = ItemSlot.objects.filter(item__study=study, item__kind=KIND, name=KIND)
    keys = dict(slots.order_by().values_list("item", "passage__key"))
    for item, topic, rater, worker, score in rows.order_by("pk").values_list(
        "item", "item__topic__key", "rater__pseudonym", "rater__worker", "score"
    ):
        if item in keys and score is not None:
            yield PEOPLE if worker else rater, topic, keys[item], float(score)


def _of_files(corpus: Corpus, *, pool: Pool = EVERYBODY) -> Iterator[Row]:
    """Yield the passage grades in files of the corpus; a rater is a person unless a label says."""
    for labels in corpus.labels.order_by("name"):
        for line in labels.unpacked().splitlines():
            label = json.loads(line)
            topic, passage = label.get("topic"), label.get("passage")
            of_pool = "models" if label.get("kind") == "model" else "people"
            if pool.name not in ("", of_pool):
                continue
            if topic and passage and _is_whole(label.get("value")):
                rater = str(label.get("rater") or labels.name)
                yield rater, str(topic), str(passage), float(label["value"])


def _is_whole(value: object) -> bool:
    try:
        return float(str(value)) % 1 == 0
    except (ValueError, OverflowError):
        return False
