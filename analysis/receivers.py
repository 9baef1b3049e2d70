"""Closing a batch starts its analysis; a withdrawal starts it again, without that person."""

from typing import Any

from django.dispatch import receiver

from analysis.runs import renewing
from analysis.tasks import analyse_study, renew_study
from annotation import jobs, signals
from annotation.models import Assignment, Batch


@receiver(signals.batch_closed)
def start_analysis(*, batch: Batch, **_: Any) -> None:
    """Enqueue once the closing is committed; the sweep does it where the broker is away."""
    jobs.send_after_commit(analyse_study, batch.study_id)


@receiver(signals.withdrawn)
def renew_analyses(*, assignment: Assignment, **_: Any) -> None:
    """Mark what counts the worker now; a worker analyses without them, or else the sweep."""
    if renewing.overtake(assignment=assignment):
        jobs.send_after_commit(renew_study, assignment.study_id)
