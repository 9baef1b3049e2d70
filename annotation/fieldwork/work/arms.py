"""The arm of a worker, and tasks of one arm. Only reads.

A worker keeps the arm of their first task: in later sessions, batches and versions of the study,
and also after they returned the task. Between arms, the number of taken places differs by at most
one as long as every arm has free places and nobody leaves.
"""

from collections.abc import Mapping

from django.db.models import Count, Q

from annotation.fieldwork.work.eligible_tasks import Eligibility
from annotation.fieldwork.work.item_order import generator
from annotation.models import Arm, Assignment, Batch, Place, Study, Worker


def arm_of(*, study: Study, worker: Worker) -> str:
    """Return the key of the worker's arm; '' if none is drawn yet."""
    works = Assignment.objects.filter(study__slug=study.slug, worker=worker).exclude(task__arm="")
    return works.order_by("pk").values_list("task__arm", flat=True).first() or ""


def within_arm(eligibility: Eligibility, *, study: Study, worker: Worker) -> Eligibility:
    """Return the eligible tasks of the worker's arm, which is drawn if they have none.

    Call it in the transaction that takes the place: the open batches stay locked until then, so
    that two newcomers count each other.
    """
    if study.arms == Study.Arms.ALL or eligibility.onboarding:
        return eligibility
    arm = arm_of(study=study, worker=worker) or _drawn(eligibility, study=study, worker=worker)
    return eligibility.in_arm(arm)


def _drawn(eligibility: Eligibility, *, study: Study, worker: Worker) -> str:
    """Return the arm with the fewest taken places among those with a free one, by lot if equal."""
    list(Batch.objects.open().filter(study=study).order_by("pk").select_for_update(no_key=True))
    free = Place.objects.filter(task__in=eligibility.tasks, assignment=None)
    offered = set(free.order_by().values_list("task__arm", flat=True).distinct())
    taken = _taken(study)
    if not offered:
        return ""
    fewest = min(taken.get(arm, 0) for arm in offered)
    equal = sorted(arm for arm in offered if taken.get(arm, 0) == fewest)
    return str(generator(study.seed, "arm", worker.pk).choice(equal))


def _taken(study: Study) -> Mapping[str, int]:
    """Return the number of taken places by arm."""
    places = Place.objects.filter(task__batch__study=study).order_by()
    rows = places.values_list("task__arm").annotate(n=Count("pk", Q(assignment__isnull=False)))
    return dict(rows)


def instructions_shown(assignment: Assignment) -> str:
    """Return the instructions that the worker reads: those of their arm if it has its own."""
    study, key = assignment.study, assignment.task.arm
    arm = Arm.objects.filter(study=study, key=key).first() if key else None
    return (arm.instructions if arm else "") or study.instructions
