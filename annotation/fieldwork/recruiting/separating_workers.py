"""Separating the work that a stranger did under the ID of a person, under a new pseudonym.

Where links are not signed, a stranger may come first. The person then has their whole turn: no
task, text or question counts as theirs. The stranger's session still reaches its own work.
"""

from datetime import datetime

from django.db import transaction

from annotation import signals
from annotation.fieldwork.paying import accounting
from annotation.fieldwork.screening.qualifying import BY_SCREENING
from annotation.fieldwork.work.ownership import Proof, together_with
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import (
    Assignment,
    Consent,
    Exposure,
    Qualified,
    ScreeningResult,
    SetApart,
    Worker,
)
from annotation.models.work import AssignmentQuerySet
from annotation.people.pseudonyms import nobody_known


def theirs(work: Assignment) -> AssignmentQuerySet:
    """Return all work of the same session, in all versions of the study."""
    return Assignment.objects.filter(pk__in=together_with(work), study__slug=work.study.slug)


def who_came(worker: Worker, proof: Proof) -> Worker:
    """Return the worker of a session: another one if its work was set apart."""
    if not (proof.session or proof.browser):
        return worker
    apart = Assignment.objects.filter(proof.owned, set_apart__worker=worker)
    work = apart.select_related("worker").order_by("-pk").first()
    return worker if work is None else work.worker


@transaction.atomic
def set_apart(*, work: Assignment, now: datetime) -> Worker:
    """Give all work of the same session a new worker, and return that worker.

    1. Move the works by an UPDATE guarded by their worker and states.
    2. Move what follows from them: exposures, consents, screening, qualifications, the ledger, and
       answers (signal `set_apart`).

    Call it with the worker locked. Places stay. Raises NotLive if some of the work counts or goes
    on, on which a person decides first.
    """
    before = work.worker
    works = list(theirs(work).order_by("pk").select_for_update(no_key=True, of=("self",)))
    for assignment in works:
        if assignment.state in Assignment.HOLDING:
            raise NotLive(assignment.state)
    pks = [assignment.pk for assignment in works]
    other = nobody_known(platform=before.platform)
    rows = Assignment.objects.filter(pk__in=pks, worker=before)
    if rows.exclude(state__in=Assignment.HOLDING).update(worker=other) != len(works):
        raise NotLive(work.state)
    SetApart.objects.bulk_create(
        (SetApart(assignment=assignment, worker=before, at=now) for assignment in works),
        ignore_conflicts=True,  # what was set apart, counted again and was in the way again
    )
    Exposure.objects.filter(assignment__in=pks).update(worker=other)
    for assignment in works:
        assignment.worker = other
    _move_consents(works, before, other)
    _move_screening(works, before, other)
    _move_qualifications(works, before, other)
    accounting.enter_anew(works=Assignment.objects.filter(pk__in=pks), now=now)
    signals.set_apart.send(sender=Assignment, assignments=works, worker=other)
    work.worker = other
    return other


def _move_consents(works: list[Assignment], before: Worker, other: Worker) -> None:
    """Move consents; copy them where the worker has begun other work, because both agreed."""
    for study in {assignment.study_id for assignment in works if assignment.started_at}:
        consents = Consent.objects.filter(study=study, worker=before)
        begun_work = Assignment.objects.filter(study=study, worker=before, started_at__isnull=False)
        if not begun_work.exists():
            consents.update(worker=other)
        elif (last := consents.order_by("pk").last()) is not None:
            Consent.objects.create(
                study_id=study,
                worker=other,
                version=last.version,
                given_at=last.given_at,
                withdrawn_at=last.withdrawn_at,
            )


def _move_screening(works: list[Assignment], before: Worker, other: Worker) -> None:
    """Move the result and the qualification that it gave, so that the person is asked anew."""
    for result in ScreeningResult.objects.filter(assignment__in=works, worker=before):
        ScreeningResult.objects.filter(pk=result.pk).update(worker=other)
        qualifications = Qualified.objects.filter(study__slug=result.slug, worker=before)
        if result.is_passed:
            qualifications.filter(given_by=BY_SCREENING).update(worker=other)


def _move_qualifications(works: list[Assignment], before: Worker, other: Worker) -> None:
    """Move qualifications that this study gave since the work began.

    They stay where the worker has other work here, for which they may have been given.
    """
    slug, came = works[0].study.slug, min(assignment.arrived_at for assignment in works)
    begun_work = Assignment.objects.filter(
        study__slug=slug, worker=before, started_at__isnull=False
    )
    if not begun_work.exists():
        qualifications = Qualified.objects.filter(
            worker=before, study__slug=slug, given_at__gte=came
        )
        qualifications.update(worker=other)
