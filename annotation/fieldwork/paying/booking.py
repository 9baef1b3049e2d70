"""Booking of payments that are known to be done: their state and the ledger, in one transaction."""

from datetime import datetime

from django.db import transaction

from annotation.fieldwork.paying.orders import fee_of
from annotation.models import Assignment, LedgerEntry, Payment

Kind, State = LedgerEntry.Kind, Payment.State
ENTERED = {Payment.Kind.REWARD: Kind.PAID, Payment.Kind.BONUS: Kind.BONUS}


@transaction.atomic
def book(*, payment: Payment, now: datetime, source: str) -> bool:
    """Book a payment from the state `source` with its fee; return whether it was in that state."""
    if not Payment.objects.filter(pk=payment.pk, state=source).update(state=State.PAID, said=""):
        return False
    if payment.kind == Payment.Kind.REJECTION:
        return True
    batch = Assignment.objects.values_list("task__batch", flat=True).get(pk=payment.assignment_id)
    fee = fee_of(payment.study, payment.amount) if payment.way != Payment.Way.HAND else 0
    amounts = {ENTERED[Payment.Kind(payment.kind)]: payment.amount, Kind.FEE: fee}
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            study_id=payment.study_id,
            batch_id=batch,
            worker_id=payment.worker_id,
            assignment_id=payment.assignment_id,
            kind=kind,
            amount=amount,
            currency=payment.currency,
            key=f"payment:{payment.pk}:{kind}",
            created_at=now,
        )
        for kind, amount in amounts.items()
        if amount
    )
    return True
