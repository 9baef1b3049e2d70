"""The platform's state of work under review, and its consequences for a decision. Only reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext

from annotation.models import Assignment, LedgerEntry, Payment, PlatformSubmission

Status = PlatformSubmission.Status
PAID_KINDS = (LedgerEntry.Kind.PAID, LedgerEntry.Kind.BONUS)


@dataclass(frozen=True)
class PlatformState:
    """The submission of an assignment (None if unknown), and sentences about it by key."""

    submission: PlatformSubmission | None
    sentences: Mapping[str, str]


def state_of(work: Assignment) -> PlatformState:
    """Return the platform's state of a piece of work, with its payments."""
    submission = _submissions_of(work).order_by("-pk").first()
    sentences = dict(_payments(work))
    if submission is not None:
        sentences |= _of_submission(submission, work)
    return PlatformState(submission, sentences)


def gone_among(works: Sequence[int]) -> dict[int, str]:
    """Return which of these assignments have a submission that ended without pay, and how."""
    rows = PlatformSubmission.objects.filter(
        assignment__in=works, status__in=PlatformSubmission.GONE
    )
    return {
        pk: str(Status(status).label) for pk, status in rows.values_list("assignment", "status")
    }


def paid_among(works: Sequence[int]) -> set[int]:
    """Return which of these assignments are paid."""
    paid = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.PAID, reversal=None)
    return set(paid.filter(assignment__in=works).values_list("assignment", flat=True))


def _submissions_of(work: Assignment) -> QuerySet[PlatformSubmission]:
    same = Q(assignment=work)
    if work.session_hash:
        same |= Q(session_hash=work.session_hash)
    return PlatformSubmission.objects.filter(same)


def _payments(work: Assignment) -> Iterator[tuple[str, str]]:
    entries = LedgerEntry.objects.filter(assignment=work, kind__in=PAID_KINDS, reversal=None)
    paid = entries.aggregate(total=Sum("amount"))["total"]
    reward = entries.filter(kind=LedgerEntry.Kind.PAID)
    if paid:
        yield (
            "paid",
            gettext("Paid {amount:.2f} {currency} for this work.").format(
                amount=Decimal(paid) / 100, currency=work.study.currency
            ),
        )
    if reward.exists():
        yield "final", gettext("You can't reject without pay or ask for changes.")
    elif Payment.objects.filter(
        assignment=work, kind=Payment.Kind.REWARD, state__in=Payment.OPEN
    ).exists():
        yield "under-way", gettext("Payment in progress.")


def _of_submission(submission: PlatformSubmission, work: Assignment) -> Iterator[tuple[str, str]]:
    name = work.study.get_recruitment_display()
    since = {"name": name, "status": submission.get_status_display()}
    if submission.status in PlatformSubmission.GONE:
        yield (
            "ended-unpaid",
            gettext(
                "{name}: {status}. If you approve, pay a bonus under Money, and message the "
                "participant."
            ).format(**since),
        )
    elif submission.status == Status.PARTIALLY_APPROVED:
        yield (
            "part-paid",
            gettext("{name}: {status}. Partly paid; pay the rest as a bonus.").format(**since),
        )
    elif submission.status == Status.AWAITING_REVIEW and work.is_live:
        yield (
            "code-first",
            gettext("{name}: {status}. The participant entered the code before submitting.").format(
                **since
            ),
        )
    else:
        yield "status", gettext("{name}: {status}.").format(**since)
    if submission.was_late:
        yield "was-late", gettext("The submission timed out on the platform earlier.")
