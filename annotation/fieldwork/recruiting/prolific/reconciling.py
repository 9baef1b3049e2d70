"""States of submissions on Prolific, applied to the work here: asked for, never believed.

A webhook only says that something should be asked again (`receiving_webhooks`); the poll asks for
everything. An answer counts from the moment of its question, so that the older of two answers that
cross changes nothing.
"""

import statistics
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
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
from annotation.fieldwork.recruiting.prolific import screened_groups
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
    """Apply what Prolific answered about a submission.

    1. Lock our row of it, a new one if there is none. An answer to an older question ends here.
    2. Link the worker and the work that came by it, as soon as they are known.
    3. If the status changed, change the work (`_follow`).
    """
    submission, _ = PlatformSubmission.objects.get_or_create(
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
    submission = PlatformSubmission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
    if submission.asked_at > asked_at:
        return submission
    before, entered, status = submission.status, submission.code, _status(row)
    submission.status, submission.asked_at = status, asked_at
    submission.code = str(row.get("study_code") or row.get("entered_code") or "")[:60]
    if status != before:
        submission.changed_at, submission.source = asked_at, source
        submission.was_late |= before == Status.TIMED_OUT and status not in PlatformSubmission.GONE
    _link(submission, at)
    submission.save()
    if status != before or submission.code != entered:
        _follow(submission, at, asked_at)
    return submission


def session_of(submission: str) -> str:
    """Return the hash by which work knows its submission."""
    return proof_of(platform=KEY, submission=submission.strip().lower(), browser="").session


def _participant(row: Mapping[str, Any]) -> str:
    return str(row.get("participant_id") or row.get("participant") or "").strip().lower()


def _status(row: Mapping[str, Any]) -> str:
    status = str(row.get("status", "")).upper()
    return status if status in STATUSES else Status.UNKNOWN.value


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
    """Change the work by the new status of its submission.

    Its place is free where it is free there, and answers stay. Submitted work stays as it is.
    """
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
    """Return whether the person entered a code, also after their time."""
    entered = known.status == Status.TIMED_OUT and bool(known.code)
    return entered or known.status == Status.AWAITING_REVIEW


def _reject(work: Assignment, now: datetime) -> None:
    reviewing.decide(
        assignment=work,
        decision=ReviewDecision.Decision.REJECT,
        reviewer="Prolific",
        reason="It was rejected on Prolific.",
        now=now,
    )


def _known() -> QuerySet[PlatformStudy]:
    """Return the studies whose platform IDs are not erased."""
    return PlatformStudy.objects.filter(
        platform=KEY, study__keeping__platform_ids_erased_at__isnull=True
    )


def ask_about(*, submission: str, now: datetime) -> bool:
    """Ask for one submission; return whether its study is ours. Raises what the call raises."""
    row = client_for_settings().submission(submission)
    study = str(row.get("study_id") or row.get("study") or "")
    at = _known().filter(external_id=study).first()
    if at is None:
        return False
    apply(at=at, row=row, asked_at=now, source=Source.WEBHOOK)
    PlatformStudy.objects.filter(pk=at.pk).update(heard_at=now)
    return True


def poll(*, at: PlatformStudy, now: datetime, client: ProlificClient | None = None) -> None:
    """Ask for a study and all its submissions; an error is saved and shown."""
    client = client or client_for_settings()
    rows = PlatformStudy.objects.filter(pk=at.pk)
    try:
        study = client.study(at.external_id)
        times = []
        for row in client.submissions(at.external_id):
            apply(at=at, row=row, asked_at=now, source=Source.POLL)
            if (seconds := _seconds(row)) is not None:
                times.append(seconds)
    except (calls.CallRefused, calls.OutcomeUnknown) as error:
        rows.update(problem=str(error))
        return
    state = str(study.get("status", ""))[:40]
    is_underpaying = study.get("is_underpaying") is True
    median = round(statistics.median(times)) if times else None
    rows.update(
        state=state,
        polled_at=now,
        problem="",
        is_underpaying=is_underpaying,
        median_seconds=median,
    )
    if state == "ACTIVE":  # a pause from now on is a decision of a person
        rows.update(follows=False)
    _update_groups(at, client)


def _seconds(row: Mapping[str, Any]) -> float | None:
    """Return how long a completed submission took there; None if that is unknown."""
    if _status(row) not in (Status.AWAITING_REVIEW, *PlatformSubmission.PAID):
        return None
    start, end = (parsed_time(row.get(name)) for name in ("started_at", "completed_at"))
    if start is None or end is None or end <= start:
        return None
    return (end - start).total_seconds()


def parsed_time(text: Any) -> datetime | None:
    """Return a moment as Prolific writes it, in UTC if it names no zone; None if unreadable."""
    try:
        moment = datetime.fromisoformat(str(text or ""))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def poll_all(*, now: datetime) -> None:
    """Poll every study that is recent on Prolific or has submissions that can still change."""
    if not settings.PROLIFIC_TOKEN:
        return
    waiting = PlatformSubmission.objects.filter(status__in=OPEN_SUBMISSION)
    lately = Q(created_at__gt=now - AFTERWARDS) | Q(
        pk__in=waiting.filter(changed_at__gt=now - AFTERWARDS).values("platform_study")
    )
    polled = list(_known().filter(lately).select_related("study"))
    for at in polled:
        poll(at=at, now=now)
    with_groups = PlatformStudy.objects.filter(platform=KEY).exclude(groups={})
    for at in with_groups.exclude(pk__in=[at.pk for at in polled]).select_related("study"):
        _update_groups(at, client_for_settings())


def _update_groups(at: PlatformStudy, client: ProlificClient) -> None:
    """Send the members of the groups of a study; an error is saved and shown."""
    try:
        screened_groups.update(at=at, client=client)
    except (calls.CallRefused, calls.OutcomeUnknown) as error:
        PlatformStudy.objects.filter(pk=at.pk).update(problem=str(error))
