"""Undoing a review act as a whole, by new decisions."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from annotation.fieldwork.review.reviewing import (
    OUTCOME,
    CannotReview,
    DecisionsRefused,
    ReviewFault,
    ReviewStep,
    look_at,
    paid_works,
    rejects_paid,
    take,
)
from annotation.models import Assignment, ReviewAct, ReviewDecision

State = Assignment.State
Decision = ReviewDecision.Decision
TAKEN_BACK = "Taken back."


@transaction.atomic
def undo(*, act: ReviewAct, reviewer: str, now: datetime) -> ReviewAct:
    """Give each submission the decision that it had before the act, or none.

    Raises CannotReview if the act was undone already, DecisionsRefused if somebody decided on a
    part of it since or took a freed place; then nothing is undone.
    """
    act = ReviewAct.objects.select_for_update(of=("self",)).select_related("study").get(pk=act.pk)
    if act.undoes_id or act.decision == Decision.LAPSED:
        raise CannotReview(
            "not_undoable", gettext("You can't undo this. Make a new decision instead.")
        )
    if ReviewAct.objects.filter(undoes=act).exists():
        raise CannotReview("already_undone", gettext("This decision has already been undone."))
    mine = {decision.assignment_id: decision for decision in act.decisions.all()}
    assignments, last = look_at(study=act.study, works=list(mine))
    faults = {
        work.pk: ReviewFault(
            "decided_since",
            gettext("{reviewer} has since decided on {worker}: {decision}.").format(
                reviewer=newest.reviewer, worker=work.worker, decision=newest.get_decision_display()
            ),
        )
        for work in assignments
        if (newest := last[work.pk]).pk != mine[work.pk].pk
    }
    faults |= {
        work.pk: ReviewFault(
            "other_state",
            gettext("{worker}'s submission is now {state}.").format(
                worker=work.worker, state=work.state
            ),
        )
        for work in assignments
        if work.pk not in faults and work.state != OUTCOME[Decision(mine[work.pk].decision)]
    }
    before = _before(mine)
    steps = [_step(work, mine[work.pk], before.get(work.pk)) for work in assignments]
    paid = paid_works([step.work for step in steps if step.decision == Decision.REJECT])
    faults |= {step.work.pk: rejects_paid(step.work) for step in steps if step.work.pk in paid}
    if faults:
        raise DecisionsRefused(faults, of=len(assignments))
    undone = ReviewAct.objects.create(
        study=act.study, decision=Decision.REOPEN, reviewer=reviewer, made_at=now, undoes=act
    )
    take(undone, steps)
    return undone


def _before(mine: Mapping[int, ReviewDecision]) -> dict[int, ReviewDecision]:
    rows = ReviewDecision.objects.filter(assignment__in=mine).order_by("pk")
    return {row.assignment_id: row for row in rows if row.pk < mine[row.assignment_id].pk}


def _step(work: Assignment, mine: ReviewDecision, before: ReviewDecision | None) -> ReviewStep:
    stood = before is not None and before.decision not in ReviewDecision.UNDECIDED
    decision = before.decision if before and stood else Decision.REOPEN
    return ReviewStep(
        work=work,
        decision=decision,
        reason=(before.reason if before and stood else "") or TAKEN_BACK,
        state=OUTCOME[Decision(decision)] if stood else State.SUBMITTED,
        submitted_at=mine.submitted_at or work.submitted_at,
    )
