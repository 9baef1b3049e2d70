"""Entries for payments that Prolific made without an order from here.

It pays screen-outs when their code is entered, and rewards that a colleague approved on its pages
or that nobody decided on for three weeks. The ledger has the money; decisions stay with people.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.fieldwork.paying.amounts import minor
from annotation.fieldwork.paying.booking import book
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.models import Assignment, Payment, PlatformSubmission, Study

Kind, Way, State = Payment.Kind, Payment.Way, Payment.State
Status = PlatformSubmission.Status
PAYS = {Status.APPROVED, Status.SCREENED_OUT}


def note_paid_there(*, now: datetime) -> None:
    """Enter what was paid there for work without an order; may be repeated."""
    ordered = _orders().filter(
        Q(assignment=OuterRef("assignment"))
        | Q(worker=OuterRef("worker"), assignment__session_hash=OuterRef("session_hash"))
    )
    paid = PlatformSubmission.objects.filter(status__in=PAYS, assignment__isnull=False)
    for submission in paid.exclude(Exists(ordered)).select_related("platform_study", "assignment"):
        _note(submission, now)


@transaction.atomic
def _note(there: PlatformSubmission, now: datetime) -> None:
    """Write the payment with the study locked, so that no order is made meanwhile."""
    work = there.assignment
    assert work is not None  # as they were chosen
    study = Study.objects.select_for_update(no_key=True).get(pk=work.study_id)
    amount = _amount(there, work, study)
    if not amount or _orders().filter(assignment=work).exists():
        return
    payment = Payment.objects.create(
        key=f"paid there:{work.pk}",
        study=study,
        worker_id=work.worker_id,
        assignment=work,
        kind=Kind.REWARD,
        way=Way.PLATFORM,
        state=State.SENT,
        amount=amount,
        currency=study.currency,
        made_at=now,
        sent_at=now,
    )
    book(payment=payment, now=now, source=State.SENT)


def _orders() -> QuerySet[Payment]:
    return Payment.objects.filter(kind__in=[Kind.REWARD, Kind.REJECTION]).exclude(
        state=State.REFUSED
    )


def _amount(there: PlatformSubmission, work: Assignment, study: Study) -> int:
    """Return what Prolific paid, in minor units; 0 if its status shows no payment of our work."""
    if there.status == Status.APPROVED:
        return minor(there.platform_study.pay)
    if work.outcome == Outcome.SCREENED_OUT:
        return minor(study.screening_reward)
    return 0
