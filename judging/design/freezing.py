"""The scores by which documents stand in view, copied when a study is made: nothing that happens
in the study that they are from changes this one."""

from collections.abc import Sequence

from django.db import transaction

from annotation.models import Study
from judging.design.scored import ANNOTATIONS, AT_LEAST, reached, source_of
from judging.instruments.copying import figures_of
from judging.instruments.files import InstrumentFile
from judging.models import DocumentReason, DocumentScore, Instrument


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
    rows = given.values_list("pk", "comment", "item__slots__passage")
    DocumentReason.objects.bulk_create(
        (
            DocumentReason(score=scores[passage], judgment_id=pk, text=text)
            for pk, text, passage in rows.iterator()
            if passage in scores and scores[passage].score >= at_least
        ),
        batch_size=1000,
    )
