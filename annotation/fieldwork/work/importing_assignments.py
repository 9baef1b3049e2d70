"""Assignments that were done elsewhere, saved in bulk."""

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.bulk_inserting import insert_all, point_all
from annotation.fieldwork.work.assigning import held
from annotation.fieldwork.work.refusals import NoTaskLeft
from annotation.models import (
    Assignment,
    Consent,
    Exposure,
    Place,
    Study,
    Task,
    TaskExposure,
    Worker,
)
from annotation.people.pseudonyms import encrypted


@dataclass(frozen=True)
class WorkDone:
    """A task that a worker did; `external_id` is that of the submission, if there was one.

    `worked_at` is the first sign of work, if there was one before the submission.
    """

    task: Task
    worker: Worker
    started_at: datetime
    submitted_at: datetime
    external_id: str = ""
    worked_at: datetime | None = None
    entry_answers: dict[str, Any] = field(default_factory=dict)
    exit_answers: dict[str, Any] = field(default_factory=dict)


@transaction.atomic
def assign_done(*, study: Study, works: Sequence[WorkDone]) -> list[Assignment]:
    """Save submitted assignments; the caller checks that the work is complete.

    It leaves what `assign` (meeting units again), `begin`, `note_work` and `submit` would leave one
    after the other, but sends no signal. Raises NoTaskLeft.
    """
    workers = Worker.objects.filter(pk__in={work.worker.pk for work in works}).order_by("pk")
    list(workers.select_for_update(no_key=True).values_list("pk"))
    tasks = {work.task.pk for work in works}
    free: dict[int, deque[Place]] = defaultdict(deque)
    places = Place.objects.filter(task__in=tasks, assignment=None).order_by("number")
    for place in places.select_for_update(of=("self",)):
        free[place.task_id].append(place)
    limit = held(study, worked=True)
    assignments = insert_all(
        Assignment(
            task=work.task,
            study=study,
            worker=work.worker,
            state=Assignment.State.SUBMITTED,
            external_id=encrypted(work.external_id) if work.external_id else b"",
            arrived_at=work.started_at,
            started_at=work.started_at,
            worked_at=work.worked_at or work.submitted_at,
            submitted_at=work.submitted_at,
            expires_at=(work.worked_at or work.submitted_at) + limit,
            entry_answers=work.entry_answers,
            exit_answers=work.exit_answers,
        )
        for work in works
    )
    taken = []
    for assignment in assignments:
        if not free[assignment.task_id]:
            raise NoTaskLeft
        taken.append(free[assignment.task_id].popleft())
        taken[-1].assignment = assignment
    point_all(taken, "assignment")
    units: dict[int, list[str]] = defaultdict(list)
    of_tasks = TaskExposure.objects.filter(task__in=tasks).order_by("pk")
    for task, unit in of_tasks.values_list("task", "unit"):
        units[task].append(unit)
    Exposure.objects.bulk_create(
        (
            Exposure(study=study, worker=assignment.worker, unit=unit, assignment=assignment)
            for assignment in assignments
            for unit in units[assignment.task_id]
        ),
        ignore_conflicts=True,
    )
    _consent(study, works)
    return assignments


def _consent(study: Study, works: Sequence[WorkDone]) -> None:
    given = Consent.objects.filter(study=study, withdrawn_at=None)
    have = set(given.values_list("worker", flat=True))
    new = []
    for work in works:
        if work.worker.pk not in have:
            have.add(work.worker.pk)
            new.append(
                Consent(
                    study=study,
                    worker=work.worker,
                    version=study.consent_version,
                    given_at=work.started_at,
                )
            )
    Consent.objects.bulk_create(new)
