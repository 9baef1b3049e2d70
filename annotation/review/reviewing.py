"""Decisions about submitted work. They are appended; the assignment's state follows.

A decision is undone by another one: accepted work can be rejected, rejected work accepted if its
place was not given to somebody else.
"""

from datetime import datetime, timedelta

from django.db import transaction

from annotation import signals
from annotation.models import Assignment, Place, ReviewDecision
from annotation.work import assigning

State = Assignment.State
Decision = ReviewDecision.Decision

OUTCOME = {
    Decision.ACCEPT: State.ACCEPTED,
    Decision.REJECT: State.REJECTED,
    Decision.REJECT_BUT_PAY: State.REJECTED,
    Decision.REDO: State.ACTIVE,
}
DECIDABLE = (State.SUBMITTED, State.ACCEPTED, State.REJECTED)


class CannotReview(ValueError):
    """The work is not in a state that can be decided on so."""


@transaction.atomic
def decide(
    *, assignment: Assignment, decision: Decision, reviewer: str, now: datetime, reason: str = ""
) -> ReviewDecision:
    """Accept, reject, or give submitted work back to its worker with feedback (redo).

    1. Lock the worker, then look at the state as it is now.
    2. Move the place: rejecting frees it, so that others do the task; accepting what was rejected
       needs a free one.
    3. Move the state, append the decision, tell whoever listens (signal `decided`).

    Raises CannotReview; of two decisions at once the slower one sees the outcome of the other.
    """
    if decision not in OUTCOME:
        raise CannotReview(f"“{decision}” is no decision that this study takes.")
    if decision != Decision.ACCEPT and not reason.strip():
        raise CannotReview("This decision needs a reason: the worker is told it.")
    assigning.lock_worker(assignment.worker_id)
    assignment.refresh_from_db()
    _check(assignment, decision)
    if assignment.state == State.REJECTED and decision == Decision.ACCEPT:
        _take_place_again(assignment)
    elif OUTCOME[decision] == State.REJECTED:
        Place.objects.filter(assignment=assignment).update(assignment=None)
    _move(assignment, decision, now)
    made = ReviewDecision.objects.create(
        assignment=assignment, decision=decision, reason=reason, reviewer=reviewer, decided_at=now
    )
    signals.decided.send(sender=Assignment, assignment=assignment, decision=made)
    return made


def _check(assignment: Assignment, decision: Decision) -> None:
    if assignment.state not in DECIDABLE:
        raise CannotReview(f"Work that is {assignment.state} cannot be decided on.")
    last = assignment.decisions.last()
    if assignment.state != State.SUBMITTED and last and last.decision == decision:
        raise CannotReview(f"This is decided so already: {last.get_decision_display()}.")
    if decision != Decision.REDO:
        return
    if assignment.state != State.SUBMITTED:
        raise CannotReview(f"Work that is {assignment.state} cannot be redone.")
    mine = Assignment.objects.filter(study=assignment.study_id, worker=assignment.worker_id)
    if mine.live().exists():
        raise CannotReview("The worker is at work on another task of this study just now.")


def _take_place_again(assignment: Assignment) -> None:
    free = Place.objects.filter(task=assignment.task_id, assignment=None)
    place = free.select_for_update().order_by("number").first()
    if place is None or not free.filter(pk=place.pk).update(assignment=assignment):
        raise CannotReview(
            "Its place was given to somebody else, so it cannot be accepted any more. "
            "“Reject, but pay” pays the worker."
        )


def _move(assignment: Assignment, decision: Decision, now: datetime) -> None:
    changes: dict[str, datetime | None] = {"ended_at": now}
    if decision == Decision.REDO:
        limit = timedelta(minutes=assignment.study.time_limit_minutes)
        changes = {"ended_at": None, "submitted_at": None, "expires_at": now + limit}
    Assignment.objects.filter(pk=assignment.pk, state=assignment.state).update(
        state=OUTCOME[decision], **changes
    )
    assignment.refresh_from_db()
