"""Ending work before it is submitted, with an outcome for its platform."""

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
    """Expire live work whose time at the platform is over, which frees its place.

    The answers stay, and late work goes on if the study takes it. Raises NotLive.
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
    """End live work of a worker who was screened out or failed a check; may be repeated.

    The place is free at once, the answers stay, and the worker's last page says why and has the
    code of the outcome. Eligibility decides whether the person may begin again. Raises NotLive.
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
