"""The next task of a worker who has submitted work by a link.

Their consent to this version of the study holds for all its tasks, so it is not asked for again. On
Prolific each task is a submission that the platform gives out.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.encryption import unsealed
from annotation.fieldwork.recruiting import arriving
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.admission import require_admitted
from annotation.fieldwork.work.eligible_tasks import Eligibility, at_most, eligibility_of
from annotation.fieldwork.work.ownership import proof_for
from annotation.fieldwork.work.refusals import NoTaskLeft, consent_withdrawn
from annotation.models import Assignment, Consent, Contract, Place, Study, Task
from annotation.refusals import Refusal

State = Assignment.State


@dataclass(frozen=True)
class NextTask:
    """Live work, or at most `tasks` more tasks of the `study`, which has the terms of the first."""

    study: Study
    consent: Consent
    tasks: int = 0
    live: Assignment | None = None


def next_after(work: Assignment) -> NextTask | None:
    """Return the next task after submitted work; None where there is none. Only reads.

    Only for people who could take it by the link (`arriving.look`): not where a newer version asks
    for another consent, or a personal link has ended.
    """
    consent = _consent_of(work)
    if consent is None or not _is_offered(work):
        return None
    study, worker, proof = work.study, work.worker, proof_for(work)
    theirs = Assignment.objects.filter(proof.owned, study=study, worker=worker)
    if theirs.filter(state=State.WITHDRAWN).exists():
        return None
    if (live := theirs.live().first()) is not None:
        return NextTask(study, consent, live=live)
    try:
        with transaction.atomic():  # `eligibility_of` locks
            require_admitted(study=study, worker=worker)
            eligibility = eligibility_of(study=study, worker=worker, owned=proof.owned)
            places = _free(eligibility, theirs)
    except Refusal:
        return None
    if (first := places.first()) is None:
        return None
    free = Task.objects.filter(pk__in=places.order_by().values("task"))
    tasks = min(eligibility.left, at_most(free)) if eligibility.left > 1 else 1
    return NextTask(study.on_terms_of(first.task.batch), consent, tasks)


def _is_offered(work: Assignment) -> bool:
    study = work.study
    if work.state not in (State.SUBMITTED, State.ACCEPTED):
        return False
    if study.recruitment == Study.Recruitment.PROLIFIC or not study.batches.open().exists():
        return False
    if study.by_personal_link and study.purpose == Study.Purpose.STUDY:
        links = Contract.objects.filter(study__slug=study.slug, worker=work.worker_id)
        if not links.filter(revoked_at=None).exists():
            return False
    return arriving.study_for(study.slug).pk == study.pk


def _consent_of(work: Assignment) -> Consent | None:
    """Return the worker's consent to the study as it is now."""
    consents = Consent.objects.filter(study=work.study_id, worker=work.worker_id, withdrawn_at=None)
    return consents.filter(version=work.study.consent_version).first()


def _free(eligibility: Eligibility, theirs: QuerySet[Assignment]) -> QuerySet[Place]:
    late = eligibility.late.filter(pk__in=theirs).values("task")
    may = Q(task__in=eligibility.tasks) | Q(task__in=late)
    free = Place.objects.filter(may, assignment=None).select_related("task__batch")
    return free.order_by("task__batch__number", "task__number", "number")


@transaction.atomic
def go_on(*, after: Assignment, now: datetime, terms: str = "", address: str = "") -> Assignment:
    """Give the worker their next task, or their live one; may be repeated, also in two tabs.

    Raises what `assigning.claim` raises, TermsChanged, ConsentWithdrawn without a valid consent,
    and NoTaskLeft without a task to offer; then nothing has changed.
    """
    assigning.lock_worker(after.worker_id)
    if not _is_offered(after):
        raise NoTaskLeft
    if _consent_of(after) is None:
        raise consent_withdrawn()
    sealed_id = bytes(after.external_id)
    assignment = assigning.claim(
        study=after.study,
        worker=after.worker,
        now=now,
        external_id=unsealed(sealed_id, purpose="encrypt") if sealed_id else "",
        proof=proof_for(after),
        address=address,
    )
    return arriving.begin(assignment=assignment, terms=terms, now=now)
