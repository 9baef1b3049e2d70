"""Scoring of the screening questions on the server, so that no page knows the right answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from annotation import signals
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.screening.qualifying import BY_SCREENING, qualify
from annotation.fieldwork.work import assigning, ending
from annotation.fieldwork.work.admission import attempts_of, has_failed, result_of
from annotation.fieldwork.work.ownership import together_with
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, ScreeningResult, Study


def right_answers(study: Study, answers: Mapping[str, Any]) -> int:
    """Return how many answers are right."""
    return sum(
        answers.get(question["key"]) == question["right"]
        for question in study.screening["questions"]
    )


@transaction.atomic
def take(
    *,
    assignment: Assignment,
    answers: Mapping[str, Any],
    now: datetime,
    attempt: int | None = None,
) -> ScreeningResult:
    """Score the answers of a worker, for all versions of the study.

    1. Lock the worker: the second of two requests finds the result of the first.
    2. Score an attempt once: a repeated request names an `attempt` that was scored before.
    3. Workers who pass go on, with the qualification that the study gives.
    4. Workers without an attempt left end here: the place is free, the screening reward is owed.

    Raises NotLive if the work does not go on any more.
    """
    assigning.lock_worker(assignment.worker_id)
    assignment.refresh_from_db(fields=["state", "outcome"])
    study, worker = assignment.study, assignment.worker
    result = result_of(study=study, worker=worker)
    if _is_open(study, result, attempt):
        if assignment.state != Assignment.State.ACTIVE:
            raise NotLive(assignment.state)
        result = _scored(assignment, answers, now, before=result)
        if result.is_passed and study.screening.get("gives", "").strip():
            qualify(
                workers=[worker],
                name=study.screening["gives"],
                by=BY_SCREENING,
                now=now,
                study=study,
            )
    assert result is not None  # an attempt is open until there is one
    if has_failed(study, result) and assignment.is_live:
        ending.end(assignment=assignment, outcome=Outcome.SCREENED_OUT, now=now)
        signals.screened_out.send(sender=Assignment, assignment=assignment)
    return result


def _is_open(study: Study, result: ScreeningResult | None, attempt: int | None) -> bool:
    if result is None:
        return True
    if result.is_passed or result.attempts >= attempts_of(study):
        return False
    return attempt is None or attempt > result.attempts


def _scored(
    assignment: Assignment,
    answers: Mapping[str, Any],
    now: datetime,
    *,
    before: ScreeningResult | None,
) -> ScreeningResult:
    study = assignment.study
    questions = study.screening["questions"]
    right = right_answers(study, answers)
    keys = {question["key"] for question in questions}
    scored: dict[str, Any] = {
        "assignment": assignment,
        "answers": {key: answer for key, answer in answers.items() if key in keys},
        "right": right,
        "asked": len(questions),
        "is_passed": right >= study.screening["pass_mark"],
        "answered_at": now,
    }
    if before is None:
        return ScreeningResult.objects.create(
            study=study, slug=study.slug, worker=assignment.worker, **scored
        )
    earlier = {
        "answers": before.answers,
        "right": before.right,
        "answered_at": before.answered_at.isoformat(),
    }
    scored |= {"attempts": before.attempts + 1, "earlier": [*before.earlier, earlier]}
    rows = ScreeningResult.objects.filter(pk=before.pk, attempts=before.attempts)
    rows.update(**scored)  # the worker is locked: nobody else has scored an attempt
    before.refresh_from_db()
    return before


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """Erase the answers of a worker who withdraws; the result stays, so that nobody asks again."""
    theirs = ScreeningResult.objects.filter(
        Q(assignment__in=together_with(assignment)) | Q(assignment=None),
        slug=assignment.study.slug,
        worker=assignment.worker_id,
    )
    theirs.update(answers={}, earlier=[])
