"""Orders to pay, each saved once before anything is sent.

Payments by the platform are sent after the commit by a task of the caller (`sending`); payments by
researchers are booked at once.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils.translation import gettext, gettext_lazy

from annotation.fieldwork.paying import orders
from annotation.fieldwork.paying.amounts import major, minor
from annotation.fieldwork.paying.booking import book
from annotation.fieldwork.paying.dues import is_by_platform
from annotation.fieldwork.paying.orders import OrderAmount, OrderPreview
from annotation.models import Assignment, Payment, Study
from annotation.people.access import record
from annotation.refusals import Refusal

Kind, Way, State = Payment.Kind, Payment.Way, Payment.State
MIN_REJECTION_LENGTH = 100  # of what somebody is told whose work is rejected: Prolific's rule
MAX_BONUS = 1000_00  # a slip of the keyboard costs no fortune
LONGER = "Your work took longer than planned."
CATEGORIES = {
    "TOO_QUICKLY": gettext_lazy("completed too quickly"),
    "TOO_SLOWLY": gettext_lazy("completed too slowly"),
    "FAILED_INSTRUCTIONS": gettext_lazy("did not follow instructions"),
    "INCOMP_LONGITUDINAL": gettext_lazy("incomplete longitudinal study"),
    "FAILED_CHECK": gettext_lazy("failed attention checks"),
    "LOW_EFFORT": gettext_lazy("low effort"),
    "MALINGERING": "pretended",
    "NO_CODE": gettext_lazy("no completion code"),
    "BAD_CODE": gettext_lazy("wrong completion code"),
    "NO_DATA": gettext_lazy("no data submitted"),
    "UNSUPP_DEVICE": gettext_lazy("unsupported device"),
    "OTHER": gettext_lazy("other reason"),
}


def _order_changed() -> Refusal:
    return Refusal(
        "OrderChanged",
        gettext("The amounts changed. Check them again."),
    )


@transaction.atomic
def pay(*, study: Study, stamp: str, user: User | None, now: datetime) -> list[Payment]:
    """Order the rewards of approved work as they were previewed. Raises Refusal."""
    preview = orders.payable(_locked(study))
    made = _order(preview, stamp, Kind.REWARD, user, now)
    entry = f"{len(made)} rewards, {preview.amount:.2f} {study.currency}"
    record(user=user, act="ordered payment", what=entry, of=study)
    return made


@transaction.atomic
def settle(*, study: Study, stamp: str, user: User | None, now: datetime) -> list[Payment]:
    """Order rewards as bonuses where the platform cannot approve the work. Raises Refusal."""
    preview = orders.settleable(_locked(study))
    made = _order(
        preview,
        stamp,
        Kind.REWARD,
        user,
        now,
        message="Reward paid as a bonus, because the submission could not be approved.",
        way=Way.BONUS,
    )
    entry = f"{len(made)} rewards, {preview.amount:.2f} {study.currency}"
    record(user=user, act="ordered bonuses", what=entry, of=study)
    return made


@transaction.atomic
def lift(*, study: Study, stamp: str, user: User | None, now: datetime) -> list[Payment]:
    """Order bonuses that raise everybody to the target wage, as previewed. Raises Refusal."""
    preview = orders.shortfalls(_locked(study))
    made = _order(preview, stamp, Kind.BONUS, user, now, message=LONGER)
    entry = f"{len(made)} bonuses, {preview.amount:.2f} {study.currency}"
    record(user=user, act="topped up pay to the target wage", what=entry, of=study)
    return made


@transaction.atomic
def adjust(*, study: Study, stamp: str, user: User | None, now: datetime) -> list[Payment]:
    """Order the same bonus for everybody, up to the planned reward an hour. Raises Refusal."""
    preview = orders.adjustments(_locked(study))
    made = _order(preview, stamp, Kind.BONUS, user, now, message=LONGER)
    entry = f"{len(made)} bonuses, {preview.amount:.2f} {study.currency}"
    record(user=user, act="raised pay to the planned rate", what=entry, of=study)
    return made


@transaction.atomic
def give_bonus(
    *, work: Assignment, amount: Decimal, reason: str, number: int, user: User | None, now: datetime
) -> Payment:
    """Order a bonus for an assignment. Raises Refusal.

    `number` is how many bonuses its page showed, so that the same form twice is one bonus.
    """
    study = _locked(work.study)
    reason = reason.strip()
    if not reason:
        raise Refusal("NoReason", gettext("Enter a reason."))
    if not 0 < minor(amount) <= MAX_BONUS:
        raise Refusal(
            "BonusRange",
            gettext("Enter a bonus above 0, up to {major:.2f}.").format(major=major(MAX_BONUS)),
        )
    if why := no_bonus_for(work):
        raise Refusal("NoBonus", why)
    if Payment.objects.filter(assignment=work, kind=Kind.BONUS).count() != number:
        raise _order_changed()
    due = OrderAmount(work.pk, work.worker_id, minor(amount), number)
    (made,) = _write(study, [due], Kind.BONUS, user, now, message=reason)
    entry = f"{major(due.amount):.2f} {study.currency} to {work.worker}: {reason}"
    record(user=user, act="ordered bonus", what=entry, of=study)
    return made


def no_bonus_for(work: Assignment) -> str:
    """Return why an assignment can get no bonus; '' if it can."""
    if work.submitted_at is None:
        return gettext("You can pay bonuses only for submitted work.")
    if is_by_platform(work.study) and not work.external_id:
        return gettext("The platform has no submission for this work.")
    return ""


def no_rejection_of(work: Assignment) -> str:
    """Return why the platform cannot be told of a rejection; '' if it can."""
    if not is_by_platform(work.study):
        return gettext("This study doesn't recruit on a platform.")
    if not orders.rejectable(work.study).filter(pk=work.pk).exists():
        return gettext("This work wasn't rejected without pay, or the rejection was already sent.")
    return ""


@transaction.atomic
def reject(
    *, work: Assignment, category: str, message: str, user: User | None, now: datetime
) -> Payment:
    """Order that the platform is told of a rejection. Raises Refusal."""
    study, message = _locked(work.study), " ".join(message.split())
    if why := no_rejection_of(work):
        raise Refusal("NoRejection", why)
    if category not in CATEGORIES:
        raise Refusal("UnknownCategory", gettext("Select a reason for the rejection."))
    if len(message) < MIN_REJECTION_LENGTH:
        raise Refusal(
            "RejectionTooShort",
            gettext("Enter at least {least} characters. You entered {length}.").format(
                least=MIN_REJECTION_LENGTH, length=len(message)
            ),
        )
    due = OrderAmount(work.pk, work.worker_id, 0)
    (made,) = _write(study, [due], Kind.REJECTION, user, now, category=category, message=message)
    record(user=user, act="ordered rejection", what=f"{work.worker}: {category}", of=study)
    return made


@transaction.atomic
def say(*, payment: Payment, was_paid: bool, user: User, now: datetime) -> None:
    """Save what became of an unknown payment, as a person looked it up. Raises Refusal."""
    if was_paid:
        done = book(payment=payment, now=now, source=State.UNKNOWN)
    else:
        rows = Payment.objects.filter(pk=payment.pk, state=State.UNKNOWN)
        done = bool(
            rows.update(
                state=State.REFUSED,
                said=f"{user} recorded that it was not paid.",
            )
        )
    if not done:
        raise _order_changed()
    entry = f"{payment.kind} of {major(payment.amount):.2f} to {payment.worker}: "
    entry += "paid" if was_paid else "not paid"
    record(user=user, act="recorded the outcome of a payment", what=entry, of=payment.study)


def _locked(study: Study) -> Study:
    """Lock the study, so that orders are made one after the other."""
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _order(
    preview: OrderPreview,
    stamp: str,
    kind: Payment.Kind,
    user: User | None,
    now: datetime,
    message: str = "",
    way: Payment.Way | None = None,
) -> list[Payment]:
    if not preview.dues or stamp != preview.stamp:
        raise _order_changed()
    return _write(preview.study, preview.dues, kind, user, now, message=message, way=way)


def _write(
    study: Study,
    dues: Sequence[OrderAmount],
    kind: Payment.Kind,
    user: User | None,
    now: datetime,
    category: str = "",
    message: str = "",
    way: Payment.Way | None = None,
) -> list[Payment]:
    """Save the orders, and book those that people pay by hand. Raises Refusal."""
    way = way or (Way.PLATFORM if is_by_platform(study) else Way.HAND)
    earlier = Payment.objects.filter(assignment__in=[due.work for due in dues], kind=kind)
    numbers = dict(earlier.order_by().values_list("assignment").annotate(Count("pk")))
    rows = [
        Payment(
            study=study,
            worker_id=due.worker,
            assignment_id=due.work,
            kind=kind,
            way=way,
            amount=due.amount,
            currency=study.currency,
            key=f"{kind}:{due.work}:{numbers.get(due.work, 0) + 1}",
            category=category,
            message=message,
            made_by=user,
            made_at=now,
        )
        for due in dues
    ]
    try:
        with transaction.atomic():
            made = Payment.objects.bulk_create(rows, batch_size=1000)
    except IntegrityError as error:
        raise _order_changed() from error
    for payment in made if way == Way.HAND else ():
        book(payment=payment, now=now, source=State.PREPARED)
    return made
