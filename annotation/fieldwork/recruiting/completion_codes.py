"""Completion codes, by which workers prove how their work ended.

Prolific has one code for each outcome. By a plain link each assignment has its own code, so that
nobody can pass it on; it is computed with the key of pseudonyms, and stored only when that key
changes. A study with a code for all shows that one.
"""

from typing import Any

from django.dispatch import receiver

from annotation import signals
from annotation.fieldwork.platforms.completion import PLATFORMS
from annotation.fieldwork.platforms.outcomes import Outcome, outcome_of
from annotation.fieldwork.work.ownership import together_with
from annotation.models import Assignment, Batch, KeptCode, Study
from annotation.people.pseudonyms import hashed
from annotation.studies.completion_codes import LENGTH, LETTERS


def completion_code(assignment: Assignment) -> str:
    """Return the code of submitted work."""
    if assignment.study.completion_code:
        return assignment.study.completion_code
    stored = KeptCode.objects.filter(assignment=assignment).first()
    return stored.code if stored else code_of_key(assignment.pk)


def code_after(assignment: Assignment) -> str:
    """Return the code of how work ended; '' where the platform has none."""
    outcome = outcome_of(assignment)
    if outcome == Outcome.DONE:
        return completion_code(assignment)
    code = PLATFORMS[assignment.study.recruitment].code_for(assignment.study, outcome)
    if not code and outcome == Outcome.FAILED_CHECK and assignment.submitted_at is not None:
        return completion_code(assignment)  # by a plain link one code says whose work it was
    return code


def others(assignment: Assignment) -> list[tuple[Assignment, str]]:
    """Return other counting work of the same person in the study, each with its own code."""
    study = assignment.study
    by_link = study.recruitment == Study.Recruitment.LINK
    if not by_link or study.completion_code or assignment.state not in Assignment.COUNTING:
        return []
    rows = together_with(assignment).filter(study=study, state__in=Assignment.COUNTING)
    rows = rows.exclude(pk=assignment.pk).select_related("study").order_by("pk")
    return [
        (assignment_of_person, completion_code(assignment_of_person))
        for assignment_of_person in rows
    ]


@receiver(signals.opened)
def draw_codes(*, batch: Batch, **_: Any) -> None:
    """Draw the missing codes of all outcomes of a study."""
    study = batch.study
    for outcome in Outcome:
        PLATFORMS[study.recruitment].code_for(study, outcome)


def code_of_key(pk: int, *, secret: str = "") -> str:
    """Return the code of an assignment; `secret` is an old key (recruiting.rotating_keys)."""
    number = int(hashed(platform="completion code", external_id=str(pk), secret=secret), 16)
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(LENGTH))


def work_of(*, study: Study, code: str) -> Assignment | None:
    """Return the assignment with this code, submitted in any version of the study."""
    wanted = "".join(code.split()).upper()
    mine = Assignment.objects.filter(study__slug=study.slug)
    handed_in = mine.filter(submitted_at__isnull=False) | mine.redos()
    keys = handed_in.filter(study__completion_code="").values_list("pk", flat=True)
    stored_codes = dict(
        KeptCode.objects.filter(assignment__in=keys).values_list("assignment", "code")
    )
    pk = next((pk for pk in keys if (stored_codes.get(pk) or code_of_key(pk)) == wanted), None)
    rows = Assignment.objects.select_related("worker", "task__batch", "study")
    return rows.filter(pk=pk).first() if pk is not None else None
