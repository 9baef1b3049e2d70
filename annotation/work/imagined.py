"""Somebody at the first task of a study that is not there: to show its pages before it is made.

Nothing of it is in the database, and no row has its ids: what a page looks up of it is empty, as
it is of work that has just begun.
"""

from datetime import datetime

from annotation.models import Assignment, Batch, Study, Task, Worker
from annotation.studies.planning import NO_ROW

PLATFORM = "preview"  # of which no page says more


def imagined_work(study: Study, *, now: datetime) -> Assignment:
    """Work on the first task of the first batch, begun now."""
    batch = Batch(pk=NO_ROW, study=study, number=1, name="main", state=Batch.State.OPEN)
    return Assignment(
        pk=NO_ROW,
        task=Task(pk=NO_ROW, batch=batch, number=1, quota=1),
        study=study,
        worker=Worker(pk=NO_ROW, platform=PLATFORM, pseudonym=PLATFORM),
        state=Assignment.State.ACTIVE,
        arrived_at=now,
        started_at=now,
        expires_at=now,
    )
