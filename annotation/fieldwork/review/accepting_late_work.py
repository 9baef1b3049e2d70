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
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated

State = Assignment.State
WHY = Sentence("It came after its time, when its place was taken.")


class CannotReceive(ValueError):
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
            gettext("Not all of it was answered, so it cannot be handed in.")
        ) from error
    except Refusal as error:
        raise CannotReceive(
            gettext(
                "It can count no more: its batch is not open, or the person has done other "
                "work since. It can be paid without counting."
            )
        ) from error


def pay_late(*, assignment: Assignment, reviewer: str, now: datetime) -> None:
    """Submit late work without a place and reject but pay it. Raises CannotReceive."""
    try:
        with transaction.atomic():
            _require_late(assignment)
            mine = Assignment.objects.filter(study=assignment.study_id, worker=assignment.worker_id)
            if mine.live().exists() or is_spent(assignment):
                raise CannotReceive(
                    gettext(
                        "The person is at work on another task, or its submission has had one "
                        "since, which is what Prolific pays for."
                    )
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
            gettext("Not all of it was answered, so it cannot be handed in.")
        ) from error


def _require_late(assignment: Assignment) -> None:
    """Lock the worker, and require that the work is still late. Raises CannotReceive."""
    assigning.lock_worker(assignment.worker_id)
    assignment.refresh_from_db()
    if assignment.state != State.EXPIRED or assignment.started_at is None:
        raise CannotReceive(gettext("This work is {state} by now.").format(state=assignment.state))
