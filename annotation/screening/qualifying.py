"""Giving qualifications, and taking them."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from annotation.models import Qualification, Qualified, Study, Worker

BY_SCREENING = "rule: screening"


class BadQualification(ValueError):
    """Nobody can be given this; the message says why."""


@transaction.atomic
def qualify(
    *,
    workers: Iterable[Worker],
    name: str,
    by: str,
    now: datetime,
    study: Study | None = None,
) -> int:
    """Give workers the qualification of this name, which is made if it is new; return how many
    did not have it. Raises BadQualification."""
    name = " ".join(name.split())
    if not name or len(name) > 80 or "\x00" in name:
        raise BadQualification(gettext("A qualification has a name of up to 80 characters."))
    qualification, _ = Qualification.objects.get_or_create(name=name, defaults={"created_at": now})
    given = [
        Qualified.objects.get_or_create(
            qualification=qualification,
            worker=worker,
            defaults={"study": study, "given_by": by, "given_at": now},
        )[1]
        for worker in workers
    ]
    return sum(given)


@transaction.atomic
def take_back(*, workers: Iterable[Worker], name: str) -> int:
    """Return how many had it."""
    held = Qualified.objects.filter(qualification__name=name, worker__in=list(workers))
    return held.delete()[0]
