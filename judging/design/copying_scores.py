"""Copying the scores of documents in view when a study is made, against later changes."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Study, Worker
from judging.design.document_scores import ANNOTATIONS, AT_LEAST, reached, source_of
from judging.instruments.copying import figures_of
from judging.instruments.schema import InstrumentFile
from judging.models import DocumentReason, DocumentScore, Instrument, Judgment, Rater


@transaction.atomic
def freeze_scores(*, study: Study, files: Sequence[InstrumentFile]) -> None:
    """Copy the scores that the instruments use, and the reasons if people read them.

    Raises NoScores.
    """
    instruments = {instrument.key: instrument for instrument in study.instruments.all()}
    for file in files:
        _freeze(instruments[file.name], file)


def _freeze(instrument: Instrument, file: InstrumentFile) -> None:
    figures = figures_of(file)
    source = source_of(figures, corpus=instrument.study.corpus)
    if source is None:
        return
    labels, at_least = source.label_of, figures[AT_LEAST]
    scores = {
        written.passage_id: written
        for written in DocumentScore.objects.bulk_create(
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
    judgments = source.judgments.exclude(comment="").order_by("pk")
    _hold_raters(judgments)
    rows = judgments.values_list("pk", "comment", "item__slots__passage")
    DocumentReason.objects.bulk_create(
        (
            DocumentReason(score=scores[passage], judgment_id=pk, text=text)
            for pk, text, passage in rows.iterator()
            if passage in scores and scores[passage].score >= at_least
        ),
        batch_size=1000,
    )


def _hold_raters(given: "QuerySet[Judgment]") -> None:
    """Lock the raters until the launch is over: no reason may be erased meanwhile.

    Withdrawing locks the worker first (`assigning.withdraw`), removing labels the rater; in the
    order of their ids, as everywhere.
    """
    people = given.order_by().values("assignment__worker").distinct()
    raters = given.filter(assignment=None).order_by().values("rater").distinct()
    for held in (Worker.objects.filter(pk__in=people), Rater.objects.filter(pk__in=raters)):
        list(held.order_by("pk").select_for_update(no_key=True).values_list("pk"))
