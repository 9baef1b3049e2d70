"""Closing a batch starts its analysis."""

from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from analysis.tasks import analyse_study
from annotation import signals
from annotation.models import Batch


@receiver(signals.batch_closed)
def start_analysis(*, batch: Batch, **_: Any) -> None:
    """Enqueue once the closing is committed; the sweep does it where the broker is away."""
    transaction.on_commit(partial(analyse_study.delay, batch.study_id), robust=True)
