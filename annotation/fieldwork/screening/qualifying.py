"""Giving and taking back qualifications."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.fieldwork.screening import connecting_qualifications
from annotation.models import Qualification, Qualified, Study, Worker
from annotation.refusals import Refusal

BY_SCREENING = "rule: screening"


@transaction.atomic
def qualify(
    *,
    workers: Iterable[Worker],
    name: str,
    by: str,
    now: datetime,
    study: Study,
    user: User | None = None,
) -> int:
    """Give workers a qualification of the study's team, which is made if it is new.

    Return the number of workers who did not have it. With a `user`, their other studies that
    require this name accept it from now on. Raises Refusal.
    """
    name = " ".join(name.split())
    if not name or len(name) > 80 or "\x00" in name:
        raise Refusal(
            "QualificationName", gettext("Enter a qualification name of up to 80 characters.")
        )
    qualification = connecting_qualifications.qualification_of(study=study, name=name, now=now)
    if user is not None:
        connecting_qualifications.offer(qualification=qualification, user=user)
    is_given = [
        Qualified.objects.get_or_create(
            qualification=qualification,
            worker=worker,
            defaults={"study": study, "given_by": by, "given_at": now},
        )[1]
        for worker in workers
    ]
    return sum(is_given)


@transaction.atomic
def take_back(*, workers: Iterable[Worker], name: str, study: Study) -> int:
    """Take a qualification of the study's team from workers; return how many had it.

    Raises Refusal where the team has none of this name.
    """
    qualification = Qualification.objects.filter(
        team=study.team_id, name=" ".join(name.split())
    ).first()
    if qualification is None:
        raise Refusal(
            "NotGivenHere",
            gettext("“{name}” was granted by another study. Remove it there.").format(
                name=" ".join(name.split())
            ),
        )
    return qualification.holders.filter(worker__in=list(workers)).delete()[0]
