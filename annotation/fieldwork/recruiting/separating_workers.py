"""Work that somebody else did under the id of a person gets a pseudonym of its own.

Where links are not signed, a stranger may have come first. Whom a researcher lets in then has
their whole turn: no task that was taken, no text that was met, no question that was answered before
them. The stranger's session and personal address lead to what they did, as before.
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

State = Assignment.State


def theirs(work: Assignment) -> AssignmentQuerySet:
    """All that was done with this work in one session, in all versions of its study."""
    return Assignment.objects.filter(pk__in=together_with(work), study__slug=work.study.slug)


def who_came(worker: Worker, proof: Proof) -> Worker:
    """Whose turn it is that comes under the id of this worker: the one that the work of the same
    session was given, where it was set apart."""
    if not (proof.session or proof.browser):
        return worker
    apart = Assignment.objects.filter(proof.owned, set_apart__worker=worker)
    work = apart.select_related("worker").order_by("-pk").first()
    return worker if work is None else work.worker


@transaction.atomic
def set_apart(*, work: Assignment, now: datetime) -> Worker:
    """Give all that was done with this work a worker of its own; return that one.

    1. Move the works: an UPDATE guarded by the worker they had and by their states.
    2. Move what follows from them: what they have met, agreed to, were asked before the work; what
       they are owed; what they answered (signal `set_apart`).

    Call it with the worker locked. Places stay as they are. Raises NotLive where some of it goes on
    or counts: a person decides on that first.
    """
    before = work.worker
    works = list(theirs(work).order_by("pk").select_for_update(no_key=True, of=("self",)))
    for each in works:
        if each.state in Assignment.HOLDING:
            raise NotLive(each.state)
    pks = [each.pk for each in works]
    other = nobody_known(platform=before.platform)
    rows = Assignment.objects.filter(pk__in=pks, worker=before)
    if rows.exclude(state__in=Assignment.HOLDING).update(worker=other) != len(works):
        raise NotLive(work.state)
    SetApart.objects.bulk_create(
        (SetApart(assignment=each, worker=before, at=now) for each in works),
        ignore_conflicts=True,  # what was set apart, counted again and was in the way again
    )
    Exposure.objects.filter(assignment__in=pks).update(worker=other)
    for each in works:
        each.worker = other
    _move_consents(works, before, other)
    _move_screening(works, before, other)
    _move_qualifications(works, before, other)
    accounting.enter_anew(works=Assignment.objects.filter(pk__in=pks), now=now)
    signals.set_apart.send(sender=Assignment, assignments=works, worker=other)
    work.worker = other
    return other


def _move_consents(works: list[Assignment], before: Worker, other: Worker) -> None:
    """They agreed for themselves; where the worker has begun work too, both did."""
    for study in {each.study_id for each in works if each.started_at}:
        given = Consent.objects.filter(study=study, worker=before)
        own = Assignment.objects.filter(study=study, worker=before, started_at__isnull=False)
        if not own.exists():
            given.update(worker=other)
        elif (last := given.order_by("pk").last()) is not None:
            Consent.objects.create(
                study_id=study,
                worker=other,
                version=last.version,
                given_at=last.given_at,
                withdrawn_at=last.withdrawn_at,
            )


def _move_screening(works: list[Assignment], before: Worker, other: Worker) -> None:
    """Who comes now is asked for the first time, and nothing is theirs by answers of another."""
    for result in ScreeningResult.objects.filter(assignment__in=works, worker=before):
        ScreeningResult.objects.filter(pk=result.pk).update(worker=other)
        given = Qualified.objects.filter(study__slug=result.slug, worker=before)
        if result.is_passed:
            given.filter(given_by=BY_SCREENING).update(worker=other)


def _move_qualifications(works: list[Assignment], before: Worker, other: Worker) -> None:
    """What was given in this study since they came was given for their work: it goes with that. It
    stays where it was given before, in another study or in none, or where the worker has begun
    work of their own here, for which it may have been given: a person can take it away then."""
    slug, came = works[0].study.slug, min(each.arrived_at for each in works)
    own = Assignment.objects.filter(study__slug=slug, worker=before, started_at__isnull=False)
    if not own.exists():
        given = Qualified.objects.filter(worker=before, study__slug=slug, given_at__gte=came)
        given.update(worker=other)
