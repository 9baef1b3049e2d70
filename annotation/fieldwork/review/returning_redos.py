"""Requests for changes that nobody followed in time, which wait for a reviewer again.

Other late work frees its place without a decision. Here a person has asked for changes, so the
worker keeps the place until a last decision.
"""

from datetime import datetime

from django.db import transaction

from annotation.fieldwork.review.reviewing import CannotReview, ReviewStep, look_at, take
from annotation.models import Assignment, ReviewAct, ReviewDecision

State = Assignment.State
Decision = ReviewDecision.Decision
RULE = "rule: redo"
REASON = "The changes weren't submitted in time. Please decide again."


def return_lapsed(*, now: datetime) -> int:
    """Return late redos to the reviewers; return how many. May be repeated."""
    rows = Assignment.objects.filter(state=State.ACTIVE, expires_at__lte=now)
    due = rows.redos().order_by("pk").values_list("pk", flat=True)
    return sum(_return(pk, now) for pk in list(due))


def _return(pk: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            return _returned(pk, now)
    except CannotReview:  # handed in, or withdrawn, in this moment
        return False


def _returned(pk: int, now: datetime) -> bool:
    study = Assignment.objects.select_related("study").get(pk=pk).study
    (work,), last = look_at(study=study, works=[pk])
    redo_request = last[pk]
    is_due = work.state == State.ACTIVE and work.expires_at <= now
    if not is_due or redo_request.decision != Decision.REDO:
        return False
    act = ReviewAct.objects.create(
        study=study, decision=Decision.LAPSED, reviewer=RULE, made_at=now
    )
    step = ReviewStep(
        work=work,
        decision=Decision.LAPSED,
        reason=REASON,
        state=State.SUBMITTED,
        submitted_at=redo_request.submitted_at,
    )
    take(act, [step])
    return True
