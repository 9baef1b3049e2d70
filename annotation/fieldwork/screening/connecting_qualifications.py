"""Connecting studies with the qualifications of other teams that they accept.

A qualification belongs to one team. A study of another team accepts it only after a person who may
run both studies has launched one of them or given the qualification.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver

from annotation import signals
from annotation.fieldwork.work.admission import requirement_of
from annotation.models import Qualification, Study
from annotation.people.access import Act, record, teams_where


def qualification_of(*, study: Study, name: str, now: datetime) -> Qualification:
    """Return the qualification of this name of the study's team; make it if it is new."""
    return Qualification.objects.get_or_create(
        team_id=study.team_id, name=name, defaults={"created_at": now}
    )[0]


@receiver(signals.launched)
@transaction.atomic
def connect(*, study: Study, user: User | None, now: datetime, **_: Any) -> None:
    """Connect a study that is being launched with the other studies that its launcher may run.

    1. It accepts the qualification that it requires from these studies, and from those that
       earlier versions accepted.
    2. These studies accept the qualification that it gives, where they require it.
    """
    if required := requirement_of(study):
        qualifications = acceptable(name=required, team=study.team_id, user=user)
        _accept(qualifications.exclude(team=study.team_id), [study], user)
    if given_name := " ".join(str(study.screening.get("gives", "")).split()):
        offer(qualification=qualification_of(study=study, name=given_name, now=now), user=user)


@transaction.atomic
def offer(*, qualification: Qualification, user: User | None) -> None:
    """Let the other studies that this person may run accept a qualification that they require."""
    if user is None:
        return
    studies = Study.objects.launched().filter(
        team__in=teams_where(user, Act.RUN), screening__requires=qualification.name
    )
    others = studies.exclude(team=qualification.team_id)
    _accept(Qualification.objects.filter(pk=qualification.pk), others, user)


def acceptable(*, name: str, team: int, user: User | None) -> "QuerySet[Qualification]":
    """Return the qualifications of this name that count once this person launches a study.

    They are those of the team, of the other teams where the person may run studies, and those that
    the team's studies accept already.
    """
    counts = Q(team=team) | Q(required_by__team=team)
    if user is not None:
        counts |= Q(team__in=teams_where(user, Act.RUN))
    return Qualification.objects.filter(counts, name=name).distinct()


def _accept(known: "QuerySet[Qualification]", studies: Iterable[Study], user: User | None) -> None:
    """Add what is new, and note it in the audit logs of both teams."""
    for qualification in known.select_related("team"):
        accepting = set(qualification.required_by.values_list("pk", flat=True))
        for study in studies:
            if study.pk in accepting:
                continue
            qualification.required_by.add(study)
            entry = f"“{qualification.name}” for {study.slug}, version {study.version}"
            for team in (study.team, qualification.team):
                record(user=user, act="accepted a qualification", what=entry, of=team)
