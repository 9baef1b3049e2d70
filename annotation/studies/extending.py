"""More work for a study that has batches: further places, a pilot before the rest, other terms."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from annotation.models import Batch, Place, Task
from annotation.studies.batching import NotReady, locked
from annotation.studies.creating import RefusedSetting, next_batch

State = Batch.State
MOST_VOTES = 1000  # workers for a task; a slip of the keyboard costs no fortune


@transaction.atomic
def extend_batch(*, batch: Batch, votes: int, stamp: str | None = None) -> Batch:
    """Let so many more workers do each task of a batch that runs.

    Raises Changed, NotReady where it does not run (any more), RefusedSetting.
    """
    batch = locked(batch, stamp=stamp)
    if batch.state not in Batch.RUNNING:
        raise NotReady(
            "not_running",
            gettext("You can't extend {batch}: it is {state}.").format(
                batch=batch, state=batch.state
            ),
        )
    most = max(batch.tasks.values_list("quota", flat=True), default=0)
    if not 1 <= votes <= MOST_VOTES - most:
        raise RefusedSetting(
            "votes",
            votes,
            gettext("Enter a number from 1 to {most}.").format(most=MOST_VOTES - most),
        )
    tasks = list(batch.tasks.all())
    _add(tasks, {task.pk: task.quota + votes for task in tasks})
    return batch


@transaction.atomic
def set_terms(
    *, batch: Batch, pay: Decimal, minutes: int, votes: int, stamp: str | None = None
) -> Batch:
    """Say what one task of a planned batch pays, how long it takes, how many workers do each.

    Raises Changed, NotReady where it was opened, RefusedSetting.
    """
    batch = locked(batch, stamp=stamp)
    if batch.state != State.DRAFT:
        raise NotReady(
            "was_opened",
            gettext("Batch {batch} has already been opened.").format(batch=batch),
        )
    if not 1 <= votes <= MOST_VOTES:
        raise RefusedSetting(
            "votes",
            votes,
            gettext("Enter a number from 1 to {most}.").format(most=MOST_VOTES),
        )
    study = batch.study
    batch.pay = None if pay == study.pay else pay
    batch.minutes = None if minutes == study.minutes else minutes
    _check(batch)
    batch.save(update_fields=["pay", "minutes"])
    tasks = list(batch.tasks.all())
    # Nobody has been in a batch that was not opened, so no place that goes is held.
    Place.objects.filter(task__in=tasks, number__gt=votes).delete()
    _add(tasks, {task.pk: votes for task in tasks})
    return batch


def _check(batch: Batch) -> None:
    """Raise RefusedSetting with the first of pay and minutes that no batch can have."""
    others = {field.name for field in Batch._meta.fields} - {"pay", "minutes"}
    try:
        batch.clean_fields(exclude=others)
    except ValidationError as error:
        name, reasons = next(iter(error.message_dict.items()))
        raise RefusedSetting(name, getattr(batch, name), " ".join(reasons)) from error


def _add(tasks: list[Task], quotas: dict[int, int]) -> None:
    """Give each task its quota, and the places that it lacks."""
    Place.objects.bulk_create(
        (
            Place(task=task, number=number)
            for task in tasks
            for number in range(task.quota + 1, quotas[task.pk] + 1)
        ),
        batch_size=1000,
    )
    for quota in set(quotas.values()):
        of_quota = [pk for pk, wanted in quotas.items() if wanted == quota]
        Task.objects.filter(pk__in=of_quota).update(quota=quota)


@transaction.atomic
def split_pilot(*, batch: Batch, tasks: int) -> tuple[Batch, Batch]:
    """Cut a planned batch in two: a pilot of its first tasks, and the rest, which waits.

    Tasks are equal work in an order that was drawn, so the first are as good as any. Raises
    NotReady where it was opened, RefusedSetting where one of the two would be empty.
    """
    batch = locked(batch)
    if batch.state != State.DRAFT:
        raise NotReady(
            "was_opened", gettext("Batch {batch} has already been opened.").format(batch=batch)
        )
    tasks_in_batch = batch.tasks.count()
    if not 1 <= tasks < tasks_in_batch:
        raise RefusedSetting(
            "pilot",
            tasks,
            gettext("Enter a number from 1 to {most}.").format(most=tasks_in_batch - 1),
        )
    rest = next_batch(study=batch.study, name=batch.name)
    Batch.objects.filter(pk=rest.pk).update(
        design=batch.design, closes_when_full=batch.closes_when_full
    )
    first = batch.tasks.order_by("number").values_list("pk", flat=True)[:tasks]
    batch.tasks.exclude(pk__in=list(first)).update(batch=rest)
    Batch.objects.filter(pk=batch.pk).update(name="pilot")
    batch.refresh_from_db()
    rest.refresh_from_db()
    return batch, rest
