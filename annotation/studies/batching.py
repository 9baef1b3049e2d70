"""Launching a study; opening, filling and closing its batches."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from annotation import signals
from annotation.models import Assignment, Batch, Place, Study, Task
from annotation.recruiting.codes import missing_codes

State = Batch.State


class NotReady(ValueError):
    """A study or batch cannot be opened or closed as it is; the message says why."""


def add_places(*, tasks: list[Task]) -> None:
    """Make the places of new tasks: `quota` rows each."""
    Place.objects.bulk_create(
        (Place(task=task, number=n) for task in tasks for n in range(1, task.quota + 1)),
        batch_size=1000,
    )


@transaction.atomic
def open_batch(*, batch: Batch, now: datetime) -> Batch:
    """Let workers in. The first opened batch launches, and so freezes, the study."""
    if not batch.tasks.exists():
        raise NotReady(f"Batch {batch} has no tasks yet: design it first.")
    if "[Researcher:" in batch.study.consent:
        raise NotReady(
            "The consent text does not say yet who runs this study and where people can reach "
            "them: say it with --contact, or replace the sentence in brackets."
        )
    _check_onboarding(batch)
    if not Batch.objects.filter(pk=batch.pk, state=State.DRAFT).update(
        state=State.OPEN, opened_at=now
    ):
        raise NotReady(f"Batch {batch} was opened before.")
    codes = missing_codes(batch.study)
    Study.objects.filter(pk=batch.study_id, launched_at=None).update(launched_at=now, **codes)
    batch.refresh_from_db()
    return batch


@transaction.atomic
def launch(*, study: Study, now: datetime) -> Study:
    """Let workers into all draft batches of a study as they stand, newcomers' batches first.

    Raises NotReady; then none is open.
    """
    drafts = study.batches.filter(state=State.DRAFT).order_by("-onboarding", "number")
    if not drafts:
        raise NotReady(f"Study {study.slug} has no batch to open: design it first.")
    for batch in drafts:
        open_batch(batch=batch, now=now)
    study.refresh_from_db()
    return study


def _check_onboarding(batch: Batch) -> None:
    """Raise NotReady where newcomers would find no way in, or do onboarding for nothing."""
    needed = batch.study.onboarding_tasks
    if batch.onboarding and not needed:
        raise NotReady(f"Batch {batch} is for onboarding, but its study asks for none.")
    waves = batch.study.batches.filter(onboarding=True)
    if batch.onboarding and (offered := Task.objects.filter(batch__in=waves).count()) < needed:
        raise NotReady(
            f"The study asks for {needed} accepted onboarding tasks, but offers {offered}."
        )
    if needed and not batch.onboarding and not waves.exclude(state=State.DRAFT).exists():
        raise NotReady(f"Open the onboarding batch first: nobody could begin on {batch}.")


@transaction.atomic
def close_batch(*, batch: Batch, now: datetime) -> Batch:
    """Let nobody in any more. Those at work may finish. Listeners start the analysis."""
    if not _close(batch=batch, now=now):
        raise NotReady(f"Batch {batch} is not open, it is {batch.state}.")
    return batch


def _close(*, batch: Batch, now: datetime) -> bool:
    closed = Batch.objects.filter(pk=batch.pk, state=State.OPEN).update(
        state=State.CLOSED, closed_at=now
    )
    batch.refresh_from_db()
    if closed:
        signals.batch_closed.send(sender=Batch, batch=batch)
    return bool(closed)


def is_full(batch: Batch) -> bool:
    """Every place is held by submitted or accepted work."""
    done = Q(assignment__state__in=Assignment.COUNTING)
    return not Place.objects.filter(task__batch=batch).exclude(done).exists()


@transaction.atomic
def close_due(*, now: datetime) -> int:
    """Close the open batches whose date has come or which are full; return how many.

    Two last submissions at once do not see each other, so that neither closes the batch: this
    sweep does.
    """
    return sum(
        _close(batch=batch, now=now)
        for batch in Batch.objects.open().select_for_update(of=("self",))
        if (batch.closes_at and batch.closes_at <= now)
        or (batch.closes_when_full and is_full(batch))
    )


@receiver(signals.submitted)
def close_when_full(*, assignment: Assignment, **_: Any) -> None:
    """The last submission closes a batch that is to close when it is full."""
    batch = assignment.task.batch
    at = assignment.submitted_at
    if at and batch.state == State.OPEN and batch.closes_when_full and is_full(batch):
        _close(batch=batch, now=at)
