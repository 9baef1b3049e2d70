"""Refusals that rest on work of another session under the same ID."""

from collections.abc import Iterator
from contextlib import contextmanager

from annotation.fieldwork.work.admission import result_of
from annotation.fieldwork.work.ownership import Proof
from annotation.fieldwork.work.refusals import (
    BegunInOtherSession,
    BeingRead,
    NothingNew,
    OnboardingOver,
    ScreenedOut,
)
from annotation.models import Assignment, Study, Worker
from annotation.refusals import Refusal


@contextmanager
def blaming_another_session(*, study: Study, worker: Worker, proof: Proof) -> Iterator[None]:
    """Raise BegunInOtherSession in place of a refusal that rests on another's work.

    Work that the platform signed is the person's if it signs that they come now.
    """
    try:
        yield
    except (ScreenedOut, BeingRead, OnboardingOver, NothingNew) as refusal:
        work = _in_the_way(refusal, study, worker, proof)
        if work is None:
            raise
        raise BegunInOtherSession(work.pk) from refusal


def _in_the_way(refusal: Refusal, study: Study, worker: Worker, proof: Proof) -> Assignment | None:
    works = Assignment.objects.filter(study__slug=study.slug, worker=worker)
    others = works.exclude(proof.owned).filter(started_at__isnull=False)
    if proof.signed:
        others = others.exclude(signed=True)
    if isinstance(refusal, ScreenedOut):
        result = result_of(study=study, worker=worker)
        return others.filter(pk=result.assignment_id or 0).first() if result else None
    if isinstance(refusal, NothingNew):
        return others.filter(exposures__isnull=False).order_by("-pk").first()
    onboarding = others.filter(task__batch__onboarding=True)
    own_onboarding = works.filter(proof.owned, task__batch__onboarding=True)
    return None if own_onboarding.exists() else onboarding.order_by("-pk").first()
