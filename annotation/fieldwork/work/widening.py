"""A further place on a task, for work that came late where the study keeps all of it, or a person
wants this."""

from django.db import transaction
from django.db.models import F

from annotation.models import Assignment, Batch, Place, Study, Task


@transaction.atomic
def place_beyond(assignment: Assignment, *, wanted: bool = False) -> Place | None:
    """Add a place to the task of work that was begun, if its study does so or a person `wanted`
    it; None if not, and where the batch is not open.

    The quota grows with it, so that there are as many places as it says.
    """
    by_study = assignment.study.late_work == Study.LateWork.ADD_PLACE
    if not wanted and (not by_study or assignment.worked_at is None):
        return None
    open_task = Task.objects.filter(pk=assignment.task_id, batch__state=Batch.State.OPEN)
    if not open_task.update(quota=F("quota") + 1):  # locks it until the place is there
        return None
    quota = open_task.values_list("quota", flat=True).get()
    return Place.objects.create(task_id=assignment.task_id, number=quota)
