"""Releasing people who are held up by work of another session under their ID.

Where links are not signed, the first to name an ID is taken for its person. The second one is
refused, and a researcher lets them in, or finds that the work is their own.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from annotation.fieldwork.recruiting import separating_workers
from annotation.fieldwork.work import assigning, ending
from annotation.fieldwork.work.ownership import proof_for
from annotation.models import Assignment, HeldUp, PlatformSubmission, Study, Worker
from annotation.people import access


@dataclass(frozen=True)
class HeldUpWork:
    """Work that holds somebody up.

    `status` is that of its submission on the platform ('' if unknown), `to_reject` is work of the
    same session that has to be rejected first.
    """

    row: HeldUp
    status: str
    is_asked: bool
    to_reject: Assignment | None

    @property
    def work(self) -> Assignment:
        return self.row.assignment

    @property
    def is_to_decide(self) -> bool:
        return self.to_reject is not None


@transaction.atomic
def note(*, assignment: int, now: datetime) -> None:
    """Note that somebody was refused because of this work."""
    row, is_new = HeldUp.objects.get_or_create(
        assignment_id=assignment, defaults={"first_at": now, "last_at": now}
    )
    if not is_new:
        HeldUp.objects.filter(pk=row.pk).update(times=F("times") + 1, last_at=now)
        again = HeldUp.objects.filter(pk=row.pk, assignment__state__in=Assignment.HOLDING)
        again.update(released_at=None)


def held_in(study: Study) -> list[HeldUpWork]:
    """Return the people who wait; as many queries for a hundred as for one."""
    rows = (
        HeldUp.objects.waiting()
        .filter(assignment__study=study)
        .select_related("assignment__worker", "assignment__study")
    )
    waiting = list(rows.order_by("-last_at"))
    sessions = {row.assignment.session_hash for row in waiting} - {""}
    submissions = PlatformSubmission.objects.filter(session_hash__in=sessions)
    status = {
        submission.session_hash: submission.get_status_display() for submission in submissions
    }
    is_asked = study.platform_studies.filter(polled_at__isnull=False).exists()
    counting = _counting(study, {row.assignment.worker_id for row in waiting})
    return [
        HeldUpWork(
            row, status.get(row.assignment.session_hash, ""), is_asked, _first_of(row, counting)
        )
        for row in waiting
    ]


def _counting(study: Study, people: set[int]) -> dict[int, list[Assignment]]:
    rows = Assignment.objects.counting().filter(study__slug=study.slug, worker__in=people)
    work_by_worker: dict[int, list[Assignment]] = defaultdict(list)
    for work in rows.select_related("study").order_by("pk"):
        work_by_worker[work.worker_id].append(work)
    return work_by_worker


def _first_of(row: HeldUp, counting: dict[int, list[Assignment]]) -> Assignment | None:
    proof = proof_for(row.assignment)
    return next((work for work in counting[row.assignment.worker_id] if proof.owns(work)), None)


@transaction.atomic
def release(*, work: Assignment, user: User | None, now: datetime) -> None:
    """Separate the work that holds somebody up, with all of its session; may be repeated.

    Live work ends, and its place is free. Raises NotLive for submitted work that is not rejected:
    two works of one person would count.
    """
    assigning.lock_worker(work.worker_id)
    if not HeldUp.objects.filter(assignment=work, released_at=None).update(released_at=now):
        return
    before, theirs = work.worker, separating_workers.theirs(work)
    # Else a second click, on other work of the session, would move all of it once more.
    HeldUp.objects.filter(assignment__in=theirs, released_at=None).update(released_at=now)
    for live in theirs.live():
        ending.time_out(assignment=live, now=now)
    other = separating_workers.set_apart(work=work, now=now)
    _record("let in a blocked participant", before, work, user, f", now assigned to {other}")


@transaction.atomic
def leave(*, work: Assignment, user: User | None) -> None:
    """Note that the work is of the person who came again, so nobody waits."""
    held = HeldUp.objects.filter(assignment=work, released_at=None)
    if held.exclude(assignment__state__in=Assignment.LIVE).delete()[0]:
        _record("found no blocked participant", work.worker, work, user)


def _record(act: str, worker: Worker, work: Assignment, user: User | None, more: str = "") -> None:
    entry = f"the work of {worker} on {work.task}{more}"
    access.record(user=user, act=act, what=entry, of=work.study)
