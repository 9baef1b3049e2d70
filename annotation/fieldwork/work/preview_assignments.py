"""Somebody at a task of a study, to show its pages; the study itself may not be made yet.

Nothing of it is in the database, and no row has its ids: what a page looks up of it is empty, as
it is of work that has just begun.
"""

from datetime import datetime

from annotation.models import Assignment, Batch, Study, Task, Worker
from annotation.studies.planning import NO_ROW

PLATFORM = "preview"  # of which no page says more


def imagined_task(study: Study) -> Task:
    """The first task of the first batch."""
    batch = Batch(pk=NO_ROW, study=study, number=1, name="main", state=Batch.State.OPEN)
    return Task(pk=NO_ROW, batch=batch, number=1, quota=1)


def imagined_work(task: Task, *, now: datetime) -> Assignment:
    """Work on a task, begun now."""
    return Assignment(
        pk=NO_ROW,
        task=task,
        study=task.batch.study,
        worker=Worker(pk=NO_ROW, platform=PLATFORM, pseudonym=PLATFORM),
        state=Assignment.State.ACTIVE,
        arrived_at=now,
        started_at=now,
        expires_at=now,
    )
