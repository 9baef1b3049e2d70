"""Structured summaries as frames: what they are made of, and which are degraded copies. Only reads.

| column of `parts` | meaning |
|---|---|
| response, topic | keys |
| line, kind | of the part: overview, section, heading, statement |
| section | the line of the section that it stands in; 0 for none |
| cites | how many documents it cites |
| characters | its length |
"""

import hashlib
from collections.abc import Sequence

import pandas as pd
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Length

from analysis.inputs.frames import digest_of, votes
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.machine_calls import MODELS, measure_of_models, votes_of_machines
from analysis.inputs.measures import Measure
from analysis.inputs.summaries import part_of
from analysis.stats.labels.worker_copies import counted_once
from annotation.models import Batch, Response, Segment, Study
from judging.models import ItemSlot, Rater

PARTS = ("response", "topic", "line", "kind", "section", "cites", "characters")
COPIES = ("response", "topic", "copy_of", "without")


def _summaries_of(study: Study, frozen: FrozenWork) -> "QuerySet[Response]":
    """Return the originals that items show, whole, in parts or as copies."""
    slots = ItemSlot.objects.filter(item__study=study, item__check_of=None)
    if frozen.items is not None:
        slots = slots.filter(item__lte=frozen.items)
    whole = slots.filter(response__isnull=False).values("response")
    in_parts = slots.filter(segment__isnull=False).values("segment__response")
    shown = Response.objects.filter(Q(pk__in=whole) | Q(pk__in=in_parts))
    originals = Q(pk__in=shown) | Q(pk__in=shown.values("copy_of"))
    return Response.objects.filter(originals, copy_of=None)


def parts(study: Study, frozen: FrozenWork) -> pd.DataFrame:
    """Return one row for each part of the originals not withdrawn, by response and line."""
    rows = Segment.objects.filter(response__in=_summaries_of(study, frozen))
    rows = rows.exclude(response__text="").exclude(kind=Segment.Kind.DOCUMENTS)
    frame = pd.DataFrame.from_records(
        rows.annotate(cites=Count("cited"), characters=Length("text"))
        .order_by("response", "line")
        .values_list(
            "response__key", "response__topic__key", "line", "kind", "parent__line", "cites",
            "characters",
        ),
        columns=list(PARTS),
    )  # fmt: skip
    return frame.assign(section=frame["section"].fillna(0).astype(int))


def copies(study: Study, frozen: FrozenWork) -> pd.DataFrame:
    """Return one row for each degraded copy: its key, that of its original, and what it lacks."""
    rows = Response.objects.filter(copy_of__in=_summaries_of(study, frozen)).order_by("pk")
    return pd.DataFrame.from_records(
        rows.values_list("key", "topic__key", "copy_of__key", "without"), columns=list(COPIES)
    )


def labels_of_models(
    study: Study, measures: Sequence[Measure], batch: Batch | None, frozen: FrozenWork
) -> pd.DataFrame:
    """Return the labels of parts by models; none beside labels that are theirs."""
    frames_of = [
        votes_of_machines(study=study, measure=measure, batch=batch, frozen=frozen)
        for measure in _labelled_by_models(measures)
    ]
    kept = [frame for frame in frames_of if len(frame)]
    return pd.concat(kept, ignore_index=True) if kept else pd.DataFrame(columns=["question"])


def repeated_labels(
    study: Study, measures: Sequence[Measure], batch: Batch | None, frozen: FrozenWork
) -> int:
    """Return the number of labels that `labels_of_models` leaves out: those in a second order."""
    rows = [
        votes(study=study, measure=measure_of_models(measure), batch=batch, frozen=frozen)
        for measure in _labelled_by_models(measures)
    ]
    return sum(len(frame) - len(counted_once(frame)) for frame in rows)


def _labelled_by_models(measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures of parts; none if the labels themselves are a model's."""
    part_measures = [measure for measure in measures if part_of(measure)]
    models = Rater.objects.filter(kind=Rater.Kind.MODEL)
    pools = {measure.pool for measure in part_measures}
    if MODELS in pools or models.filter(pseudonym__in=pools).exists():
        return []
    return part_measures


def digest(study: Study, frozen: FrozenWork) -> str:
    """Return the SHA-256 (hex) of both frames."""
    both = (digest_of(parts(study, frozen)), digest_of(copies(study, frozen)))
    return hashlib.sha256(" ".join(both).encode()).hexdigest()
