"""What Prolific says about submissions becomes what is true here: asked for, never believed.

A webhook only says that something should be asked again (`hearing`); the poll asks for everything
and finds what webhooks missed. An answer counts from the moment of its question on, so that of two
answers that cross each other the older one changes nothing.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from annotation import signals
from annotation.fieldwork.paying import accounting
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.platforms.prolific_client import ProlificClient, client_for_settings
from annotation.fieldwork.review import accepting_late_work, reviewing
from annotation.fieldwork.work import assigning, ending
from annotation.fieldwork.work.ownership import proof_of
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import (
    Assignment,
    PlatformStudy,
    PlatformSubmission,
    ReviewDecision,
    Worker,
)
from annotation.people.pseudonyms import encrypted, hashed

log = structlog.get_logger(__name__)
KEY = "prolific"
Status, Source = PlatformSubmission.Status, PlatformSubmission.Source
STATUSES = frozenset(Status.values)
OPEN_SUBMISSION = (Status.RESERVED, Status.ACTIVE, Status.AWAITING_REVIEW)
AFTERWARDS = timedelta(days=30)  # for so long a study is asked about after its end


@transaction.atomic
def apply(
    *, at: PlatformStudy, row: Mapping[str, Any], asked_at: datetime, source: str
) -> PlatformSubmission:
    """Take over what Prolific said of a submission when it was asked.

    1. Find or make our row of it, and lock it. An answer to an older question ends here.
    2. Link the worker and the work that came by it, as soon as they are known.
    3. Where the status is another one than before, do what follows from it (`_follow`).
    """
    known, _ = PlatformSubmission.objects.get_or_create(
        platform_study=at,
        session_hash=session_of(str(row["id"])),
        defaults={
            "external_id": encrypted(str(row["id"])),
            "person_hash": hashed(platform=KEY, external_id=_participant(row)),
            "status": Status.RESERVED,
            "asked_at": asked_at,
            "changed_at": asked_at,
            "source": source,
        },
    )
    known = PlatformSubmission.objects.select_for_update(of=("self",)).get(pk=known.pk)
    if known.asked_at > asked_at:
        return known
    before, entered, status = known.status, known.code, _status(row)
    known.status, known.asked_at = status, asked_at
    known.code = str(row.get("study_code") or row.get("entered_code") or "")[:60]
    if status != before:
        known.changed_at, known.source = asked_at, source
        known.was_late |= before == Status.TIMED_OUT and status not in PlatformSubmission.GONE
    _link(known, at)
    known.save()
    if status != before or known.code != entered:
        _follow(known, at, asked_at)
    return known


def session_of(submission: str) -> str:
    """The hash by which work knows the submission it was begun for."""
    return proof_of(platform=KEY, submission=submission.strip().lower(), browser="").session


def _participant(row: Mapping[str, Any]) -> str:
    return str(row.get("participant_id") or row.get("participant") or "").strip().lower()


def _status(row: Mapping[str, Any]) -> str:
    said = str(row.get("status", "")).upper()
    return said if said in STATUSES else Status.UNKNOWN.value


def _link(known: PlatformSubmission, at: PlatformStudy) -> None:
    if known.worker_id is None:
        known.worker = Worker.objects.filter(platform=KEY, external_hash=known.person_hash).first()
    if known.assignment_id is None or known.assignment.submitted_at is None:  # type: ignore[union-attr]
        work = _work_of(known, at).order_by("-submitted_at", "-pk")
        handed_in = work.filter(submitted_at__isnull=False).first()
        known.assignment = handed_in or work.order_by("-pk").first()


def _work_of(known: PlatformSubmission, at: PlatformStudy) -> Any:
    return Assignment.objects.filter(study__slug=at.study.slug, session_hash=known.session_hash)


def _follow(known: PlatformSubmission, at: PlatformStudy, now: datetime) -> None:
    """What a new status does to the work: its place is free where it is free there, and what was
    done is kept. Work that was handed in meanwhile stays as it is, marked by its status there."""
    for work in _work_of(known, at).select_related("study"):
        if work.outcome == Outcome.SCREENED_OUT:  # owed until the submission is over without it
            accounting.settle(works=Assignment.objects.filter(pk=work.pk), now=now)
        try:
            if known.status == Status.RETURNED and work.is_live:
                assigning.return_task(assignment=work, now=now)
            elif known.status in (Status.TIMED_OUT, Status.REJECTED) and work.is_live:
                ending.time_out(assignment=work, now=now)
            elif known.status == Status.SCREENED_OUT and work.is_live:
                ending.end(assignment=work, outcome=Outcome.SCREENED_OUT, now=now)
                signals.screened_out.send(sender=Assignment, assignment=work)
            elif known.status == Status.REJECTED and work.state == Assignment.State.SUBMITTED:
                _reject(work, now)
            elif _was_completed(known) and work.state == Assignment.State.EXPIRED:
                accepting_late_work.receive_late(assignment=work, now=now)
        except (NotLive, reviewing.CannotReview) as slower:
            log.info("the work went on meanwhile", work=work.pk, reason=str(slower))


def _was_completed(known: PlatformSubmission) -> bool:
    """Whether the person says that they are done, be it after their time."""
    entered = known.status == Status.TIMED_OUT and bool(known.code)
    return entered or known.status == Status.AWAITING_REVIEW


def _reject(work: Assignment, now: datetime) -> None:
    """Somebody rejected it on Prolific's own pages: its place is free there, and here."""
    reviewing.decide(
        assignment=work,
        decision=ReviewDecision.Decision.REJECT,
        reviewer="Prolific",
        reason="It was rejected on Prolific.",
        now=now,
    )


def _known() -> QuerySet[PlatformStudy]:
    """Those whose people may be known: not where their ids were erased after the study."""
    return PlatformStudy.objects.filter(
        platform=KEY, study__keeping__platform_ids_erased_at__isnull=True
    )


def ask_about(*, submission: str, now: datetime, client: ProlificClient | None = None) -> bool:
    """Ask for one submission; whether it is one of a study of ours. Raises what the call raises."""
    row = (client or client_for_settings()).submission(submission)
    study = str(row.get("study_id") or row.get("study") or "")
    at = _known().filter(external_id=study).first()
    if at is None:
        return False
    apply(at=at, row=row, asked_at=now, source=Source.WEBHOOK)
    PlatformStudy.objects.filter(pk=at.pk).update(heard_at=now)
    return True


def poll(*, at: PlatformStudy, now: datetime, client: ProlificClient | None = None) -> None:
    """Ask for a study and all its submissions. What went wrong is kept and shown."""
    client = client or client_for_settings()
    rows = PlatformStudy.objects.filter(pk=at.pk)
    try:
        study = client.study(at.external_id)
        for row in client.submissions(at.external_id):
            apply(at=at, row=row, asked_at=now, source=Source.POLL)
    except (calls.CallRefused, calls.OutcomeUnknown) as error:
        rows.update(problem=str(error))
        return
    state = str(study.get("status", ""))[:40]
    rows.update(state=state, polled_at=now, problem="")
    if state == "ACTIVE":  # a pause from now on is a decision of a person
        rows.update(follows=False)


def poll_all(*, now: datetime) -> None:
    """Poll every study that runs at Prolific or has submissions that can still change."""
    if not settings.PROLIFIC_TOKEN:
        return
    waiting = PlatformSubmission.objects.filter(status__in=OPEN_SUBMISSION)
    lately = Q(created_at__gt=now - AFTERWARDS) | Q(
        pk__in=waiting.filter(changed_at__gt=now - AFTERWARDS).values("platform_study")
    )
    for at in _known().filter(lately).select_related("study"):
        poll(at=at, now=now)
