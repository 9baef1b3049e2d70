"""The texts of a study, their passages, and how they were written, as frames. Only reads.

Texts are the responses that a judging study shows, or those that a writing study has accepted and
those of its LLM authors, in the whole study or one batch.
"""

import hashlib
from collections.abc import Sequence

import pandas as pd
from django.db.models import Q, QuerySet

from analysis.inputs.frozen_work import FrozenWork, written_by_models
from analysis.inputs.measures import Measure
from annotation.models import Assignment, Batch, Passage, Ranking, Response, Study
from judging.models import ItemSlot
from judging.raters.pools import Pool
from writing.models import Brief, ProcessRecord


def responses_of(
    study: Study, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> "QuerySet[Response]":
    """Return the responses of a study; those of `frozen` work, whatever its state is now."""
    if study.kind == Study.Kind.WRITING:
        if frozen is not None:
            people = Q(writing__assignment__in=frozen.accepted)
            return Response.objects.filter(people | Q(pk__in=frozen.texts))
        accepted = Assignment.objects.filter(study=study, state=Assignment.State.ACCEPTED)
        if batch is not None:
            accepted = accepted.filter(task__batch=batch)
        models = written_by_models(study, batch)
        return Response.objects.filter(
            Q(writing__assignment__in=accepted) | Q(pk__in=models.values("pk"))
        )
    shown = ItemSlot.objects.filter(item__study=study, item__check_of=None, response__isnull=False)
    if batch is not None:
        shown = shown.filter(item__task_items__task__batch=batch)
    if frozen is not None and frozen.items is not None:
        shown = shown.filter(item__lte=frozen.items)  # a later batch may have added items
    return Response.objects.filter(pk__in=shown.values("response"))


def texts(
    study: Study, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> pd.DataFrame:
    """Return one row for each text not withdrawn.

    Columns: response, topic (keys), style, origin, text, marks (texts.citations.Marks; None in a
    text of our editor).
    """
    return pd.DataFrame.from_records(
        responses_of(study, batch, frozen)
        .exclude(text="")
        .order_by("key")
        .values_list("key", "topic__key", "style", "origin", "text", "marks"),
        columns=["response", "topic", "style", "origin", "text", "marks"],
    )


def passages(
    study: Study, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> pd.DataFrame:
    """Return one row for each passage of the topics of the texts: topic (key), rank (from 1), text.

    Of a topic whose writers saw only the best few passages, these are returned.
    """
    topics = responses_of(study, batch, frozen).values("topic")
    frame = pd.DataFrame.from_records(
        Passage.objects.filter(topic__in=topics)
        .order_by("topic__key", "rank")
        .values_list("topic__key", "rank", "text"),
        columns=["topic", "rank", "text"],
    )
    shown = Brief.objects.filter(study=study).values_list("passages", flat=True).first()
    return frame if shown is None else frame.groupby("topic").head(shown)


def rankings(
    study: Study,
    measures: Sequence[Measure],
    batch: Batch | None = None,
    frozen: FrozenWork | None = None,
) -> pd.DataFrame:
    """Return one row for each system and passage of a topic that has votes on these measures.

    Columns: system, topic, passage (keys), rank (from 1).
    """
    topics = [
        Pool(measure.pool)
        .judgments(study=study, batch=batch, frozen=frozen)
        .filter(question=measure.question, item__kind=measure.kind)
        .order_by()
        .values_list("item__topic", flat=True)
        .distinct()
        for measure in measures
    ]
    rows = Ranking.objects.filter(topic__in={topic for judged in topics for topic in judged})
    return pd.DataFrame.from_records(
        rows.order_by("pk").values_list("system__key", "topic__key", "passage__key", "rank"),
        columns=["system", "topic", "passage", "rank"],
    )


def digest(frame: pd.DataFrame) -> str:
    """Return the SHA-256 (hex) of keys and texts."""
    sha = hashlib.sha256()
    for response, text in zip(frame["response"], frame["text"], strict=True):
        sha.update(f"{response}\x00{text}\x00".encode())
    return sha.hexdigest()


def processes(
    study: Study, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> pd.DataFrame:
    """Return one row for each submitted and measured text: assignment, style, measures."""
    counting = Assignment.objects.counting().filter(study=study)
    if batch is not None:
        counting = counting.filter(task__batch=batch)
    if frozen is not None:
        counting = Assignment.objects.filter(pk__in=frozen.counting)
    records = ProcessRecord.objects.filter(writing__assignment__in=counting, fault="")
    rows = [
        {"assignment": assignment, "style": style}
        | {name: value for name, (value, _) in values.items()}
        for assignment, style, values in records.order_by("writing__assignment").values_list(
            "writing__assignment", "writing__assignment__task__writing_task__style", "values"
        )
    ]
    return pd.DataFrame(rows, columns=None if rows else ["assignment", "style"])
