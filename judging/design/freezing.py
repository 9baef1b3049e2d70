"""The scores by which documents stand in view, copied when a study is made: nothing that happens
in the study that they are from changes this one."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Study, Worker
from judging.design.document_scores import ANNOTATIONS, AT_LEAST, reached, source_of
from judging.instruments.copying import figures_of
from judging.instruments.files import InstrumentFile
from judging.models import DocumentReason, DocumentScore, Instrument, Judgment, Rater


@transaction.atomic
def freeze_scores(*, study: Study, files: Sequence[InstrumentFile]) -> None:
    """Give the instruments of a study the scores that they ask for, and the reasons that stood
    beside them where people are to read these. Raises NoScores."""
    instruments = {each.key: each for each in study.instruments.all()}
    for file in files:
        _freeze(instruments[file.name], file)


def _freeze(instrument: Instrument, file: InstrumentFile) -> None:
    figures = figures_of(file)
    source = source_of(figures, corpus=instrument.study.corpus)
    if source is None:
        return
    labels, at_least = source.label_of, figures[AT_LEAST]
    scores = {
        each.passage_id: each
        for each in DocumentScore.objects.bulk_create(
            (
                DocumentScore(
                    instrument=instrument,
                    passage_id=passage,
                    score=score,
                    label=labels.get(score, ""),
                )
                for passage, score in reached(source, at_least=at_least).items()
            ),
            batch_size=1000,
        )
    }
    if figures[ANNOTATIONS] != "shown":
        return
    given = source.judgments.exclude(comment="").order_by("pk")
    _hold_raters(given)
    rows = given.values_list("pk", "comment", "item__slots__passage")
    DocumentReason.objects.bulk_create(
        (
            DocumentReason(score=scores[passage], judgment_id=pk, text=text)
            for pk, text, passage in rows.iterator()
            if passage in scores and scores[passage].score >= at_least
        ),
        batch_size=1000,
    )


def _hold_raters(given: "QuerySet[Judgment]") -> None:
    """Nobody withdraws, and no label is taken out, until the launch is over: a reason whose answer
    is erased meanwhile could not be kept, and one that comes after its erasure would stay.

    Withdrawing locks the worker first (`assigning.withdraw`), taking out the rater; in the order of
    their ids, as everywhere.
    """
    people = given.order_by().values("assignment__worker").distinct()
    raters = given.filter(assignment=None).order_by().values("rater").distinct()
    for held in (Worker.objects.filter(pk__in=people), Rater.objects.filter(pk__in=raters)):
        list(held.order_by("pk").select_for_update(no_key=True).values_list("pk"))
