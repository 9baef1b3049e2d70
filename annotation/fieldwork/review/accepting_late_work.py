"""Late work: received by its study (`Study.late_work`), counted or paid by a reviewer."""

from datetime import datetime

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.assigning import is_spent
from annotation.fieldwork.work.refusals import Incomplete
from annotation.models import Assignment, ReviewDecision
from annotation.refusals import Refusal
from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated

State = Assignment.State
WHY = Sentence("Submitted after the place went to someone else.")


class CannotReceive(CodedError):
    """Late work that cannot be accepted; the message says why."""


def receive_late(*, assignment: Assignment, now: datetime) -> bool:
    """Submit work that ran out of time if its study takes it; return whether it is submitted."""
    try:
        with transaction.atomic():
            assigning.revive(assignment=assignment, now=now)
            assigning.submit(assignment=assignment, now=now)
    except Refusal:
        assignment.refresh_from_db()
        return False
    return True


def take_in(*, assignment: Assignment, now: datetime) -> None:
    """Let late work count, on a free or additional place of its task. Raises CannotReceive."""
    try:
        with transaction.atomic():
            _require_late(assignment)
            assigning.revive(assignment=assignment, now=now, beyond=True)
            assigning.submit(assignment=assignment, now=now)
    except Incomplete as error:
        raise CannotReceive(
            "unanswered", gettext("Some questions are unanswered, so this submission can't count.")
        ) from error
    except Refusal as error:
        raise CannotReceive(
            "no_place",
            gettext(
                "This submission can no longer count: its batch isn't open, or the participant has "
                "started another task. You can still pay for it."
            ),
        ) from error


def pay_late(*, assignment: Assignment, reviewer: str, now: datetime) -> None:
    """Submit late work without a place and reject but pay it. Raises CannotReceive."""
    try:
        with transaction.atomic():
            _require_late(assignment)
            mine = Assignment.objects.filter(study=assignment.study_id, worker=assignment.worker_id)
            if mine.live().exists() or is_spent(assignment):
                raise CannotReceive(
                    "busy_or_paid",
                    gettext(
                        "The participant is working on another task, or Prolific already pays "
                        "this submission for a later task."
                    ),
                )
            Assignment.objects.filter(pk=assignment.pk, state=State.EXPIRED).update(
                state=State.ACTIVE, ended_at=None
            )
            assigning.submit(assignment=assignment, now=now)
            with translation.override(assignment.study.language):
                reason = str(translated(WHY))
            reviewing.decide(
                assignment=assignment,
                decision=ReviewDecision.Decision.REJECT_BUT_PAY,
                reviewer=reviewer,
                reason=reason,
                now=now,
            )
    except Refusal as error:
        assignment.refresh_from_db()
        raise CannotReceive(
            "unanswered", gettext("Some questions are unanswered, so this submission can't count.")
        ) from error


def _require_late(assignment: Assignment) -> None:
    """Lock the worker, and require that the work is still late. Raises CannotReceive."""
    assigning.lock_worker(assignment.worker_id)
    assignment.refresh_from_db()
    if assignment.state != State.EXPIRED or assignment.started_at is None:
        raise CannotReceive(
            "not_late", gettext("This submission is now {state}.").format(state=assignment.state)
        )
