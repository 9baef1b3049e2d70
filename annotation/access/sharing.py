"""Who is in the team of a study or a corpus, and as what."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from annotation.access.recording import Shared
from annotation.models import Study
from annotation.models.access import Membership, Role, Team


def administrators() -> list[User]:
    """Those whom a command makes owners if it is told nobody."""
    return list(User.objects.filter(is_superuser=True, is_active=True).order_by("pk"))


@transaction.atomic
def begin(*, of: Shared, owners: Iterable[User]) -> None:
    """Make people the owners of something new. What has members already keeps them as they are."""
    Team.objects.select_for_update().get(pk=of.team.pk)
    if Membership.objects.filter(team=of.team).exists():
        return
    Membership.objects.bulk_create(
        Membership(team=of.team, user=user, role=Role.OWNER) for user in owners
    )


def move(*, study: Study, team: Team) -> None:
    """Give a study that was just made the people of its draft, instead of its maker alone."""
    made = study.team
    if made != team:
        Study.objects.filter(pk=study.pk).update(team=team)
        study.refresh_from_db()
        made.delete()
