"""What holds in a study at every moment, read from the database and nothing else."""

from collections import Counter

from annotation.models import Assignment, Exposure, Place, Study, Task, TaskExposure
from judging.models import Judgment, Presentation

HOLDING = {"arrived", "active", "submitted", "accepted"}
# Whether started_at, submitted_at and ended_at are set; None: either.
TIMES = {
    "arrived": (False, False, False),
    "active": (True, False, False),
    "submitted": (True, True, False),
    "accepted": (True, True, True),
    "rejected": (True, True, True),
    "returned": (None, False, True),
    "expired": (None, False, True),
    "withdrawn": (None, None, True),
}


def check(study: Study) -> None:
    assignments = list(Assignment.objects.filter(study=study).select_related("task__batch"))
    _check_places(study, assignments)
    _check_workers(study, assignments)
    _check_times(assignments)
    gone = {assignment.pk for assignment in assignments if assignment.state == "withdrawn"}
    assert not Judgment.objects.filter(assignment__in=gone).exists()
    assert not Presentation.objects.filter(assignment__in=gone).exclude(comment="").exists()


def _check_places(study: Study, assignments: list[Assignment]) -> None:
    places = list(Place.objects.filter(task__batch__study=study))
    per_task = Counter(place.task_id for place in places)
    for task in Task.objects.filter(batch__study=study):
        assert per_task[task.pk] == task.quota
    task_of = {assignment.pk: assignment.task_id for assignment in assignments}
    held = [place for place in places if place.assignment_id is not None]
    assert all(task_of[place.assignment_id] == place.task_id for place in held)
    of_places = Counter(place.assignment_id for place in held)
    holding = Counter(assignment.pk for assignment in assignments if assignment.state in HOLDING)
    assert of_places == holding  # one place for each that holds one, none for each other


def _check_workers(study: Study, assignments: list[Assignment]) -> None:
    units_of: dict[int, set[str]] = {}
    for unit in TaskExposure.objects.filter(task__batch__study=study):
        units_of.setdefault(unit.task_id, set()).add(unit.unit)
    met: dict[int, set[str]] = {}
    for each in assignments:
        units = units_of[each.task_id]
        assert not units & met.setdefault(each.worker_id, set()), "met twice"
        met[each.worker_id] |= units
    noted: dict[int, set[str]] = {}
    for worker, unit in Exposure.objects.filter(study=study).values_list("worker", "unit"):
        noted.setdefault(worker, set()).add(unit)
    assert noted == met
    at_work = Counter(assignment.worker_id for assignment in assignments if assignment.is_live)
    # Withdrawing also turns work that was returned, and so never counted, into withdrawn work.
    not_counted = ("returned", "expired", "withdrawn")
    counted = Counter(
        assignment.worker_id
        for assignment in assignments
        if assignment.state not in not_counted and not assignment.task.batch.onboarding
    )
    assert max(at_work.values(), default=0) <= 1
    assert max(counted.values(), default=0) <= study.tasks_per_worker


def _check_times(assignments: list[Assignment]) -> None:
    for assignment in assignments:
        times = (assignment.started_at, assignment.submitted_at, assignment.ended_at)
        for time, wanted in zip(times, TIMES[assignment.state], strict=True):
            assert wanted is None or (time is not None) == wanted, f"{assignment.state}: {times}"
