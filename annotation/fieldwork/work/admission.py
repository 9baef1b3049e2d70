"""Admission of workers by screening and qualifications. Only reads."""

from django.db.models import Q, QuerySet

from annotation.fieldwork.work.refusals import ScreenedOut, excluded, not_qualified
from annotation.models import Assignment, Qualified, ScreeningResult, Study, Worker
from annotation.studies.drafts.screening_schema import Screening, names_in

TRIED = (Study.Purpose.TRIAL, Study.Purpose.SIMULATION)  # by people who are nobody


def asks(study: Study) -> bool:
    return bool(study.screening.get("questions"))


def requirement_of(study: Study) -> str:
    """Return the name of the qualification that a study requires; '' if none."""
    return "" if study.purpose in TRIED else str(study.screening.get("requires", "")).strip()


def studies_named(study: Study, setting: str) -> set[str]:
    """Return the slugs in the study's `required_studies` or `excluded_studies`."""
    if study.purpose in TRIED:
        return set()
    return set(names_in(str(study.screening.get(setting, ""))))


def recognizes(study: Study) -> bool:
    """Return whether admission depends on earlier studies of a worker."""
    return bool(requirement_of(study) or studies_named(study, "required_studies"))


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
    """Raise ScreenedOut, `not_qualified` or `excluded`; without conditions it costs no query."""
    if asks(study) and has_failed(study, result_of(study=study, worker=worker)):
        raise ScreenedOut
    if (name := requirement_of(study)) and not _holds(name, study, worker):
        raise not_qualified()
    if (name := exclusion_of(study)) and _holds(name, study, worker):
        raise excluded()
    required = studies_named(study, "required_studies")
    barred = studies_named(study, "excluded_studies")
    if required or barred:
        met = _took_part_in(required | barred, study, worker)
        if required - met:
            raise not_qualified()
        if barred & met:
            raise excluded()


def exclusion_of(study: Study) -> str:
    """Return the name of the qualification that a study excludes; '' if none."""
    return "" if study.purpose in TRIED else str(study.screening.get("excludes", "")).strip()


def admitted(study: Study) -> "QuerySet[Worker]":
    """Return the workers who have all that a study requires."""
    workers = Worker.objects.all()
    if name := requirement_of(study):
        workers = workers.filter(pk__in=_holders(name, study).values("worker"))
    for slug in studies_named(study, "required_studies"):
        workers = workers.filter(pk__in=_started({slug}, study).values("worker"))
    return workers


def excluded_workers(study: Study) -> "QuerySet[Worker]":
    """Return the workers whom a study excludes."""
    started = _started(studies_named(study, "excluded_studies"), study).values("worker")
    holders = _holders(exclusion_of(study), study).values("worker")
    return Worker.objects.filter(Q(pk__in=started) | Q(pk__in=holders))


def _holders(name: str, study: Study) -> "QuerySet[Qualified]":
    accepted = Q(qualification__team=study.team_id) | Q(qualification__required_by=study)
    return Qualified.objects.filter(accepted, qualification__name=name)


def _holds(name: str, study: Study, worker: Worker) -> bool:
    return _holders(name, study).filter(worker=worker).exists()


def _started(slugs: set[str], study: Study) -> "QuerySet[Assignment]":
    """Return the started works in these studies of the team, in any version."""
    return Assignment.objects.filter(
        study__team=study.team_id, study__slug__in=slugs, started_at__isnull=False
    )


def _took_part_in(slugs: set[str], study: Study, worker: Worker) -> set[str]:
    """Return which of these studies of the team the worker has started."""
    works = _started(slugs, study).filter(worker=worker)
    return set(works.order_by().values_list("study__slug", flat=True).distinct())


def unknown_studies(screening: Screening, *, team: int | None) -> frozenset[str]:
    """Return the slugs in a screening that match no study of the team."""
    names = {*names_in(screening.required_studies), *names_in(screening.excluded_studies)}
    if not names:
        return frozenset()
    studies = Study.objects.filter(team=team, slug__in=names).values_list("slug", flat=True)
    return frozenset(names - set(studies))


def is_due(assignment: Assignment) -> bool:
    """Return whether the screening questions come before anything else."""
    if not asks(assignment.study):
        return False
    result = result_of(study=assignment.study, worker=assignment.worker)
    return result is None or not result.is_passed
