"""Open batches to which nobody can come, because recruiting on Prolific has stopped."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from annotation import signals
from annotation.fieldwork.recruiting.prolific.publishing import ACTIVE, ENDED, PAUSED
from annotation.models import Batch, Place, PlatformStudy, PlatformSubmission, Study
from annotation.people.access.roles import Act
from annotation.studies.waiting_notices import WaitingNotice
from annotation.texts.sentences import marked

FREE_THERE = (*PlatformSubmission.GONE, PlatformSubmission.Status.SCREENED_OUT)
WHY = {
    "": marked("This study isn't on Prolific yet."),
    "UNPUBLISHED": marked("The draft on Prolific isn't published."),
    PAUSED: marked("The study on Prolific is paused."),
    **dict.fromkeys(ENDED, marked("The study on Prolific has ended.")),
    ACTIVE: marked("The study on Prolific has no free places."),
}
OTHER = marked("The study on Prolific isn't active.")


@dataclass(frozen=True)
class Standstill:
    """Free places of open batches that nobody on Prolific can take, and why."""

    places: int
    why: str


def standstills_of(studies: Sequence[Study]) -> dict[int, Standstill]:
    """Return the standstill of each study that has one, by primary key; three queries."""
    mine = {
        study_here.pk: study_here
        for study_here in studies
        if study_here.recruitment == Study.Recruitment.PROLIFIC
        and study_here.purpose == Study.Purpose.STUDY
        and study_here.launched_at is not None
    }
    if not mine:
        return {}
    free = _free_places(mine)
    studies_by_terms = _there(free)
    standstills = {}
    for (study, pay, minutes), places in free.items():
        studies_there = studies_by_terms.get((study, pay, minutes), [])
        if any(at.state == ACTIVE and room > 0 for at, room in studies_there):
            continue
        if not studies_there and not settings.PROLIFIC_TOKEN:
            continue  # the study was made on Prolific by hand, and nobody can look
        state = max((at.state for at, _ in studies_there), key=_interest, default="")
        standstills[study] = Standstill(places, gettext(WHY.get(state, OTHER)))
    return standstills


Terms = tuple[int, Decimal, int]


def _free_places(studies: Mapping[int, Study]) -> dict[Terms, int]:
    free: defaultdict[Terms, int] = defaultdict(int)
    rows = Place.objects.filter(
        task__batch__study__in=studies, task__batch__state=Batch.State.OPEN, assignment=None
    )
    counts = rows.order_by().values_list("task__batch").annotate(n=Count("pk"))
    numbers = dict(counts)
    for batch in Batch.objects.filter(pk__in=numbers):
        pay, minutes = batch.terms_in(studies[batch.study_id])
        free[batch.study_id, pay, minutes] += numbers[batch.pk]
    return dict(free)


def _there(free: Mapping[Terms, int]) -> dict[Terms, list[tuple[PlatformStudy, int]]]:
    studies_by_terms: defaultdict[Terms, list[tuple[PlatformStudy, int]]] = defaultdict(list)
    taken = Count("submissions", ~Q(submissions__status__in=FREE_THERE))
    rows = PlatformStudy.objects.filter(
        platform="prolific", study__in={study for study, *_ in free}
    )
    for at in rows.annotate(taken=taken):
        studies_by_terms[at.study_id, at.pay, at.minutes].append((at, at.places - at.taken))
    return dict(studies_by_terms)


def _interest(state: str) -> int:
    """Return the rank of a state where several studies on Prolific have the same terms."""
    order = ["", *ENDED, "UNPUBLISHED", PAUSED, ACTIVE]
    return order.index(state) if state in order else 0


@receiver(signals.waiting)
def tell(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """Return which studies wait because nobody comes from Prolific."""
    by_pk = {study.pk: study for study in studies}
    return {
        pk: WaitingNotice(
            standstill.why
            + " "
            + ngettext(
                "{places:,} free place can't be filled.",
                "{places:,} free places can't be filled.",
                standstill.places,
            ).format(places=standstill.places),
            gettext("no participants from Prolific"),
            gettext("Check Prolific"),
            reverse("at_prolific", args=[by_pk[pk].slug, by_pk[pk].version]),
            Act.RUN,
            is_bad=True,
            code="prolific_stalled",
        )
        for pk, standstill in standstills_of(studies).items()
    }
