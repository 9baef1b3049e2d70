"""The life of an assignment: arrived -> active -> submitted; or returned, expired, withdrawn.

Every step is one transaction, and every change of state is an UPDATE guarded by the state it starts
from: the slower of two requests gets a clear answer, not a second row. Places are rows
(models.Place), so a quota cannot be exceeded.

Locks are taken in this order: worker, the worker's assignments, batches, a held place. A free place
is locked before the assignment it is for.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from annotation import jobs, signals, wiping
from annotation.fieldwork.work import withdrawal_journal
from annotation.fieldwork.work.admission import is_due, require_admitted
from annotation.fieldwork.work.arms import place_in_arm
from annotation.fieldwork.work.choosing_places import free_place_of, place_beyond
from annotation.fieldwork.work.eligible_tasks import eligibility_of, not_open
from annotation.fieldwork.work.other_sessions import blaming_another_session
from annotation.fieldwork.work.ownership import Proof, together_with
from annotation.fieldwork.work.pacing import count_arrival
from annotation.fieldwork.work.refusals import (
    Incomplete,
    NoTaskLeft,
    NotLive,
    OtherSession,
    SubmissionUsed,
    consent_withdrawn,
)
from annotation.models import Assignment, Consent, Exposure, Place, Study, Task, Worker
from annotation.people.pseudonyms import encrypted
from annotation.refusals import Refusal

State = Assignment.State
HOLD = timedelta(minutes=15)  # for a place on which no work is done yet
NOTHING = Proof()


@transaction.atomic
def claim(
    *,
    study: Study,
    worker: Worker,
    now: datetime,
    external_id: str = "",
    proof: Proof = NOTHING,
    address: str = "",
) -> Assignment:
    """Give the worker a place on a task, or the assignment they already work on.

    1. Lock the worker: requests of one person are taken one after the other.
    2. Resume a live assignment for a person who has proved that it is theirs.
    3. Refuse if the submission has had its task, the study is closed or consent was withdrawn.
    4. Find the tasks that the worker may get (eligibility).
    5. Resume late work if it is theirs and a place of its task is still free.
    6. Draw the worker's arm where the study has arms and they have none yet.
    7. Take the first free place, unless too many came from the network address just now.

    The place is held shortly (HOLD), and for the study's time limit from the first sign of work
    (`note_work`). Raises SubmissionUsed, StudyNotOpen, OtherSession, ConsentWithdrawn, NothingNew,
    NoTaskLeft, TooManyAtOnce, ScreenedOut, NotQualified, and what `eligibility_of` raises;
    BegunInOtherSession where that rests on work of another session.
    """
    lock_worker(worker.pk)
    if (live := live_assignment(study=study, worker=worker, proof=proof)) is not None:
        return live
    alone = study.one_task_a_submission and bool(proof.session)
    if alone and Assignment.objects.spending(proof.session).exists():
        raise SubmissionUsed
    if not study.batches.open().exists():
        raise not_open(study)
    # Some withdraw before they consent, and so have no consent that could be withdrawn.
    theirs = Assignment.objects.filter(proof.owned, study=study, worker=worker)
    if theirs.filter(state=State.WITHDRAWN).exists():
        raise consent_withdrawn()
    with blaming_another_session(study=study, worker=worker, proof=proof):
        require_admitted(study=study, worker=worker)
        eligibility = eligibility_of(study=study, worker=worker, owned=proof.owned)
    for late_work in eligibility.late.filter(proof.owned).order_by("-pk"):
        if not is_spent(late_work) and (place := free_place_of(late_work)) is not None:
            return _go_on(late_work, place, now)
    count_arrival(study=study, address=address, now=now)
    with blaming_another_session(study=study, worker=worker, proof=proof):
        free = place_in_arm(eligibility, study=study, worker=worker)
    return _take(
        free,
        study,
        worker,
        now,
        external_id=encrypted(external_id) if external_id else b"",
        session_hash=proof.session,
        browser_hash=proof.browser,
        signed=proof.signed,
        alone=alone,
    )


def live_assignment(*, study: Study, worker: Worker, proof: Proof) -> Assignment | None:
    """Return the worker's live assignment. Raises OtherSession if it may be another's."""
    rows = Assignment.objects.filter(study=study, worker=worker).live().select_related("task")
    live = rows.first()
    if live is not None and not rows.filter(proof.owned).exists():
        raise OtherSession(live.pk)
    return live


def lock_worker(worker: int) -> None:
    """Lock a worker, so that their requests are taken one after the other.

    Without the key: rows that refer to the worker can be inserted meanwhile, or they and we would
    wait for each other.
    """
    Worker.objects.select_for_update(no_key=True).get(pk=worker)


@transaction.atomic
def assign(
    *, task: Task, worker: Worker, now: datetime, external_id: str = "", meet_again: bool = False
) -> Assignment:
    """Put a worker on a given task, such as one of an imported study.

    `meet_again` accepts that the worker has met a unit before. Raises NoTaskLeft.
    """
    lock_worker(worker.pk)
    free = Place.objects.filter(task=task, assignment=None).select_for_update(of=("self",))
    place = free.select_related("task").order_by("number").first()
    if place is None:
        raise NoTaskLeft
    sealed = encrypted(external_id) if external_id else b""
    return _take(place, task.batch.study, worker, now, meet_again, external_id=sealed)


def _take(
    place: Place,
    study: Study,
    worker: Worker,
    now: datetime,
    meet_again: bool = False,
    **known: str | bytes | bool,
) -> Assignment:
    """Put the worker on a locked free place, and note the units they will meet."""
    assignment = Assignment(
        task=place.task,
        study=study,
        worker=worker,
        arrived_at=now,
        expires_at=now + held(study),
        **known,
    )
    if assignment.alone:
        _insert_alone(assignment)
    else:
        assignment.save(force_insert=True)
    if not Place.objects.filter(pk=place.pk, assignment=None).update(assignment=assignment):
        raise NoTaskLeft  # rolls the assignment back
    Exposure.objects.bulk_create(
        (
            Exposure(study=study, worker=worker, unit=unit, assignment=assignment)
            for unit in place.task.units.values_list("unit", flat=True)
        ),
        ignore_conflicts=meet_again,
    )
    return assignment


def _insert_alone(assignment: Assignment) -> None:
    """Insert the only work of a submission. Raises SubmissionUsed if another person named it."""
    try:
        with transaction.atomic():
            assignment.save(force_insert=True)
    except IntegrityError as error:
        if "one_work_per_submission" in str(error) or "session_hash" in str(error):
            raise SubmissionUsed from error
        raise


def is_spent(late: Assignment) -> bool:
    """Return whether the submission of late work has had another task since."""
    return late.alone and Assignment.objects.spending(late.session_hash).exists()


def held(study: Study, *, worked: bool = False) -> timedelta:
    """Return how long a place is held, before or from the first sign of work."""
    limit = timedelta(minutes=study.time_limit_minutes)
    return limit if worked else min(HOLD, limit)


def note_work(*, assignment: Assignment, now: datetime) -> None:
    """Hold the place for the study's time limit, from the first sign of work on."""
    expires_at = now + held(assignment.study, worked=True)
    if Assignment.objects.filter(pk=assignment.pk, worked_at=None).update(
        worked_at=now, expires_at=expires_at
    ):
        assignment.worked_at, assignment.expires_at = now, expires_at


@transaction.atomic
def begin(*, assignment: Assignment, now: datetime) -> Assignment:
    """Store the consent and start the clock; may be repeated."""
    study = assignment.study
    _move(assignment, [State.ARRIVED], State.ACTIVE, allow=[State.ACTIVE], started_at=now)
    Consent.objects.get_or_create(
        study=study,
        worker=assignment.worker,
        withdrawn_at=None,
        defaults={"version": study.consent_version, "given_at": now},
    )
    return assignment


@transaction.atomic
def submit(
    *, assignment: Assignment, now: datetime, exit_answers: dict[str, Any] | None = None
) -> Assignment:
    """Submit the work if its kind says that it is complete; submitting twice is once.

    Without `exit_answers` earlier ones stay. Raises NotLive, or the refusal of the kind.
    """
    answers = {} if exit_answers is None else {"exit_answers": exit_answers}
    rows = Assignment.objects.select_for_update(no_key=True).values_list("state", flat=True)
    if rows.get(pk=assignment.pk) == State.ACTIVE:
        _require_complete(assignment)
    moved = _move(
        assignment,
        [State.ACTIVE],
        State.SUBMITTED,
        allow=[State.SUBMITTED, State.ACCEPTED],
        submitted_at=now,
        **answers,
    )
    if moved:
        signals.submitted.send(sender=Assignment, assignment=assignment)
    return assignment


def _require_complete(assignment: Assignment) -> None:
    """Raise the refusal of the study kind, or Incomplete if no kind confirms the work."""
    if is_due(assignment):
        raise Incomplete
    answers = signals.submitting.send(sender=Assignment, assignment=assignment)
    if not any(complete for _, complete in answers):
        raise Incomplete


@transaction.atomic
def return_task(*, assignment: Assignment, now: datetime) -> Assignment:
    """Return the task, which frees its place."""
    _move(assignment, Assignment.LIVE, State.RETURNED, allow=[State.RETURNED], ended_at=now)
    _free(assignment)
    return assignment


@transaction.atomic
def withdraw(*, assignment: Assignment, now: datetime) -> Assignment:
    """Withdraw the worker's consent to the study, at any time, even after payment.

    All their work in the study is withdrawn, study kinds erase the answers (signal `withdrawn`),
    and places are free again. Work of another person under the same ID stays (work.ownership).
    Before the participant gets an answer, a journal beside the database has it.
    """
    lock_worker(assignment.worker_id)
    _reread(assignment)  # it may have been set apart just now
    hashes = []
    mine = Assignment.objects.filter(study=assignment.study_id, worker=assignment.worker_id)
    theirs = together_with(assignment).filter(study=assignment.study_id)
    for work in theirs.exclude(state=State.WITHDRAWN).select_for_update(no_key=True):
        _move(
            work,
            [work.state],
            State.WITHDRAWN,
            ended_at=now,
            entry_answers={},
            exit_answers={},
        )
        _free(work)
        signals.withdrawn.send(sender=Assignment, assignment=work)
        wiping.mark_erasure()
        hashes.append(work.token_hash)
    if hashes:
        jobs.after_commit(withdrawal_journal.note_or_mark, now, hashes)
    if not mine.filter(started_at__isnull=False).exclude(state=State.WITHDRAWN).exists():
        Consent.objects.filter(
            study=assignment.study_id, worker=assignment.worker_id, withdrawn_at=None
        ).update(withdrawn_at=now)
    assignment.refresh_from_db()
    return assignment


def expire_due(*, now: datetime) -> int:
    """Expire live assignments whose time is over; return how many.

    Redos are left out: they wait for a reviewer again (review.returning_redos).
    """
    rows = Assignment.objects.live().filter(expires_at__lte=now)
    redos = Assignment.objects.redos().values("pk")
    due = rows.exclude(pk__in=redos).values_list("pk", flat=True)
    return sum(_expire(pk, now) for pk in list(due))


@transaction.atomic
def _expire(pk: int, now: datetime) -> bool:
    moved = Assignment.objects.filter(pk=pk, state__in=Assignment.LIVE, expires_at__lte=now).update(
        state=State.EXPIRED, ended_at=now
    )
    if moved:
        Place.objects.filter(assignment=pk).update(assignment=None)
    return bool(moved)


@transaction.atomic
def revive(*, assignment: Assignment, now: datetime, beyond: bool = False) -> Assignment:
    """Let late work go on, as long as a place of the task is free; may be repeated.

    Raises NotLive where no place is free and neither the study (`late_work`) nor a person
    (`beyond`) adds one, where the worker is on another task, or is not eligible.
    """
    lock_worker(assignment.worker_id)
    _reread(assignment)
    if assignment.is_live:
        return assignment
    mine = Assignment.objects.filter(study=assignment.study_id, worker=assignment.worker_id)
    if assignment.state != State.EXPIRED or mine.live().exists():
        raise NotLive(assignment.state)
    place = None
    if _is_eligible(assignment):
        place = free_place_of(assignment) or place_beyond(assignment, wanted=beyond)
    if place is None:
        raise NotLive(State.EXPIRED)
    return _go_on(assignment, place, now)


def _is_eligible(late: Assignment) -> bool:
    if is_spent(late):
        return False
    try:
        eligibility = eligibility_of(study=late.study, worker=late.worker)
    except Refusal:
        return False
    return eligibility.late.filter(pk=late.pk).exists()


def _go_on(assignment: Assignment, place: Place, now: datetime) -> Assignment:
    """Put late work on a locked free place of its task, with its whole time again."""
    _move(
        assignment,
        [State.EXPIRED],
        State.ACTIVE if assignment.started_at else State.ARRIVED,
        ended_at=None,
        expires_at=now + held(assignment.study, worked=assignment.worked_at is not None),
    )
    Place.objects.filter(pk=place.pk).update(assignment=assignment)
    return assignment


def _move(
    assignment: Assignment,
    sources: list[Any] | tuple[Any, ...],
    target: Assignment.State,
    allow: list[Assignment.State] | None = None,
    **changes: Any,
) -> bool:
    """Change the state from one of `sources`; do nothing if it is one of `allow`.

    Returns whether it changed, and refreshes the assignment. Raises NotLive with the real state.
    """
    moved = Assignment.objects.filter(pk=assignment.pk, state__in=sources).update(
        state=target, **changes
    )
    _reread(assignment)
    if not moved and assignment.state not in (allow or []):
        raise NotLive(assignment.state)
    return bool(moved)


def _reread(assignment: Assignment) -> None:
    assignment.refresh_from_db(from_queryset=Assignment.objects.select_related("study", "worker"))


def _free(assignment: Assignment) -> None:
    Place.objects.filter(assignment=assignment).update(assignment=None)
