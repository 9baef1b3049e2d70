"""Teams of studies and corpora, with roles. Every change is in the audit log."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation import signals
from annotation.models import Study
from annotation.models.access import Invitation, Membership, Role, Team
from annotation.people.access.auditing import Shared, record
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence


def administrators() -> list[User]:
    """Those whom a command makes owners if it is told nobody."""
    return list(User.objects.filter(is_superuser=True, is_active=True).order_by("pk"))


@transaction.atomic
def begin(*, of: Shared, owners: Iterable[User]) -> None:
    """Make people the owners of something new. What has members already keeps them as they are."""
    lock(of.team)
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


@transaction.atomic
def change_role(*, team: Team, user: User, role: Role, by: User, now: datetime) -> Membership:
    """Give a member another role. Raises the refusals NoMember and LastOwner."""
    lock(team)
    member = _member(team, user)
    before = member.role
    if before == role:
        return member
    if role != Role.OWNER:
        _check_owner_left(team, without=member)
        _end_invitations(team, user, now)
    Membership.objects.filter(pk=member.pk).update(role=role)
    record(user=by, act="changed a role", what=f"{user}: {before} → {role}", of=team)
    member.role = role
    return member


@transaction.atomic
def remove(*, team: Team, user: User, by: User, now: datetime) -> None:
    """Take a member out. Raises the refusals NoMember and LastOwner."""
    lock(team)
    member = _member(team, user)
    _check_owner_left(team, without=member)
    _end_invitations(team, user, now)
    member.delete()
    signals.left_team.send(sender=Team, team=team, user=user)
    act = "left" if user == by else "removed a person"
    record(user=by, act=act, what=f"{user}, {member.role}", of=team)


def lock(team: Team) -> None:
    """One change of a team at a time: two owners who leave at once do not see each other."""
    Team.objects.select_for_update().get(pk=team.pk)


def _member(team: Team, user: User) -> Membership:
    member = Membership.objects.filter(team=team, user=user).first()
    if member is None:
        no_member = Sentence("This person isn't a member.")
        raise Refusal("NoMember", no_member, status=404)
    return member


def _check_owner_left(team: Team, *, without: Membership) -> None:
    """Somebody who cannot log in any more is no owner to rely on."""
    owners = Membership.objects.filter(team=team, role=Role.OWNER, user__is_active=True)
    if without.role == Role.OWNER and not owners.exclude(pk=without.pk).exists():
        last_owner = Sentence("This is the last owner. Add another first.")
        raise Refusal("LastOwner", last_owner)


def _end_invitations(team: Team, user: User, now: datetime) -> None:
    """Nobody comes in by the word of somebody who may invite nobody any more."""
    mine = Invitation.objects.filter(team=team, made_by=user, accepted_at=None, revoked_at=None)
    mine.update(revoked_at=now)
