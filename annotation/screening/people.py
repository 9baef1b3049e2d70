"""Who has which qualification, among the people of a study. Only reads."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Count, QuerySet

from annotation.models import Assignment, Qualification, Qualified, ScreeningResult, Study, Worker


def people_of(study: Study) -> "QuerySet[Worker]":
    """Who worked or was screened in it, by pseudonym."""
    came = Assignment.objects.filter(study=study).values("worker")
    return Worker.objects.filter(pk__in=came).order_by("pseudonym")


def qualifications() -> list[Qualification]:
    """All, with how many people have each (`people`)."""
    return list(Qualification.objects.annotate(people=Count("holders")).order_by("name"))


def holders_of(name: str) -> int | None:
    """How many people have the qualification of this name; None for no name."""
    name = name.strip()
    return Qualified.objects.filter(qualification__name=name).count() if name else None


def held_by(workers: Collection[Worker]) -> dict[int, list[str]]:
    """The names of what each has, by the primary key of the worker."""
    found: dict[int, list[str]] = defaultdict(list)
    rows = Qualified.objects.filter(worker__in=workers).order_by("qualification__name")
    for worker, name in rows.values_list("worker", "qualification__name"):
        found[worker].append(name)
    return found


def screened(study: Study, workers: Collection[Worker]) -> dict[int, ScreeningResult]:
    rows = ScreeningResult.objects.filter(slug=study.slug, worker__in=workers)
    return {row.worker_id: row for row in rows}


def accepted_in(study: Study) -> "QuerySet[Worker]":
    accepted = Assignment.objects.filter(study=study, state=Assignment.State.ACCEPTED)
    return Worker.objects.filter(pk__in=accepted.values("worker"))
