"""Launching a study; opening, pausing, filling and closing its batches.

Of two requests at once the slower one gets a clear answer: every change of state is an UPDATE
guarded by the state it starts from, and who has looked at a batch before (its `stamp`) changes it
only as it was then.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.dispatch import receiver
from django.utils.translation import gettext

from annotation import signals
from annotation.bulk_inserting import insert_all
from annotation.models import Assignment, Batch, Place, Study, Task, TaskExposure
from annotation.studies.completion_codes import missing_codes
from annotation.texts.coded_errors import CodedError

State = Batch.State


class NotReady(CodedError):
    """A study or batch cannot be opened or closed as it is; the message says why."""


class BatchChanged(NotReady):
    """The batch is no longer as it was when what is to be done was looked at."""

    def __init__(self) -> None:
        super().__init__(
            "batch_changed",
            gettext("This batch changed. Check it again."),
        )


def stamp_of(batch: Batch) -> str:
    """Return a stamp of the state, places, pay and minutes of a batch, and of the batch count."""
    places = Place.objects.filter(task__batch=batch).count()
    others = Batch.objects.filter(study=batch.study_id).count()
    return f"{batch.state}.{places}.{batch.pay}.{batch.minutes}.{others}"


def locked(batch: Batch, *, stamp: str | None = None) -> Batch:
    """Lock the study, then the batch, and return the batch. Raises Changed."""
    Study.every.select_for_update(no_key=True).get(pk=batch.study_id)
    rows = Batch.objects.select_for_update(of=("self",), no_key=True).select_related("study")
    batch.refresh_from_db(from_queryset=rows)
    if stamp is not None and stamp != stamp_of(batch):
        raise BatchChanged
    return batch


def add_places(*, tasks: list[Task]) -> None:
    """Make the places of new tasks: `quota` rows each."""
    insert_all(Place(task=task, number=n) for task in tasks for n in range(1, task.quota + 1))


@transaction.atomic
def open_batch(*, batch: Batch, now: datetime, stamp: str | None = None) -> Batch:
    """Let workers in. The first opened batch launches, and so freezes, the study."""
    locked(batch, stamp=stamp)
    if not batch.tasks.exists():
        raise NotReady(
            "no_tasks",
            gettext("Batch {batch} has no tasks yet.").format(batch=batch),
        )
    if "[Researcher:" in batch.study.consent:
        raise NotReady(
            "no_contact",
            gettext(
                "The consent text doesn't contain your contact details. Use --contact, or replace "
                "the brackets."
            ),
        )
    _check_onboarding(batch)
    _check_terms(batch)
    if not Batch.objects.filter(pk=batch.pk, state=State.DRAFT).update(
        state=State.OPEN, opened_at=now
    ):
        raise NotReady(
            "was_opened", gettext("Batch {batch} has already been opened.").format(batch=batch)
        )
    codes = missing_codes(batch.study)
    Study.every.filter(pk=batch.study_id, launched_at=None).update(launched_at=now, **codes)
    signals.opened.send(sender=Batch, batch=batch)
    transaction.on_commit(_count_rows, robust=True)
    batch.refresh_from_db()
    return batch


def _count_rows() -> None:
    """Let PostgreSQL count the tables of a claim, before it plans one.

    While the rows of a batch are not committed, an autovacuum finds none and writes so. Until the
    next one, plans would compare each place with each task.
    """
    if connection.vendor == "postgresql":
        tables = (model._meta.db_table for model in (Task, Place, TaskExposure, Task.shows.through))
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(tables)}")


@transaction.atomic
def launch(*, study: Study, now: datetime, waiting: Collection[Batch] = ()) -> Study:
    """Open all draft batches except the `waiting` ones, onboarding first.

    Raises NotReady; then none is open.
    """
    drafts = study.batches.filter(state=State.DRAFT).exclude(pk__in=[batch.pk for batch in waiting])
    drafts = drafts.order_by("-onboarding", "number")
    if not drafts:
        raise NotReady(
            "no_batch",
            gettext("Study {slug} has no batch to open.").format(slug=study.slug),
        )
    for batch in drafts:
        open_batch(batch=batch, now=now)
    study.refresh_from_db()
    return study


def _check_onboarding(batch: Batch) -> None:
    """Raise NotReady where newcomers would find no way in, or do onboarding for nothing."""
    needed = batch.study.onboarding_tasks
    if batch.onboarding and not needed:
        raise NotReady(
            "no_onboarding",
            gettext("Batch {batch} is for onboarding, but the study has no onboarding.").format(
                batch=batch
            ),
        )
    waves = batch.study.batches.filter(onboarding=True)
    if batch.onboarding and (offered := Task.objects.filter(batch__in=waves).count()) < needed:
        raise NotReady(
            "few_onboarding_tasks",
            gettext(
                "Participants need {needed} approved onboarding tasks, but there are only "
                "{offered}."
            ).format(needed=needed, offered=offered),
        )
    if needed and not batch.onboarding and not waves.exclude(state=State.DRAFT).exists():
        raise NotReady(
            "onboarding_first",
            gettext("Open the onboarding batch before {batch}.").format(batch=batch),
        )


def _check_terms(batch: Batch) -> None:
    """Raise NotReady where open batches would differ in pay or minutes."""
    study = batch.study
    for other in study.batches.open().exclude(pk=batch.pk):
        if other.terms_in(study) != batch.terms_in(study):
            pay, minutes = other.terms_in(study)
            raise NotReady(
                "other_terms",
                gettext(
                    "Open batches must pay the same. Pause or close {name} first ({pay:.2f} "
                    "{currency} for {minutes} min)."
                ).format(name=other.name, pay=pay, currency=study.currency, minutes=minutes),
            )


@transaction.atomic
def pause_batch(*, batch: Batch, stamp: str | None = None) -> Batch:
    """Let nobody begin for a while. Those at work keep their places and may finish."""
    locked(batch, stamp=stamp)
    return _move(batch, State.OPEN, State.PAUSED)


@transaction.atomic
def resume_batch(*, batch: Batch, stamp: str | None = None) -> Batch:
    """Let people begin again."""
    locked(batch, stamp=stamp)
    _check_terms(batch)
    return _move(batch, State.PAUSED, State.OPEN)


def _move(batch: Batch, source: Batch.State, target: Batch.State) -> Batch:
    moved = Batch.objects.filter(pk=batch.pk, state=source).update(state=target)
    batch.refresh_from_db()
    if not moved:
        raise NotReady(
            "wrong_state",
            gettext("Batch {batch} is {state} but must be {source}.").format(
                batch=batch, source=source, state=batch.state
            ),
        )
    return batch


@transaction.atomic
def close_batch(*, batch: Batch, now: datetime, stamp: str | None = None) -> Batch:
    """Let nobody in any more. Those at work may finish. Listeners start the analysis."""
    locked(batch, stamp=stamp)
    if not _close(batch=batch, now=now):
        raise NotReady(
            "not_open",
            gettext("Batch {batch} is {state} but must be open.").format(
                batch=batch, state=batch.state
            ),
        )
    return batch


def _close(*, batch: Batch, now: datetime) -> bool:
    closed = Batch.objects.filter(pk=batch.pk, state__in=Batch.RUNNING).update(
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
    """Close the batches whose date has come or which are full; return how many.

    Two last submissions at once do not see each other, so that neither closes the batch: this
    sweep does.
    """
    return sum(
        _close(batch=batch, now=now)
        for batch in Batch.objects.running().select_for_update(of=("self",))
        if (batch.closes_at and batch.closes_at <= now)
        or (batch.closes_when_full and is_full(batch))
    )


@receiver(signals.submitted)
def close_when_full(*, assignment: Assignment, **_: Any) -> None:
    """Close a batch at its last submission if it should close when full.

    A full batch is checked again under a lock, because places may be added at the same time.
    """
    batch = assignment.task.batch
    at = assignment.submitted_at
    if at and batch.state in Batch.RUNNING and batch.closes_when_full and is_full(batch):
        batch = locked(batch)
        if is_full(batch):
            _close(batch=batch, now=at)
