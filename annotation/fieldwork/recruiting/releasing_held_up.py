"""Somebody who cannot begin, because of work under their id that began in another session.

Where links are not signed, whoever knows an id and comes first is taken for its person. The one who
comes after is refused, kindly; this is noted, and a researcher who sees who is whom lets them in,
or finds that the work is their own.
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
    """`status` is what the platform says of the submission of the work that is in the way; '' where
    it has told of none such; `to_reject` what of the same session has to be rejected before
    somebody else can begin in its stead."""

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
    """Somebody was refused because of this work: where they had been let in before, it came back
    since, as by another decision."""
    row, is_new = HeldUp.objects.get_or_create(
        assignment_id=assignment, defaults={"first_at": now, "last_at": now}
    )
    if not is_new:
        HeldUp.objects.filter(pk=row.pk).update(times=F("times") + 1, last_at=now)
        again = HeldUp.objects.filter(pk=row.pk, assignment__state__in=Assignment.HOLDING)
        again.update(released_at=None)


def held_in(study: Study) -> list[HeldUpWork]:
    """Whoever waits; as many queries for a hundred as for one."""
    rows = (
        HeldUp.objects.waiting()
        .filter(assignment__study=study)
        .select_related("assignment__worker", "assignment__study")
    )
    found = list(rows.order_by("-last_at"))
    sessions = {row.assignment.session_hash for row in found} - {""}
    told = PlatformSubmission.objects.filter(session_hash__in=sessions)
    status = {each.session_hash: each.get_status_display() for each in told}
    is_asked = study.platform_studies.filter(polled_at__isnull=False).exists()
    counting = _counting(study, {row.assignment.worker_id for row in found})
    return [
        HeldUpWork(
            row, status.get(row.assignment.session_hash, ""), is_asked, _first_of(row, counting)
        )
        for row in found
    ]


def _counting(study: Study, people: set[int]) -> dict[int, list[Assignment]]:
    """What counts of each of these people, in all versions of the study."""
    rows = Assignment.objects.counting().filter(study__slug=study.slug, worker__in=people)
    of: dict[int, list[Assignment]] = defaultdict(list)
    for each in rows.select_related("study").order_by("pk"):
        of[each.worker_id].append(each)
    return of


def _first_of(row: HeldUp, counting: dict[int, list[Assignment]]) -> Assignment | None:
    """The first that was done with it in one session, as `setting_apart.theirs` has them."""
    proof = proof_for(row.assignment)
    return next((each for each in counting[row.assignment.worker_id] if proof.owns(each)), None)


@transaction.atomic
def release(*, work: Assignment, user: User | None, now: datetime) -> None:
    """What is in somebody's way is so no more, nor is anything else that was done in the same
    session: all of it gets a pseudonym of its own. May be repeated.

    Live work ends: its place is free, what was done is kept, and it does not go on. Raises NotLive
    where work is handed in and not rejected: two works of one person would count.
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
    _record("let somebody in who was held up", before, work, user, f"; it is {other}'s now")


@transaction.atomic
def leave(*, work: Assignment, user: User | None) -> None:
    """The work is of the person who came again: nobody waits, until they come once more."""
    held = HeldUp.objects.filter(assignment=work, released_at=None)
    if held.exclude(assignment__state__in=Assignment.LIVE).delete()[0]:
        _record("found that nobody was held up", work.worker, work, user)


def _record(act: str, worker: Worker, work: Assignment, user: User | None, more: str = "") -> None:
    what = f"the work of {worker} on {work.task}{more}"
    access.record(user=user, act=act, what=what, of=work.study)
