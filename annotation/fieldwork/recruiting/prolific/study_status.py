"""The status of a study on Prolific, for its researcher. Only reads."""

from collections import Counter
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext

from annotation.fieldwork.recruiting.prolific import offers, screened_groups
from annotation.models import (
    Assignment,
    OutcomeCode,
    PlatformStudy,
    PlatformSubmission,
    Study,
    WebhookEvent,
)
from annotation.texts.sentences import marked

Status = PlatformSubmission.Status
SHOWN = 50  # submissions of a kind that wait for a look


@dataclass(frozen=True)
class RemarkKind:
    """Submissions to look at (`where`), and why.

    `is_honest` ones only wait for their participant or for a decision.
    """

    sentence: str
    where: Q
    is_honest: bool = False


def _code_of(outcome: str) -> Exists:
    codes = OutcomeCode.objects.filter(
        study=OuterRef("platform_study__study"), outcome=outcome, code=OuterRef("code")
    )
    return Exists(codes)


DONE_THERE = Q(status=Status.AWAITING_REVIEW)
EXPIRED = Q(assignment__state=Assignment.State.EXPIRED)
NOT_SUBMITTED = (
    DONE_THERE
    & ~EXPIRED
    & ~Q(assignment__submitted_at__isnull=False)
    & ~Q(assignment__decisions__decision="redo")  # submitted before, and open again
)
NO_CONSENT = ~Q(code="") & Q(code=F("platform_study__study__no_consent_code"))
SCREENED_OUT, FAILED_CHECK = Q(_code_of("screened_out")), Q(_code_of("failed_check"))
ENDED_HERE = Q(assignment__outcome__in=["screened_out", "failed_check"])
ENDED_SO = (SCREENED_OUT & Q(assignment__outcome="screened_out")) | (
    FAILED_CHECK & Q(assignment__outcome="failed_check")
)
REMARKS = {
    "not-handed-in": RemarkKind(
        marked(
            "complete on Prolific, but not submitted here. The code may have been shared, or "
            "answers lost. Ask the participant."
        ),
        NOT_SUBMITTED & ~NO_CONSENT & ~SCREENED_OUT & ~FAILED_CHECK & ~ENDED_HERE,
    ),
    "no-consent": RemarkKind(
        marked("no consent. Prolific asked for a return, which frees the place."),
        NOT_SUBMITTED & NO_CONSENT,
        is_honest=True,
    ),
    "screened-out": RemarkKind(
        marked("screened out here. Prolific asked for a return, which frees the place."),
        NOT_SUBMITTED & SCREENED_OUT & ENDED_SO,
        is_honest=True,
    ),
    "other-end": RemarkKind(
        marked("the code doesn't match the outcome here."),
        NOT_SUBMITTED & ~NO_CONSENT & ((SCREENED_OUT | FAILED_CHECK | ENDED_HERE) & ~ENDED_SO),
    ),
    "late": RemarkKind(
        marked("submitted after the place went to someone else. Kept, but not counted."),
        EXPIRED & (DONE_THERE | ~Q(code="")),
    ),
    "gone-there": RemarkKind(
        marked("submitted here, but returned or timed out on Prolific, so unpaid."),
        Q(
            status__in=[Status.RETURNED, Status.TIMED_OUT],
            assignment__state__in=Assignment.COUNTING,
        ),
    ),
    "unknown": RemarkKind(marked("unknown status on Prolific."), Q(status=Status.UNKNOWN)),
    "another-person": RemarkKind(
        marked("the Prolific participant isn't the one in the link."),
        Q(assignment__isnull=False) & ~Q(assignment__worker__external_hash=F("person_hash")),
    ),
}


@dataclass(frozen=True)
class StatusRemark:
    """The number of submissions of a kind, and the first of them."""

    key: str
    sentence: str
    n: int
    submissions: list[PlatformSubmission]
    is_honest: bool = False

    @property
    def is_late(self) -> bool:
        return self.key == "late"


@dataclass(frozen=True)
class StudyStatus:
    """A study on Prolific beside ours."""

    at: PlatformStudy
    wanted: int  # places of our batches
    statuses: list[tuple[str, str, int]]  # status, how it is called, how many

    @property
    def lacking(self) -> int:
        return max(0, self.wanted - self.at.places)

    @property
    def lacks_groups(self) -> bool:
        """True if only this server knows whom the screening admits."""
        return bool(screened_groups.lacking(self.at))


def there(study: Study) -> list[StudyStatus]:
    statuses = []
    for at in study.platform_studies.filter(platform="prolific"):
        counted = Counter(at.submissions.values_list("status", flat=True))
        wanted = offers.places_for(at)
        rows = [
            (key, str(Status(key).label), counted[key]) for key in Status.values if counted[key]
        ]
        statuses.append(StudyStatus(at, wanted, rows))
    return statuses


def arrivals(study: Study) -> tuple[int, int]:
    """Return how many began by a signed link, and how many by an unsigned one."""
    begun = Assignment.objects.filter(study=study, worker__platform="prolific")
    signed = begun.filter(signed=True).count()
    return signed, begun.count() - signed


def remarks(study: Study) -> list[StatusRemark]:
    """Return what differs between Prolific and here, or waits for a decision."""
    of_study = PlatformSubmission.objects.filter(platform_study__study=study)
    found_remarks = []
    for key, kind in REMARKS.items():
        rows = of_study.filter(kind.where)
        submissions = rows.select_related("worker", "assignment__worker", "assignment__task__batch")
        if shown := list(submissions[:SHOWN]):
            n = len(shown) if len(shown) < SHOWN else rows.count()
            found_remarks.append(
                StatusRemark(key, gettext(kind.sentence), n, shown, kind.is_honest)
            )
    return found_remarks


def last_webhook() -> WebhookEvent | None:
    return WebhookEvent.objects.filter(platform="prolific").last()


def webhook_address() -> str:
    return str(settings.PUBLIC_URL + reverse("prolific_webhook"))
