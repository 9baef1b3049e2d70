"""Decisions about submitted work: they are appended, and the state of the assignment follows.

One act (`ReviewAct`) decides on all of its work or on nothing. A later decision replaces an earlier
one: rejected work can be accepted if its place is still free. `undoing` takes an act back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from annotation import signals
from annotation.models import (
    Assignment,
    LedgerEntry,
    Payment,
    Place,
    ReviewAct,
    ReviewDecision,
    Study,
    Worker,
)
from annotation.texts.coded_errors import CodedError
from annotation.texts.translation import translated_error

State = Assignment.State
Decision = ReviewDecision.Decision

OUTCOME = {
    Decision.ACCEPT: State.ACCEPTED,
    Decision.REJECT: State.REJECTED,
    Decision.REJECT_BUT_PAY: State.REJECTED,
    Decision.REDO: State.ACTIVE,
}
DECIDABLE = (State.SUBMITTED, State.ACCEPTED, State.REJECTED)
MAX_AT_ONCE = 1000
# Workers get days for changes, not the minutes of the study, because they left long ago.
REDO_TERM = timedelta(days=3)


class CannotReview(CodedError):
    """Work that can't get this decision."""


class ReviewFault(NamedTuple):
    """Reason why a submission can't get a decision."""

    code: str
    sentence: str


class DecisionsRefused(CannotReview):
    """No decision was made because of the work in `faults` (by primary key)."""

    def __init__(self, faults: Mapping[int, ReviewFault], *, of: int) -> None:
        self.faults = {pk: fault.sentence for pk, fault in faults.items()}
        code, first = next(iter(faults.values()))
        many = gettext(
            "Nothing saved: {faults} of {of} submissions don't allow this decision. {first}"
        ).format(faults=len(faults), of=of, first=first)
        super().__init__(code, first if of == 1 else many)


class DecidedMeanwhile(DecisionsRefused):
    """Another reviewer decided since the page was loaded."""


def redo_begun(work: Assignment) -> CannotReview:
    """Return the refusal to undo a request for changes that its worker has started on."""
    return CannotReview(
        "redo_begun",
        gettext("{worker} has already started on the changes.").format(worker=work.worker),
    )


@dataclass(frozen=True)
class ReviewStep:
    """The new state and decision of one submission."""

    work: Assignment
    decision: str
    reason: str
    state: str
    submitted_at: datetime | None


@transaction.atomic
def decide(
    *, assignment: Assignment, decision: Decision, reviewer: str, now: datetime, reason: str = ""
) -> ReviewDecision:
    """Decide on one submission and refresh it, as `decide_all`. Raises CannotReview."""
    try:
        act = decide_all(
            study=assignment.study,
            works=[assignment.pk],
            decision=decision,
            reviewer=reviewer,
            now=now,
            reason=reason,
        )
    except DecisionsRefused as error:
        raise CannotReview(error.code, translated_error(error)) from error
    assignment.refresh_from_db()
    return act.decisions.get()


@transaction.atomic
def decide_all(
    *,
    study: Study,
    works: Sequence[int],
    decision: Decision,
    reviewer: str,
    now: datetime,
    reason: str = "",
    seen: Mapping[int, int] | None = None,
) -> ReviewAct:
    """Accept, reject, or ask for changes of submitted work.

    1. Lock the workers, then read the state of the work.
    2. Move the places: rejecting frees them, accepting rejected work needs free ones.
    3. Move the states, append the decisions, send the signals `decided` and `all_decided`.

    Takes as many queries for a thousand as for one. `seen` has the newest decision on each as the
    reviewer saw it (0: none). Raises CannotReview, DecisionsRefused, DecidedMeanwhile.
    """
    if decision not in OUTCOME:
        raise CannotReview(
            "unknown_decision",
            gettext("“{decision}” isn't a valid decision for this study.").format(
                decision=decision
            ),
        )
    if decision != Decision.ACCEPT and not reason.strip():
        raise CannotReview("no_message", gettext("Enter a message for the participant."))
    assignments, last = look_at(study=study, works=works)
    check_seen(assignments, last, seen)
    redone = decision == Decision.REDO
    busy = _busy(study, assignments) if redone else set()
    paid = _paid_or_sent(assignments) if redone else set()
    if decision == Decision.REJECT:
        paid = paid_works(assignments)
    faults: dict[int, ReviewFault] = {}
    for work in assignments:
        if fault := _fault(work, last.get(work.pk), decision, busy, paid):
            faults[work.pk] = fault
        busy.add(work.worker_id)
    if faults:
        raise DecisionsRefused(faults, of=len(assignments))
    act = ReviewAct.objects.create(study=study, decision=decision, reviewer=reviewer, made_at=now)
    take(
        act,
        [
            ReviewStep(
                work=work,
                decision=decision,
                reason=reason,
                state=OUTCOME[decision],
                submitted_at=None if redone else work.submitted_at,
            )
            for work in assignments
        ],
    )
    return act


def look_at(
    *, study: Study, works: Sequence[int]
) -> tuple[list[Assignment], dict[int, ReviewDecision]]:
    """Lock the workers of submissions, in one order; return the work and its newest decisions."""
    if not works:
        raise CannotReview("nothing_selected", gettext("Select at least one submission."))
    if len(works) > MAX_AT_ONCE:
        raise CannotReview(
            "too_many",
            gettext("Select at most {most_at_once:,} submissions.").format(
                most_at_once=MAX_AT_ONCE
            ),
        )
    mine = study.assignments.filter(pk__in=works)
    people = set(mine.values_list("worker", flat=True))
    locked = Worker.objects.filter(pk__in=people).order_by("pk").select_for_update(no_key=True)
    list(locked.values_list("pk", flat=True))
    assignments = list(mine.select_related("worker").order_by("pk"))
    if len(assignments) != len(set(works)):
        raise CannotReview("other_study", gettext("Some submissions don't belong to this study."))
    decisions = ReviewDecision.objects.filter(assignment__in=works).order_by("pk")
    return assignments, {decision.assignment_id: decision for decision in decisions}


def check_seen(
    found: Sequence[Assignment],
    last: Mapping[int, ReviewDecision],
    seen: Mapping[int, int] | None,
) -> None:
    """Raise DecidedMeanwhile if a newer decision was made than the reviewer saw."""
    faults = {
        work.pk: ReviewFault(
            "decided_since",
            gettext("{reviewer} has since decided: {decision}.").format(
                reviewer=newest.reviewer, decision=newest.get_decision_display()
            ),
        )
        for work in found
        if (newest := last.get(work.pk)) is not None
        and seen is not None
        and seen.get(work.pk, newest.pk) != newest.pk
    }
    if faults:
        raise DecidedMeanwhile(faults, of=len(found))


def _fault(
    work: Assignment,
    last: ReviewDecision | None,
    decision: Decision,
    busy: set[int],
    paid: set[int],
) -> ReviewFault | None:
    """Return why the work can't get this decision, or None if it can."""
    if work.state not in DECIDABLE:
        return ReviewFault(
            "not_decidable",
            gettext("You can't review {state} work.").format(
                state=work.get_state_display().lower()
            ),
        )
    if work.state != State.SUBMITTED and last and last.decision == decision:
        return ReviewFault(
            "already_decided",
            gettext("Already decided: {decision}.").format(decision=last.get_decision_display()),
        )
    if decision == Decision.REJECT and work.pk in paid:
        return rejects_paid(work)
    if decision != Decision.REDO:
        return None
    if work.state != State.SUBMITTED:
        return ReviewFault(
            "not_submitted",
            gettext("You can't ask for changes to {state} work.").format(state=work.state),
        )
    if work.pk in paid:
        return ReviewFault(
            "may_be_paid",
            gettext("You can't ask for changes to paid work."),
        )
    if work.worker_id in busy:
        return ReviewFault(
            "worker_busy",
            gettext("The participant is working on another task in this study."),
        )
    return None


def rejects_paid(work: Assignment) -> ReviewFault:
    """Return the fault of a rejection without pay of work that is already paid."""
    return ReviewFault(
        "already_paid",
        gettext("{worker} is already paid. To exclude the work, use “Reject but pay”.").format(
            worker=work.worker
        ),
    )


def _busy(study: Study, works: Sequence[Assignment]) -> set[int]:
    """Return the workers who are at work: a worker redoes one task at a time."""
    people = {work.worker_id for work in works}
    live = Assignment.objects.filter(study=study, worker__in=people).live()
    return set(live.values_list("worker", flat=True))


def paid_works(works: Sequence[Assignment]) -> set[int]:
    """Return which assignments were paid, by an order or on the platform's pages."""
    paid = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.PAID, reversal=None)
    return set(paid.filter(assignment__in=works).values_list("assignment", flat=True))


def _paid_or_sent(works: Sequence[Assignment]) -> set[int]:
    """Return which assignments were paid, or may be, by an order that was sent."""
    sent = Payment.objects.filter(
        Q(state__in=(Payment.State.SENT, Payment.State.UNKNOWN))
        | Q(state=Payment.State.PREPARED) & ~Q(external_id=""),  # on a list that is being paid
        kind=Payment.Kind.REWARD,
        assignment__in=works,
    )
    return paid_works(works) | set(sent.values_list("assignment", flat=True))


def take(act: ReviewAct, steps: Sequence[ReviewStep]) -> None:
    """Carry out checked steps: places, states, decisions, signals."""
    _free_places([review_step for review_step in steps if review_step.state == State.REJECTED])
    _take_places([review_step for review_step in steps if review_step.state != State.REJECTED])
    _move(steps, act)
    made = ReviewDecision.objects.bulk_create(
        ReviewDecision(
            assignment=review_step.work,
            decision=review_step.decision,
            reason=review_step.reason,
            reviewer=act.reviewer,
            decided_at=act.made_at,
            submitted_at=review_step.work.submitted_at,
            act=act,
        )
        for review_step in steps
    )
    for step in steps:
        for name, value in _changes(step, act).items():
            setattr(step.work, name, value)
    works = [step.work for step in steps]
    signals.all_decided.send(sender=Assignment, assignments=works, decisions=made)


def _free_places(steps: Sequence[ReviewStep]) -> None:
    Place.objects.filter(assignment__in=[step.work for step in steps]).update(assignment=None)


def _take_places(steps: Sequence[ReviewStep]) -> None:
    wanting = [step.work for step in steps if step.work.state == State.REJECTED]
    if not wanting:
        return
    free: dict[int, list[Place]] = {}
    places = Place.objects.filter(task__in={step.task_id for step in wanting}, assignment=None)
    for place in places.select_for_update().order_by("task", "number"):
        free.setdefault(place.task_id, []).append(place)
    faults, taken = {}, []
    for work in wanting:
        if not free.get(work.task_id):
            faults[work.pk] = ReviewFault(
                "place_taken",
                gettext("Can't approve: someone else has this place. Use “Reject but pay”."),
            )
            continue
        place = free[work.task_id].pop(0)
        place.assignment = work
        taken.append(place)
    if faults:
        raise DecisionsRefused(faults, of=len(steps))
    Place.objects.bulk_update(taken, ["assignment"])


def _changes(step: ReviewStep, act: ReviewAct) -> dict[str, Any]:
    if step.state == State.ACTIVE:
        limit = max(timedelta(minutes=act.study.time_limit_minutes), REDO_TERM)
        ends = {"ended_at": None, "expires_at": act.made_at + limit}
    else:
        ends = {"ended_at": None if step.state == State.SUBMITTED else act.made_at}
    return {"state": step.state, "submitted_at": step.submitted_at, **ends}


def _move(steps: Sequence[ReviewStep], act: ReviewAct) -> None:
    together: dict[tuple[str, datetime | None], list[ReviewStep]] = {}
    for step in steps:
        returns = step.submitted_at if step.work.submitted_at != step.submitted_at else None
        together.setdefault((step.state, returns), []).append(step)
    for same in together.values():
        changes = _changes(same[0], act)
        if same[0].submitted_at == same[0].work.submitted_at:
            del changes["submitted_at"]
        before = {review_step.work.state for review_step in same}
        rows = Assignment.objects.filter(
            pk__in=[review_step.work.pk for review_step in same], state__in=before
        )
        if rows.update(**changes) != len(same):
            raise CannotReview(
                "just_changed", gettext("The submissions changed. Check them again.")
            )
