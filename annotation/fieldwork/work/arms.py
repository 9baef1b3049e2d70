"""Assign workers to arms, and lock free places in an arm.

A worker keeps the arm of their first task: in later sessions, batches and versions of the study,
and also after they returned the task. Between arms, the number of taken places differs by at most
one as long as every arm has free places and nobody leaves.
"""

from contextlib import suppress
from typing import Any

from django.db.models import Count, Q

from annotation.fieldwork.work.choosing_places import free_place
from annotation.fieldwork.work.eligible_tasks import Eligibility
from annotation.fieldwork.work.item_order import generator
from annotation.fieldwork.work.refusals import NoTaskLeft, NothingNew
from annotation.models import Arm, Assignment, Batch, Place, Study, Worker


def arm_of(*, study: Study, worker: Worker) -> str:
    """Return the key of the worker's arm, or '' before it is drawn."""
    works = Assignment.objects.filter(study__slug=study.slug, worker=worker).exclude(task__arm="")
    return works.order_by("pk").values_list("task__arm", flat=True).first() or ""


def place_in_arm(eligibility: Eligibility, *, study: Study, worker: Worker) -> Place:
    """Lock a free place in the worker's arm, drawing the arm if needed.

    The open batches stay locked until the transaction ends, so that concurrent newcomers are
    counted. Raises what `free_place` raises.
    """
    if study.arms == Study.Arms.ALL or eligibility.onboarding:
        return free_place(eligibility)
    if arm := arm_of(study=study, worker=worker):
        return free_place(eligibility.in_arm(arm))
    list(Batch.objects.open().filter(study=study).order_by("pk").select_for_update(no_key=True))
    for arm in _emptiest_first(study, worker):
        with suppress(NoTaskLeft, NothingNew):
            return free_place(eligibility.in_arm(arm))
    raise eligibility.nothing_free


def _emptiest_first(study: Study, worker: Worker) -> list[str]:
    """Return the arms with a free place, emptiest first, in random order if equal."""
    places = Place.objects.filter(task__batch__study=study).order_by().values_list("task__arm")
    free = Q(assignment=None, task__batch__state=Batch.State.OPEN, task__batch__onboarding=False)
    rows = places.annotate(taken=Count("assignment"), free=Count("pk", free))
    taken = {arm: taken for arm, taken, n in rows if n}
    lots = generator(study.seed, "arm", worker.pk).permutation(len(taken)).tolist()
    ranks = dict(zip(sorted(taken), lots, strict=True))
    return sorted(taken, key=lambda arm: (taken[arm], ranks[arm]))


def instructions_shown(assignment: Assignment) -> str:
    """Return the instructions of the worker's arm, or else those of the study."""
    arm = _drawn(assignment)
    return (arm.instructions if arm else "") or assignment.study.instructions


def exit_form_shown(assignment: Assignment) -> list[dict[str, Any]]:
    """Return the exit form fields of the worker's arm, or all fields in a study without arms."""
    fields: list[dict[str, Any]] = assignment.study.exit_form
    arm = _drawn(assignment)
    if arm is None or arm.exit_fields is None:
        return fields
    return [field for field in fields if field["key"] in arm.exit_fields]


def _drawn(assignment: Assignment) -> Arm | None:
    key = assignment.task.arm
    return Arm.objects.filter(study=assignment.study, key=key).first() if key else None
