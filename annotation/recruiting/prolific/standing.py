"""How a study stands at Prolific, for its researcher. Only reads."""

from collections import Counter
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from annotation.models import Assignment, PlatformStudy, PlatformSubmission, Study, WebhookEvent
from annotation.recruiting.prolific import offers
from annotation.texts.sentences import marked

Status = PlatformSubmission.Status
LATE = marked("done after the time, when the place was taken. The work is kept and not counted.")
SHOWN = 50  # submissions of a kind that wait for a look


@dataclass(frozen=True)
class Remark:
    """Submissions that should be looked at, and why; late work can be taken in."""

    sentence: str
    submissions: list[PlatformSubmission]
    is_late: bool = False


@dataclass(frozen=True)
class There:
    """A study at Prolific beside ours."""

    at: PlatformStudy
    wanted: int  # places of our batches
    statuses: list[tuple[str, int]]

    @property
    def lacking(self) -> int:
        return max(0, self.wanted - self.at.places)


def there(study: Study) -> list[There]:
    found = []
    for at in study.platform_studies.filter(platform="prolific"):
        counted = Counter(at.submissions.values_list("status", flat=True))
        wanted = offers.places_for(at)
        rows = [(Status(key).label, counted[key]) for key in Status.values if counted[key]]
        found.append(There(at, wanted, rows))
    return found


def arrivals(study: Study) -> tuple[int, int]:
    """How many began by a link that Prolific signed, and how many by one that it did not."""
    begun = Assignment.objects.filter(study=study, worker__platform="prolific")
    signed = begun.filter(signed=True).count()
    return signed, begun.count() - signed


def remarks(study: Study) -> list[Remark]:
    """What does not agree between Prolific and us, or waits for a decision."""
    rows = PlatformSubmission.objects.filter(platform_study__study=study)
    rows = rows.select_related("worker", "assignment__worker", "assignment__task__batch")
    done_there, late = rows.filter(status=Status.AWAITING_REVIEW), gettext(LATE)
    kinds: list[tuple[str, QuerySet[PlatformSubmission]]] = [
        (
            gettext(
                "done on Prolific, and nothing was handed in here. The code may be guessed, "
                "or passed on."
            ),
            done_there.exclude(assignment__submitted_at__isnull=False)
            .exclude(assignment__state=Assignment.State.EXPIRED)
            .exclude(assignment__outcome="failed_check"),
        ),
        (
            late,
            rows.filter(assignment__state=Assignment.State.EXPIRED).exclude(code="")
            | done_there.filter(assignment__state=Assignment.State.EXPIRED),
        ),
        (
            gettext(
                "handed in here, and returned or timed out on Prolific, which pays nobody for it."
            ),
            rows.filter(
                status__in=[Status.RETURNED, Status.TIMED_OUT],
                assignment__state__in=Assignment.COUNTING,
            ),
        ),
        (
            gettext("in a state on Prolific that we do not know."),
            rows.filter(status=Status.UNKNOWN),
        ),
    ]
    said = [Remark(sentence, list(found[:SHOWN]), sentence == late) for sentence, found in kinds]
    others = [each for each in rows.filter(assignment__isnull=False) if each.names_another_person]
    said.append(Remark(gettext("of another person on Prolific than the link named."), others))
    return [each for each in said if each.submissions]


def last_webhook() -> WebhookEvent | None:
    return WebhookEvent.objects.filter(platform="prolific").last()


def webhook_address() -> str:
    return str(settings.PUBLIC_URL + reverse("prolific_webhook"))
