"""Ending work before it is handed in, with an outcome that its platform is told."""

from datetime import datetime
from typing import Literal

from django.db import transaction

from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, Place

State = Assignment.State
Ended = Literal[Outcome.SCREENED_OUT, Outcome.FAILED_CHECK]


@transaction.atomic
def time_out(*, assignment: Assignment, now: datetime) -> Assignment:
    """End live work because its time at the platform is over: the place is free at once.

    What was done is kept, and goes on if the study takes late work (`receiving`). Raises NotLive.
    """
    moved = Assignment.objects.filter(pk=assignment.pk, state__in=Assignment.LIVE).update(
        state=State.EXPIRED, ended_at=now
    )
    if moved:
        Place.objects.filter(assignment=assignment).update(assignment=None)
    assignment.refresh_from_db(fields=["state", "ended_at"])
    if not moved and assignment.state != State.EXPIRED:
        raise NotLive(assignment.state)
    return assignment


@transaction.atomic
def end(*, assignment: Assignment, outcome: Ended, now: datetime) -> Assignment:
    """End live work because its worker was screened out or failed a check. May be repeated.

    The place is free at once, and what was answered is kept. The worker's address leads to the
    last page (`redirect("done", assignment.token)`), which says why and has the code of the
    outcome. Whether the same person may begin again is for eligibility to say. Raises NotLive.
    """
    moved = Assignment.objects.filter(pk=assignment.pk, state__in=Assignment.LIVE).update(
        state=State.RETURNED, outcome=outcome, ended_at=now
    )
    if moved:
        Place.objects.filter(assignment=assignment).update(assignment=None)
    assignment.refresh_from_db(fields=["state", "outcome", "ended_at"])
    if not moved and assignment.outcome != outcome:
        raise NotLive(assignment.state)
    return assignment
