"""Places locked for a worker, and additional places for late work."""

from django.db import transaction
from django.db.models import BigIntegerField, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.fieldwork.work.eligible_tasks import Eligibility
from annotation.models import Assignment, Batch, Place, Study, Task

FEW_TASKS = 20  # in which a place is looked for if the first has none


def free_place(eligibility: Eligibility) -> Place:
    """Lock a free place of the earliest task that has one, so that tasks fill one by one.

    The tasks are read first. Joined with all places, PostgreSQL would compare each free place with
    each task as long as it takes their tables for empty: statistics come after a launch, and a
    vacuum during a long transaction writes that there are no rows.
    """
    tasks = eligible_tasks_with_places(eligibility)
    few = list(tasks[:FEW_TASKS])
    for some in (few[:1], few):
        places = _free_among(some).select_for_update(of=("self",), skip_locked=True)
        if some and (place := _first_locked(places)) is not None:
            return place
    # Other requests are taking them.
    if not few or (place := _lock_one(_free_among(list(tasks)))) is None:
        raise eligibility.nothing_free
    return place


def eligible_tasks_with_places(eligibility: Eligibility) -> QuerySet[Task, int]:
    """Return the ids of the worker's tasks with a free place, earliest first.

    A subquery with a limit is no join: it reads the places of one task, whatever the statistics.
    """
    free = _free().filter(task=OuterRef("pk")).order_by("number").values("pk")[:1]
    tasks = eligibility.tasks.annotate(place=Subquery(free)).filter(place__isnull=False)
    return tasks.order_by("batch__number", "number").values_list("pk", flat=True)


def _free_among(tasks: list[int]) -> QuerySet[Place]:
    """Return the free places of these tasks, in order, as long as their batch is open."""
    return (
        _free()
        .filter(task__in=tasks, task__batch__state=Batch.State.OPEN)
        .order_by("task__batch__number", "task__number", "number")
        .select_related("task")
    )


def _free() -> QuerySet[Place]:
    """Return free places, by a condition for which no index is taken but that of the task.

    The index of assignments has all free places under NULL.
    """
    return Place.objects.alias(
        taken=Coalesce("assignment", 0, output_field=BigIntegerField())
    ).filter(taken=0)


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
