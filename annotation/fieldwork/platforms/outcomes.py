"""Outcomes of work as platforms are told them."""

from enum import StrEnum

from annotation.models import Assignment, ReviewDecision

State = Assignment.State
CHECKING = ("rule: attention", "rule: gold")  # reviewers (judging.review.acting)


class Outcome(StrEnum):
    """The end of an arrival, as the platform is told it."""

    DONE = "done"
    NO_CONSENT = "no_consent"
    SCREENED_OUT = "screened_out"
    FAILED_CHECK = "failed_check"
    TIMED_OUT = "timed_out"
    RETURNED = "returned"
    WITHDRAWN = "withdrawn"


def failed_check(assignment: Assignment) -> ReviewDecision | None:
    """Return the standing unpaid rejection by a rule for attention or gold items."""
    if assignment.state != State.REJECTED:
        return None
    last = assignment.decisions.last()
    return last if is_failed_check(assignment, last) else None


def is_failed_check(assignment: Assignment, last: ReviewDecision | None) -> bool:
    """Return whether the last decision is such a rejection."""
    if last is None or assignment.state != State.REJECTED or last.reviewer not in CHECKING:
        return False
    return last.decision == ReviewDecision.Decision.REJECT


def outcome_of(assignment: Assignment) -> Outcome:
    """Return the outcome of work that is over."""
    if assignment.submitted_at is not None:
        return Outcome.FAILED_CHECK if failed_check(assignment) else Outcome.DONE
    if assignment.outcome:
        return Outcome(assignment.outcome)
    if assignment.state == State.EXPIRED:
        return Outcome.TIMED_OUT
    if assignment.state == State.WITHDRAWN:
        return Outcome.WITHDRAWN
    return Outcome.RETURNED if assignment.started_at else Outcome.NO_CONSENT
