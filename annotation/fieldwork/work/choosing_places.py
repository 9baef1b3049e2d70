"""Places locked for a worker, and additional places for late work."""

from django.db import transaction
from django.db.models import F, QuerySet

from annotation.fieldwork.work.eligible_tasks import Eligibility
from annotation.models import Assignment, Batch, Place, Study, Task


def free_place(eligibility: Eligibility) -> Place:
    """Lock a free place of the earliest task that has one, so that tasks fill one by one."""
    free = (
        Place.objects.filter(assignment=None, task__in=eligibility.tasks)
        .order_by("task__batch__number", "task__number", "number")
        .select_related("task")
    )
    if (place := _lock_one(free)) is None:
        raise eligibility.nothing_free
    return place


def free_place_of(assignment: Assignment) -> Place | None:
    """Lock a free place of an assignment's task, as long as its batch is open."""
    return _lock_one(
        Place.objects.filter(
            task=assignment.task_id, assignment=None, task__batch__state=Batch.State.OPEN
        ).order_by("number")
    )


def _lock_one(free: QuerySet[Place]) -> Place | None:
    """Lock and return the first of these places that stays free; None if there is none.

    Places that another request is taking are skipped; if no other is left, wait for that request,
    which may fail.
    """
    place = _first_locked(free.select_for_update(of=("self",), skip_locked=True))
    while place is None and (first := free.values_list("pk", flat=True).first()) is not None:
        place = _first_locked(free.filter(pk=first).select_for_update(of=("self",)))
    return place


def _first_locked(places: QuerySet[Place]) -> Place | None:
    """Lock and return the first of these places.

    Where there is none, nothing stays locked: PostgreSQL keeps a row locked that it waited for and
    then found taken, and two requests would wait for each other.
    """
    with transaction.atomic():
        place = places.first()
        if place is None:
            transaction.set_rollback(True)  # of this savepoint
    return place


@transaction.atomic
def place_beyond(assignment: Assignment, *, wanted: bool = False) -> Place | None:
    """Add a place to the task of late work if the study does so or a person `wanted` it.

    The quota grows with it. None if no place is added, or the batch is not open.
    """
    by_study = assignment.study.late_work == Study.LateWork.ADD_PLACE
    if not wanted and (not by_study or assignment.worked_at is None):
        return None
    open_task = Task.objects.filter(pk=assignment.task_id, batch__state=Batch.State.OPEN)
    if not open_task.update(quota=F("quota") + 1):  # locks it until the place is there
        return None
    quota = open_task.values_list("quota", flat=True).get()
    return Place.objects.create(task_id=assignment.task_id, number=quota)
