"""Unsaved assignments, to preview the pages of a study that may not be made yet.

No row has their IDs: related objects are empty, as for work that has just begun.
"""

from datetime import datetime

from annotation.models import Assignment, Batch, Study, Task, Worker
from annotation.studies.creating import NO_ROW

PLATFORM = "preview"  # of which no page says more


def imagined_task(study: Study) -> Task:
    """Return an unsaved task in the first batch of a study."""
    batch = Batch(pk=NO_ROW, study=study, number=1, name="main", state=Batch.State.OPEN)
    return Task(pk=NO_ROW, batch=batch, number=1, quota=1)


def imagined_work(task: Task, *, now: datetime) -> Assignment:
    """Return unsaved work on a task, begun now."""
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
