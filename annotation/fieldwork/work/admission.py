"""Admission of workers by screening and qualifications. Only reads."""

from django.db.models import Q

from annotation.fieldwork.work.refusals import ScreenedOut, not_qualified
from annotation.models import Assignment, Qualified, ScreeningResult, Study, Worker

TRIED = (Study.Purpose.TRIAL, Study.Purpose.SIMULATION)  # by people who are nobody


def asks(study: Study) -> bool:
    return bool(study.screening.get("questions"))


def requirement_of(study: Study) -> str:
    """Return the name of the qualification that a study requires; '' if none."""
    return "" if study.purpose in TRIED else str(study.screening.get("requires", "")).strip()


def result_of(*, study: Study, worker: Worker) -> ScreeningResult | None:
    """Return the worker's result in any version of the study."""
    return ScreeningResult.objects.filter(slug=study.slug, worker=worker).first()


def attempts_of(study: Study) -> int:
    """Return how often people may answer: once in a screener, twice in a comprehension check."""
    return int(study.screening.get("attempts", 1))


def has_failed(study: Study, result: ScreeningResult | None) -> bool:
    """Return whether the worker did not pass and has no attempt left."""
    return result is not None and not result.is_passed and result.attempts >= attempts_of(study)


def require_admitted(*, study: Study, worker: Worker) -> None:
    """Raise ScreenedOut or `not_qualified`; studies that require nothing cost no query."""
    if asks(study) and has_failed(study, result_of(study=study, worker=worker)):
        raise ScreenedOut
    if name := requirement_of(study):
        accepted = Q(qualification__team=study.team_id) | Q(qualification__required_by=study)
        held = Qualified.objects.filter(accepted, qualification__name=name, worker=worker)
        if not held.exists():
            raise not_qualified()


def is_due(assignment: Assignment) -> bool:
    """Return whether the screening questions come before anything else."""
    if not asks(assignment.study):
        return False
    result = result_of(study=assignment.study, worker=assignment.worker)
    return result is None or not result.is_passed
