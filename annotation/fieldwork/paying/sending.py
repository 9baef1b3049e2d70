"""Sending orders to Prolific, and finding out what became of them.

Every order is marked as sent before it goes out, so that a killed process leaves a trace. An order
with an unknown outcome is `unknown` until Prolific shows what it did:

- A reward or rejection of work that still awaits review did not happen, and is sent again. Prolific
  approves nothing twice.
- Paying a list of bonuses is not idempotent there. A list is made first, which pays nobody; the
  process that marks all of it as sent pays it, once. Only the bonuses of a submission show that it
  was paid; where they do not, it stays unknown, and a person looks.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.fieldwork.paying.booking import book
from annotation.fieldwork.paying.orders import other_work_of
from annotation.fieldwork.paying.recording_platform_payments import note_paid_there
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import MAX_APPROVED, MAX_BONUSES, Json
from annotation.models import Assignment, LedgerEntry, Payment
from annotation.texts.sentences import marked

log = structlog.get_logger(__name__)

Kind, Way, State = Payment.Kind, Payment.Way, Payment.State
BONUSES = Q(kind=Kind.BONUS) | Q(way=Way.BONUS)
PATIENCE = timedelta(minutes=5)  # for a call that another process may still be making
FEW = 5  # approvals that are said one by one, so that each is answered at once
MAX_LOOKS = 500  # at unknown orders, in one go
PASSING = {0, 401, 403, 429}  # statuses of a refusal that is not about the order
DONE = {
    Kind.REWARD: {"APPROVED"},  # a part of it is not it: a person gives the rest as a bonus
    Kind.REJECTION: {"REJECTED"},
}
AWAITS = "AWAITING REVIEW"
PAID_THERE = {"APPROVED", "PARTIALLY APPROVED"}
APPROVED = LedgerEntry.objects.filter(
    assignment=OuterRef("assignment"), kind=LedgerEntry.Kind.APPROVED, reversal=None
)
# A reward or a rejection whose decision was taken back since it was ordered.
MOOT = Q(kind=Kind.REWARD) & ~Exists(APPROVED) | Q(kind=Kind.REJECTION) & (
    ~Q(assignment__state=Assignment.State.REJECTED)
    | Exists(APPROVED)
    | Exists(other_work_of(OuterRef("assignment__session_hash"), OuterRef("assignment")))
)
OTHERWISE = marked("The decision changed before this order was sent.")


class PlatformBusy(Exception):
    """Prolific cannot be called now; the order waits."""


class PaymentCalls(Protocol):
    """The calls to Prolific that are made here (platforms.prolific_client)."""

    def submission(self, submission_id: str) -> Json: ...
    def approve(self, submission_id: str) -> Json: ...
    def reject(self, submission_id: str, *, category: str, message: str) -> Json: ...
    def bulk_approve(self, submission_ids: Sequence[str]) -> None: ...
    def create_bonuses(self, study_id: str, rows: Sequence[tuple[str, int]]) -> Json: ...
    def pay_bonuses(self, bulk_id: str) -> None: ...


def go_on(*, desk: PaymentCalls, now: datetime) -> None:
    """Check what was sent, then send what waits; the next call sends what Prolific refuses now."""
    note_paid_there(now=now)
    for step in (doubt_moot, look, send_rewards, send_rejections, list_bonuses, pay_lists):
        try:
            step(desk=desk, now=now)
        except PlatformBusy as error:
            log.warning("paying goes on later", step=step.__name__, why=str(error))


def doubt_moot(*, desk: PaymentCalls, now: datetime) -> None:
    """Make waiting orders unknown whose decision was taken back, and refuse impossible ones.

    A colleague may have carried them out on Prolific's pages meanwhile, so they are looked up
    first.
    """
    del desk, now  # as the other steps have them
    # A list that has a bonus may be paid at any moment; one that is not listed cannot have been.
    unlisted = Payment.objects.filter(way=Way.BONUS, state=State.PREPARED, external_id="")
    unlisted.filter(MOOT).update(state=State.REFUSED, said=OTHERWISE)
    waiting = Payment.objects.filter(way=Way.PLATFORM, state=State.PREPARED)
    waiting.exclude(kind=Kind.BONUS).filter(MOOT).update(state=State.UNKNOWN, said=OTHERWISE)
    before = Payment.objects.filter(
        kind=Kind.REWARD,
        way=Way.PLATFORM,
        worker=OuterRef("worker"),
        assignment__session_hash=OuterRef("assignment__session_hash"),
        pk__lt=OuterRef("pk"),
    ).exclude(state=State.REFUSED)
    again = waiting.filter(Exists(before), kind=Kind.REWARD).exclude(assignment__session_hash="")
    again.update(
        state=State.REFUSED,
        said=marked(
            "Prolific already paid this submission for another task. Pay this work as a bonus."
        ),
    )


def is_on() -> bool:
    """Return whether orders are sent; in a dry run they wait."""
    return bool(settings.PROLIFIC_TOKEN) and not settings.RECRUITING_DRY_RUN


# -- Rewards and rejections ---------------------------------------------------------------------


def send_rewards(*, desk: PaymentCalls, now: datetime) -> None:
    """Approve the work whose reward is ordered, one by one or in bulk."""
    while taken := _take(Kind.REWARD, MAX_APPROVED, now):
        if len(taken) <= FEW:
            for payment in taken:
                _tell(desk, payment, now)
        else:
            _approve_together(desk, taken, now)


def _approve_together(desk: PaymentCalls, taken: Sequence[Payment], now: datetime) -> None:
    """Approve in bulk, which Prolific does later; one by one if it refuses because of some."""
    try:
        desk.bulk_approve([payment.assignment.submission for payment in taken])
    except calls.OutcomeUnknown as error:
        _end(taken, State.UNKNOWN, str(error))
    except calls.CallRefused as error:
        if _is_passing(error):
            _end(taken, State.PREPARED, str(error))
            raise PlatformBusy from error
        for payment in taken:
            _tell(desk, payment, now)


def send_rejections(*, desk: PaymentCalls, now: datetime) -> None:
    """Reject the work whose rejection is ordered."""
    while taken := _take(Kind.REJECTION, FEW, now):
        for payment in taken:
            _tell(desk, payment, now)


def _take(kind: Payment.Kind, most: int, now: datetime) -> list[Payment]:
    """Mark orders as sent, so that no other process sends them."""
    with transaction.atomic():
        rows = _of_platform().filter(~BONUSES, ~MOOT, kind=kind, state=State.PREPARED)
        rows = rows.order_by("pk")
        taken = list(rows.select_for_update(of=("self",), skip_locked=True)[:most])
        Payment.objects.filter(pk__in=[payment.pk for payment in taken]).update(
            state=State.SENT, sent_at=now
        )
    return taken


def _tell(desk: PaymentCalls, payment: Payment, now: datetime) -> None:
    """Approve or reject one submission; a refusal may mean that it was done before."""
    submission = payment.assignment.submission
    try:
        if payment.kind == Kind.REWARD:
            desk.approve(submission)
        else:
            desk.reject(submission, category=payment.category, message=payment.message)
    except calls.OutcomeUnknown as error:
        _end([payment], State.UNKNOWN, str(error))
    except calls.CallRefused as error:
        if _is_passing(error):
            _end([payment], State.PREPARED, str(error))
            raise PlatformBusy from error
        submission_there = _read(desk, payment)
        if submission_there is not None and _status(submission_there) in DONE[Kind(payment.kind)]:
            book(payment=payment, now=now, source=State.SENT)
        else:
            _end([payment], State.REFUSED, str(error))
    else:
        book(payment=payment, now=now, source=State.SENT)


def _is_passing(error: calls.CallRefused) -> bool:
    """Return whether a refusal is about Prolific's state and not about the order."""
    return error.status in PASSING


def _read(desk: PaymentCalls, payment: Payment) -> Json | None:
    """Return the submission as Prolific shows it; None if it does not answer."""
    try:
        return desk.submission(payment.assignment.submission)
    except (calls.CallRefused, calls.OutcomeUnknown):
        return None


def _status(there: Json) -> str:
    return str(there.get("status", "")).upper()


def _end(payments: Sequence[Payment], state: Payment.State, said: str) -> None:
    rows = Payment.objects.filter(pk__in=[payment.pk for payment in payments], state=State.SENT)
    rows.update(state=state, said=said)


# -- Bonuses ------------------------------------------------------------------------------------


def list_bonuses(*, desk: PaymentCalls, now: datetime) -> None:
    """Make a list of the waiting bonuses of each study; a list pays nobody."""
    rows = _of_platform().filter(BONUSES, state=State.PREPARED, external_id="")
    by_study: defaultdict[str, list[Payment]] = defaultdict(list)
    # Two bonuses of one amount for one submission cannot be distinguished there while one of them
    # is not known to be paid.
    for payment in rows.exclude(Exists(_alike_on_the_way())).order_by("pk")[:MAX_BONUSES]:
        submission = _read(desk, payment)
        if submission is None:
            continue
        if why := _why_not_by_bonus(payment, _status(submission)):
            Payment.objects.filter(pk=payment.pk, state=State.PREPARED, external_id="").update(
                state=State.REFUSED, said=why
            )
            continue
        payment.before = _shown(submission, payment)
        by_study[str(submission["study_id"])].append(payment)
    for study, payments in by_study.items():
        lines = [(payment.assignment.submission, payment.amount) for payment in payments]
        try:
            made = str(desk.create_bonuses(study, lines)["id"])
        except calls.OutcomeUnknown as error:  # nobody is paid by it: another list is made
            raise PlatformBusy from error
        except calls.CallRefused as error:
            if _is_passing(error):
                raise PlatformBusy from error
            waiting = rows.filter(pk__in=[payment.pk for payment in payments])
            waiting.update(state=State.REFUSED, said=str(error))
        else:
            _note_list(payments, made)


def _alike_on_the_way() -> QuerySet[Payment]:
    """Return other bonuses of the same amount and submission whose payment is not known yet."""
    alike = Payment.objects.filter(
        BONUSES,
        worker=OuterRef("worker"),
        assignment__session_hash=OuterRef("assignment__session_hash"),
        amount=OuterRef("amount"),
        state__in=(State.SENT, State.UNKNOWN),
    )
    return alike.exclude(assignment__session_hash="").exclude(pk=OuterRef("pk"))


def _why_not_by_bonus(payment: Payment, status: str) -> str:
    """Return why a reward must not be paid as a bonus after all; '' where it may."""
    if payment.way != Way.BONUS or _pays_for_other_work(payment):
        return ""
    if status in PAID_THERE:
        return marked("Prolific has paid this submission in the meantime.")
    if status == AWAITS:
        return marked("This submission is awaiting review on Prolific. Approve it to pay.")
    return ""


def _pays_for_other_work(payment: Payment) -> bool:
    session = payment.assignment.session_hash
    rewards = Payment.objects.filter(
        kind=Kind.REWARD, way=Way.PLATFORM, assignment__session_hash=session
    )
    rewards = rewards.exclude(state=State.REFUSED).exclude(assignment=payment.assignment_id)
    return bool(session) and rewards.filter(worker=payment.worker_id).exists()


@transaction.atomic
def _note_list(payments: Sequence[Payment], made: str) -> None:
    """Note all payments of a list, or none: a partly taken list is left unpaid."""
    for payment in payments:
        rows = Payment.objects.filter(pk=payment.pk, state=State.PREPARED, external_id="")
        if not rows.update(external_id=made, before=payment.before):
            transaction.set_rollback(True)
            return


def pay_lists(*, desk: PaymentCalls, now: datetime) -> None:
    """Pay the lists of bonuses."""
    listed = _of_platform().filter(BONUSES, state=State.PREPARED).exclude(external_id="")
    for made in listed.order_by().values_list("external_id", flat=True).distinct():
        rows = Payment.objects.filter(BONUSES, external_id=made)
        # Whoever marks the list is the one who pays it.
        if not rows.filter(state=State.PREPARED).update(state=State.SENT, sent_at=now):
            continue
        payments = list(rows.filter(state=State.SENT).select_related("study"))
        try:
            desk.pay_bonuses(made)
        except calls.OutcomeUnknown as error:
            _end(payments, State.UNKNOWN, str(error))
        except calls.CallRefused as error:
            passing = _is_passing(error)
            _end(payments, State.PREPARED if passing else State.REFUSED, str(error))
            if passing:
                raise PlatformBusy from error
        else:
            for payment in payments:
                book(payment=payment, now=now, source=State.SENT)


def _shown(submission: Json, payment: Payment) -> int:
    return list(submission.get("bonus_payments") or ()).count(payment.amount)


# -- What became of it --------------------------------------------------------------------------


def look(*, desk: PaymentCalls, now: datetime) -> None:
    """Look up orders that were sent a while ago, and unknown ones."""
    sent = _of_platform().filter(state=State.SENT, sent_at__lte=now - PATIENCE)
    sent.update(state=State.UNKNOWN, said=marked("No response since this order was sent."))
    # The newest first: an old one that stays unknown keeps nobody waiting.
    unknown = _of_platform().filter(state=State.UNKNOWN).order_by("-sent_at")
    for payment in unknown[:MAX_LOOKS]:
        if (submission := _read(desk, payment)) is not None:
            _look_at(payment, submission, now)


def _look_at(payment: Payment, there: Json, now: datetime) -> None:
    if payment.is_bonus_there:
        if _shown(there, payment) > payment.before:
            book(payment=payment, now=now, source=State.UNKNOWN)
        return
    status = _status(there)
    unknown = Payment.objects.filter(pk=payment.pk, state=State.UNKNOWN)
    if status in DONE[Kind(payment.kind)]:
        book(payment=payment, now=now, source=State.UNKNOWN)
    elif status == AWAITS:
        # Of these, one at the most has an effect, whatever was decided at this moment.
        unknown.filter(MOOT).update(state=State.REFUSED, said=OTHERWISE)
        unknown.update(
            state=State.PREPARED,
            said=marked("Prolific hasn't completed this order yet. We will send it again."),
        )
    else:
        unknown.update(
            state=State.REFUSED,
            said=f"Status on Prolific: {status}.",
        )


def _of_platform() -> QuerySet[Payment]:
    # Where the ids of the platform were deleted, nothing can be told or asked any more.
    rows = Payment.objects.exclude(way=Way.HAND).exclude(assignment__external_id=b"")
    return rows.select_related("assignment", "study")
