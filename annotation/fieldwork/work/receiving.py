"""Work that comes after its time: what a study does with it (`Study.late_work`).

It goes on while a place of its task is free. Where none is, a study may add one; otherwise what was
done is kept and not counted, and the researcher sees it as late (`review.readmitting`).
"""

from datetime import datetime

from django.db import transaction

from annotation.fieldwork.work import assigning
from annotation.models import Assignment
from annotation.refusals import Refusal


def receive_late(*, assignment: Assignment, now: datetime) -> bool:
    """Hand in work that ran out of time, if its study takes it and it is complete.

    Whether it is in. If not, it stays as it was.
    """
    try:
        with transaction.atomic():
            assigning.revive(assignment=assignment, now=now)
            assigning.submit(assignment=assignment, now=now)
    except Refusal:
        assignment.refresh_from_db()
        return False
    return True
