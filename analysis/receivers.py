"""Closing a batch starts its analysis."""

from typing import Any

from django.dispatch import receiver

from analysis.tasks import analyse_study
from annotation import jobs, signals
from annotation.models import Batch


@receiver(signals.batch_closed)
def start_analysis(*, batch: Batch, **_: Any) -> None:
    """Enqueue once the closing is committed; the sweep does it where the broker is away."""
    jobs.send_after_commit(analyse_study, batch.study_id)
