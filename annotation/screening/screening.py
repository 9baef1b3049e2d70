"""Answering the questions before the work: scored here, so that no page knows what is right."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from annotation import signals
from annotation.models import Assignment, ScreeningResult, Study
from annotation.recruiting.ownership import together_with
from annotation.recruiting.platforms import Outcome
from annotation.screening.admission import result_of
from annotation.screening.qualifying import BY_SCREENING, qualify
from annotation.work import assigning, ending
from annotation.work.refusals import NotLive


def right_answers(study: Study, answers: Mapping[str, Any]) -> int:
    """How many answers are right."""
    return sum(answers.get(each["key"]) == each["right"] for each in study.screening["questions"])


@transaction.atomic
def take(*, assignment: Assignment, answers: Mapping[str, Any], now: datetime) -> ScreeningResult:
    """Score the answers of a worker, once for all versions of the study.

    1. Lock the worker: of two requests at once the second finds the result of the first.
    2. Whoever passes goes on, with the qualification that the study gives.
    3. Whoever does not ends here: the place is free, and the reward of the screening is owed.

    Raises NotLive where the work does not go on any more.
    """
    assigning.lock_worker(assignment.worker_id)
    assignment.refresh_from_db(fields=["state", "outcome"])
    study, worker = assignment.study, assignment.worker
    result = result_of(study=study, worker=worker)
    if result is None:
        if assignment.state != Assignment.State.ACTIVE:
            raise NotLive(assignment.state)
        result = _scored(assignment, answers, now)
        if result.is_passed and study.screening.get("gives", "").strip():
            qualify(
                workers=[worker],
                name=study.screening["gives"],
                by=BY_SCREENING,
                now=now,
                study=study,
            )
    if not result.is_passed and assignment.is_live:
        ending.end(assignment=assignment, outcome=Outcome.SCREENED_OUT, now=now)
        signals.screened_out.send(sender=Assignment, assignment=assignment)
    return result


def _scored(assignment: Assignment, answers: Mapping[str, Any], now: datetime) -> ScreeningResult:
    study = assignment.study
    asked = study.screening["questions"]
    right = right_answers(study, answers)
    keys = {each["key"] for each in asked}
    return ScreeningResult.objects.create(
        study=study,
        slug=study.slug,
        worker=assignment.worker,
        assignment=assignment,
        answers={key: answer for key, answer in answers.items() if key in keys},
        right=right,
        asked=len(asked),
        is_passed=right >= study.screening["pass_mark"],
        answered_at=now,
    )


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """What they answered is gone; that they were asked stays, so that they are not asked again."""
    theirs = ScreeningResult.objects.filter(
        Q(assignment__in=together_with(assignment)) | Q(assignment=None),
        slug=assignment.study.slug,
        worker=assignment.worker_id,
    )
    theirs.update(answers={})
