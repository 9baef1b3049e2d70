"""Arrivals by the link of a study: who came, and the place they get.

Looking takes nothing, because previews of links look, too; agreeing takes a place.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.fieldwork.paying import budgeting
from annotation.fieldwork.recruiting.separating_workers import who_came
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.admission import recognizes, require_admitted
from annotation.fieldwork.work.eligible_tasks import (
    OnboardingProgress,
    eligibility_of,
    not_open,
    onboarding_progress,
)
from annotation.fieldwork.work.link_refusals import link_refused
from annotation.fieldwork.work.other_sessions import blaming_another_session
from annotation.fieldwork.work.ownership import Proof, proof_of
from annotation.fieldwork.work.refusals import (
    CapReached,
    DoneInOtherSession,
    NoTaskLeft,
    ScreenedOut,
    StudyNotOpen,
    TermsChanged,
    consent_withdrawn,
    not_qualified,
)
from annotation.models import Assignment, Batch, Place, PlatformSubmission, Study, Worker
from annotation.people.pseudonyms import known_worker, worker_for
from annotation.refusals import Refusal

OF_A_TRIAL = re.compile(r"trial-[a-z2-9]{12}")  # an address as trials.making draws it


@dataclass(frozen=True)
class Arrival:
    """A person with platform, submission, browser and network address."""

    platform: str
    external_id: str
    submission: str = ""
    browser: str = ""
    address: str = ""  # '': not limited (annotation.fieldwork.work.pacing)
    pseudonym: str = ""  # drawn if not given
    signed: bool = False  # whether the platform signed all this

    @property
    def proof(self) -> Proof:
        return proof_of(
            platform=self.platform,
            submission=self.submission,
            browser=self.browser,
            signed=self.signed,
        )


def study_for(slug: str) -> Study:
    """Return the newest launched version, or a trial. Raises StudyNotOpen or `link_refused`."""
    people = Study.every.exclude(purpose=Study.Purpose.SIMULATION)
    study = people.launched().filter(slug=slug).order_by("-version").first()
    if study is None:
        raise link_refused("TrialEnded") if OF_A_TRIAL.fullmatch(slug) else StudyNotOpen()
    return study


def worker_of(arrival: Arrival) -> Worker:
    worker = worker_for(
        platform=arrival.platform,
        external_id=arrival.external_id,
        pseudonym=arrival.pseudonym,
    )
    return who_came(worker, arrival.proof)


def look(*, study: Study, arrival: Arrival) -> Assignment | None:
    """Return the work that the link leads to; None leads to the consent page. Only reads.

    This is live work or, where the submission has had its task or nothing more may be done, the
    submitted work. Raises what `arrive` would raise, as far as it can be known before.
    """
    worker = known_worker(arrival.platform, arrival.external_id)
    if worker is not None:
        worker = who_came(worker, arrival.proof)
        live = assigning.live_assignment(study=study, worker=worker, proof=arrival.proof)
        if live is not None:
            return live
        if study.one_task_a_submission:
            used = Assignment.objects.spending(arrival.proof.session)
            mine = used.filter(arrival.proof.of_submission, worker=worker)
            of_it = mine.filter(study__slug=study.slug).first()
            if of_it is not None:
                return of_it
    if not study.batches.open().exists():
        raise not_open(study)
    shown = Assignment.objects.filter(arrival.proof.owned, worker=worker)
    if worker is None or not shown.exists():
        _require_place_for_stranger(study, arrival)
        return None
    theirs = shown.filter(study=study)
    try:
        _require_turn(study, worker, theirs, arrival.proof)
    except (ScreenedOut, CapReached, DoneInOtherSession):
        ended = Q(submitted_at__isnull=False) | Q(outcome="screened_out")
        if (last := theirs.filter(ended, arrival.proof.of_submission).last()) is None:
            raise
        return last
    except Refusal as refusal:
        refusal.onboarding = progress_for(study=study, worker=worker, proof=arrival.proof)
        raise
    return None


def _require_place_for_stranger(study: Study, arrival: Arrival) -> None:
    """Raise `not_qualified` or NoTaskLeft; refusals tell nothing about the named person.

    By a plain link a new browser is a new person without a qualification.
    """
    if arrival.platform == "link" and recognizes(study):
        raise not_qualified()
    _require_free_place(Q(task__batch__study=study, task__batch__state=Batch.State.OPEN))


def _require_turn(study: Study, worker: Worker, theirs: QuerySet[Assignment], proof: Proof) -> None:
    """Raise what a claim would raise, as far as it can be known without taking a place."""
    if theirs.filter(state=Assignment.State.WITHDRAWN).exists():
        raise consent_withdrawn()
    with (
        blaming_another_session(study=study, worker=worker, proof=proof),
        transaction.atomic(),  # `eligibility_of` locks
    ):
        require_admitted(study=study, worker=worker)
        eligibility = eligibility_of(study=study, worker=worker, owned=proof.owned)
        late = eligibility.late.filter(pk__in=theirs).values("task")
        _require_free_place(
            Q(task__in=eligibility.tasks) | Q(task__in=late), eligibility.nothing_free
        )


def _require_free_place(where: Q, otherwise: Refusal | None = None) -> None:
    if not Place.objects.filter(where, assignment=None).exists():
        raise otherwise or NoTaskLeft()


def _require_open_submission(arrival: Arrival) -> None:
    """Refuse the link if the platform has ended the submission: it pays nobody."""
    ended = PlatformSubmission.objects.filter(
        session_hash=arrival.proof.session, status__in=PlatformSubmission.ENDED
    )
    if arrival.submission and ended.exists():
        raise link_refused("SubmissionEnded")


def progress_for(*, study: Study, worker: Worker | None, proof: Proof) -> OnboardingProgress:
    """Return the progress in the onboarding that a person has proved to be theirs."""
    if worker is None:
        return OnboardingProgress(study)
    worker = who_came(worker, proof)
    return onboarding_progress(study=study, worker=worker, only=proof.owned)


def own_work(*, study: Study, arrival: Arrival) -> Assignment | None:
    """Return the latest work that the arrival proves to be theirs, without withdrawn work."""
    worker = known_worker(arrival.platform, arrival.external_id)
    if worker is None:
        return None
    worker = who_came(worker, arrival.proof)
    mine = Assignment.objects.filter(arrival.proof.owned, study=study, worker=worker)
    return mine.exclude(state=Assignment.State.WITHDRAWN).order_by("pk").last()


def arrive(*, study: Study, arrival: Arrival, now: datetime) -> Assignment:
    """Return the work of an arrival, on a new place or the one they have.

    Raises what `claim` raises, with the progress in the onboarding: people also come for its
    feedback.
    """
    worker = worker_of(arrival)
    try:
        return assigning.claim(
            study=study,
            worker=worker,
            now=now,
            external_id=arrival.submission,
            proof=arrival.proof,
            address=arrival.address,
        )
    except Refusal as refusal:
        refusal.onboarding = progress_for(study=study, worker=worker, proof=arrival.proof)
        raise


def terms_of(study: Study) -> str:
    """Return pay and minutes as the consent form states them."""
    return f"{study.pay:.2f} {study.minutes}"


@transaction.atomic
def take_part(*, study: Study, arrival: Arrival, now: datetime, terms: str = "") -> Assignment:
    """Take a place and begin the work of an arrival who consents; may be repeated.

    `terms` are those of the form; another batch may be open by now. Raises what `arrive` raises, or
    TermsChanged; then nothing about the person is stored.
    """
    assignment = arrive(study=study, arrival=arrival, now=now)
    if assignment.arrived_at == now:
        _require_open_submission(arrival)
    return begin(assignment=assignment, terms=terms, now=now)


@transaction.atomic
def begin(*, assignment: Assignment, terms: str, now: datetime) -> Assignment:
    """Begin work that has a place. Raises TermsChanged."""
    study = assignment.study
    if terms and terms != terms_of(study.on_terms_of(assignment.task.batch)):
        raise TermsChanged
    begun = assigning.begin(assignment=assignment, now=now)
    if study.budget is not None:
        budgeting.pause_where_spent(study=study)
    return begun
