"""Approved work that is not paid yet, by what its payment waits for. Only reads."""

from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, TextChoices, Value, When
from django.utils.translation import gettext_lazy

from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.models import LedgerEntry, Payment, PlatformSubmission, Study

Status = PlatformSubmission.Status


class Due(TextChoices):
    """Reasons why approved work is not paid yet."""

    PAYABLE = "payable", gettext_lazy("ready to pay")
    ORDERED = "ordered", gettext_lazy("ordered, in progress")
    AUTOMATIC = "automatic", gettext_lazy("screened out, paid by the platform")
    SETTLED_BY_BONUS = "bonus", gettext_lazy("pay as a bonus")
    PARTLY = "partly", gettext_lazy("partly paid; pay the rest as a bonus")
    NO_SUBMISSION = "nowhere", gettext_lazy("no submission found; pay on the platform")


def is_by_platform(study: Study) -> bool:
    """Return whether the platform pays on request; otherwise researchers pay and note it."""
    return study.recruitment == Study.Recruitment.PROLIFIC


def dues_of(study: Study) -> QuerySet[Any]:
    """Return the standing approvals of unpaid work, with `waits_for` (one of `Due`)."""
    paid = LedgerEntry.objects.filter(
        assignment=OuterRef("assignment"), kind=LedgerEntry.Kind.PAID, reversal=None
    )
    rows = LedgerEntry.objects.filter(
        ~Exists(paid), study=study, kind=LedgerEntry.Kind.APPROVED, reversal=None
    )
    return rows.annotate(waits_for=Case(*_cases(study), default=Value(Due.PAYABLE.value)))


def _cases(study: Study) -> list[When]:
    rewards = Payment.objects.filter(assignment=OuterRef("assignment"), kind="reward")
    ordered = Exists(rewards.exclude(state=Payment.State.REFUSED))
    if not is_by_platform(study):
        return [When(ordered, then=Value(Due.ORDERED.value))]
    submissions = submissions_of("assignment", "assignment__session_hash")
    cases = {
        Due.ORDERED: ordered,
        Due.AUTOMATIC: Q(assignment__outcome=Outcome.SCREENED_OUT),
        Due.NO_SUBMISSION: Q(assignment__external_id=b""),
        Due.PARTLY: Exists(submissions.filter(status=Status.PARTIALLY_APPROVED)),
        Due.SETTLED_BY_BONUS: Exists(submissions.filter(status__in=PlatformSubmission.GONE))
        | Exists(_rejections())
        | Exists(rewards_of_other_work()),
    }
    return [When(condition, then=Value(due.value)) for due, condition in cases.items()]


def submissions_of(work: str, session: str) -> QuerySet[PlatformSubmission]:
    """Return the platform's submissions of a piece of work; the names are those of outer columns.

    Several pieces of work can come by one submission, which is linked to the last of them.
    """
    by_session = Q(session_hash=OuterRef(session)) & ~Q(session_hash="")
    return PlatformSubmission.objects.filter(Q(assignment=OuterRef(work)) | by_session)


def _rejections() -> QuerySet[Payment]:
    rows = Payment.objects.filter(assignment=OuterRef("assignment"), kind="rejection")
    return rows.exclude(state=Payment.State.REFUSED)


def rewards_of_other_work() -> QuerySet[Payment]:
    """Return the rewards of other work by the same submission, which a platform pays once."""
    rows = Payment.objects.filter(
        kind="reward",
        way=Payment.Way.PLATFORM,
        worker=OuterRef("worker"),
        assignment__session_hash=OuterRef("assignment__session_hash"),
    )
    rows = rows.exclude(state=Payment.State.REFUSED).exclude(assignment=OuterRef("assignment"))
    return rows.exclude(assignment__session_hash="")
