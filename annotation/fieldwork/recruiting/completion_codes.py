"""Completion codes: with them a worker shows, where they found the study, how it ended.

Prolific wants one code for each outcome, the same for everybody. By a plain link each piece of
work has a code of its own, so that nobody can pass it on; it is not kept but computed, with the
key under which workers are known; where that key has changed since, the code from before is kept.
A study that has a code for all shows that one.
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
    """The code that a worker enters after handing this in."""
    if assignment.study.completion_code:
        return assignment.study.completion_code
    kept = KeptCode.objects.filter(assignment=assignment).first()
    return kept.code if kept else code_of_key(assignment.pk)


def code_after(assignment: Assignment) -> str:
    """The code of how this ended; '' where the worker's platform has none for it."""
    outcome = outcome_of(assignment)
    if outcome == Outcome.DONE:
        return completion_code(assignment)
    code = PLATFORMS[assignment.study.recruitment].code_for(assignment.study, outcome)
    if not code and outcome == Outcome.FAILED_CHECK and assignment.submitted_at is not None:
        return completion_code(assignment)  # by a plain link one code says whose work it was
    return code


def others(assignment: Assignment) -> list[tuple[Assignment, str]]:
    """The other work of the same person in the study that counts, each with its code, where each
    has one of its own: whoever goes on with another task finds the codes of those before."""
    study = assignment.study
    by_link = study.recruitment == Study.Recruitment.LINK
    if not by_link or study.completion_code or assignment.state not in Assignment.COUNTING:
        return []
    rows = together_with(assignment).filter(study=study, state__in=Assignment.COUNTING)
    rows = rows.exclude(pk=assignment.pk).select_related("study").order_by("pk")
    return [(each, completion_code(each)) for each in rows]


@receiver(signals.opened)
def draw_codes(*, batch: Batch, **_: Any) -> None:
    """Draw the codes of all outcomes of a study, where its platform has codes and it has none."""
    study = batch.study
    for outcome in Outcome:
        PLATFORMS[study.recruitment].code_for(study, outcome)


def code_of_key(pk: int, *, secret: str = "") -> str:
    """The code of a piece of work; `secret` is an old key (recruiting.rekeying)."""
    number = int(hashed(platform="completion code", external_id=str(pk), secret=secret), 16)
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(LENGTH))


def work_of(*, study: Study, code: str) -> Assignment | None:
    """Whose code this is, among all who handed something in, in any version of the study; they
    were told it then, whether they are asked to redo it now or not."""
    wanted = "".join(code.split()).upper()
    mine = Assignment.objects.filter(study__slug=study.slug)
    handed_in = mine.filter(submitted_at__isnull=False) | mine.redos()
    keys = handed_in.filter(study__completion_code="").values_list("pk", flat=True)
    kept = dict(KeptCode.objects.filter(assignment__in=keys).values_list("assignment", "code"))
    pk = next((pk for pk in keys if (kept.get(pk) or code_of_key(pk)) == wanted), None)
    rows = Assignment.objects.select_related("worker", "task__batch", "study")
    return rows.filter(pk=pk).first() if pk is not None else None
