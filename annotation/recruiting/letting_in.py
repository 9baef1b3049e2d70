"""Somebody who cannot begin, because work is under way under their id in another session.

Where links are not signed, whoever knows an id and comes first is taken for its person. The one who
comes after is refused, kindly; this is noted, and a researcher who sees who is whom lets them in.
"""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet

from annotation import access
from annotation.models import Assignment, HeldUp, PlatformSubmission, Study
from annotation.work import assigning, ending


@dataclass(frozen=True)
class Held:
    """`status` is what the platform says of the submission of the work that is in the way; '' where
    it has told of none such."""

    row: HeldUp
    status: str
    is_asked: bool

    @property
    def work(self) -> Assignment:
        return self.row.assignment


@transaction.atomic
def note(*, assignment: int, now: datetime) -> None:
    """Somebody was refused because of this work."""
    row, is_new = HeldUp.objects.get_or_create(
        assignment_id=assignment, defaults={"first_at": now, "last_at": now}
    )
    if not is_new:
        HeldUp.objects.filter(pk=row.pk).update(times=F("times") + 1, last_at=now)


def waiting() -> QuerySet[HeldUp]:
    """Those in whose way work still is."""
    return HeldUp.objects.filter(assignment__state__in=Assignment.LIVE)


def held_in(study: Study) -> list[Held]:
    rows = waiting().filter(assignment__study=study).select_related("assignment__worker")
    found = list(rows.order_by("-last_at"))
    sessions = {row.assignment.session_hash for row in found} - {""}
    told = PlatformSubmission.objects.filter(session_hash__in=sessions)
    status = {each.session_hash: each.get_status_display() for each in told}
    is_asked = study.platform_studies.filter(polled_at__isnull=False).exists()
    return [Held(row, status.get(row.assignment.session_hash, ""), is_asked) for row in found]


@transaction.atomic
def release(*, work: Assignment, user: User | None, now: datetime) -> None:
    """End the work that is in somebody's way: its place is free, what was done is kept, and it
    does not go on. May be repeated. Raises NotLive where it has been handed in."""
    assigning.lock_worker(work.worker_id)
    if not HeldUp.objects.filter(assignment=work, released_at=None).update(released_at=now):
        return
    ending.time_out(assignment=work, now=now)
    what = f"the work of {work.worker} on {work.task}"
    access.record(user=user, act="let somebody in who was held up", what=what, of=work.study)
