"""Qualifications of the people of a study. Only reads."""

from collections import defaultdict
from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet

from annotation.fieldwork.screening.connecting_qualifications import acceptable
from annotation.models import Assignment, Qualification, Qualified, ScreeningResult, Study, Worker
from annotation.people.access import Act, teams_where


def people_of(study: Study) -> "QuerySet[Worker]":
    """Return the workers who worked or were screened in a study, by pseudonym."""
    came = Assignment.objects.filter(study=study).values("worker")
    return Worker.objects.filter(pk__in=came).order_by("pseudonym")


def qualifications_of(study: Study) -> list[Qualification]:
    """Return the qualifications that a study accepts, with the number of holders (`people`)."""
    qualifications = Qualification.objects.filter(pk__in=_counting_in(study).values("pk"))
    return list(qualifications.annotate(people=Count("holders")).order_by("name", "pk"))


def names_for(*, team: int, user: User) -> list[str]:
    """Return the names that a draft of this team can ask for, or give again."""
    teams = Q(team=team) | Q(team__in=teams_where(user, Act.RUN))
    names = Qualification.objects.filter(teams).order_by("name")
    return list(names.values_list("name", flat=True).distinct())


def holders_for(*, team: int, user: User | None, name: str) -> int | None:
    """Return how many workers a study could admit that requires this name; None for no name."""
    if not (name := name.strip()):
        return None
    qualifications = acceptable(name=name, team=team, user=user)
    return (
        Qualified.objects.filter(qualification__in=qualifications)
        .values("worker")
        .distinct()
        .count()
    )


def held_by(workers: Collection[Worker], *, study: Study) -> dict[int, list[str]]:
    """Return the names of the qualifications that workers have here, by worker's primary key."""
    names: dict[int, list[str]] = defaultdict(list)
    rows = Qualified.objects.filter(worker__in=workers, qualification__in=_counting_in(study))
    held = rows.order_by("qualification__name").values_list("worker", "qualification__name")
    for worker, name in held.distinct():
        names[worker].append(name)
    return names


def _counting_in(study: Study) -> "QuerySet[Qualification]":
    accepted = Q(team=study.team_id) | Q(required_by=study)
    return Qualification.objects.filter(accepted)


def screened(study: Study, workers: Collection[Worker]) -> dict[int, ScreeningResult]:
    rows = ScreeningResult.objects.filter(slug=study.slug, worker__in=workers)
    return {row.worker_id: row for row in rows}


def accepted_in(study: Study) -> "QuerySet[Worker]":
    accepted = Assignment.objects.filter(study=study, state=Assignment.State.ACCEPTED)
    return Worker.objects.filter(pk__in=accepted.values("worker"))
