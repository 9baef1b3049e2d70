"""Decisions about submitted work. They are appended; the assignment's state follows."""

from datetime import datetime

from django.db import transaction

from annotation.models import Assignment, Place, ReviewDecision

State = Assignment.State
Decision = ReviewDecision.Decision

OUTCOME = {
    Decision.ACCEPT: State.ACCEPTED,
    Decision.REJECT: State.REJECTED,
    Decision.REJECT_BUT_PAY: State.REJECTED,
}


class CannotReview(ValueError):
    """The work is not in a state that can be decided on."""


@transaction.atomic
def decide(
    *, assignment: Assignment, decision: Decision, reviewer: str, now: datetime, reason: str = ""
) -> ReviewDecision:
    """Accept or reject submitted work; rejecting frees its place, so others judge it again.

    Raises CannotReview; of two decisions at once the slower one gets that.
    """
    if decision not in OUTCOME:
        raise CannotReview(f"“{decision}” is no decision that this study takes.")
    if decision != Decision.ACCEPT and not reason.strip():
        raise CannotReview("A rejection needs a reason: the worker is told it.")
    if not Assignment.objects.filter(pk=assignment.pk, state=State.SUBMITTED).update(
        state=OUTCOME[decision], ended_at=now
    ):
        assignment.refresh_from_db()
        raise CannotReview(f"Work that is {assignment.state} cannot be decided on.")
    assignment.refresh_from_db()
    if assignment.state == State.REJECTED:
        Place.objects.filter(assignment=assignment).update(assignment=None)
    return ReviewDecision.objects.create(
        assignment=assignment, decision=decision, reason=reason, reviewer=reviewer, decided_at=now
    )
