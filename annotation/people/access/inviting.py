"""Invitations by link: made by an owner, followed once, and good for a few days."""

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet

from annotation.encryption import token_hash
from annotation.models.access import Invitation, Membership, Role, Team
from annotation.people.access import sharing
from annotation.people.access.auditing import record
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

LASTS = timedelta(days=7)
_signer = Signer(salt="annotation.people.access.invitation")


class InvitationOver(Refusal):
    """The link was used, taken back, or is too old; or there never was such a link."""

    status = 410
    title = Sentence("Invitation no longer valid")
    sentence = Sentence(
        "This link has expired, been revoked or already been used. Ask the sender for a new one."
    )


@transaction.atomic
def invite(
    *, team: Team, role: Role, by: User, now: datetime, name: str = ""
) -> tuple[Invitation, str]:
    """Make an invitation; return it with the token of its link, which nobody can look up again."""
    token = _signer.sign(secrets.token_urlsafe(16))
    made = Invitation.objects.create(
        team=team,
        role=role,
        name=name[:150],
        token_hash=token_hash(token),
        made_by=by,
        made_at=now,
        expires_at=now + LASTS,
    )
    record(user=by, act="invited", what=str(made), of=team)
    return made, token


@transaction.atomic
def revoke(*, invitation: Invitation, by: User, now: datetime) -> None:
    """Take an invitation back. Raises InvitationOver where somebody was faster."""
    if not _open(now).filter(pk=invitation.pk).update(revoked_at=now):
        raise InvitationOver
    record(user=by, act="revoked an invitation", what=str(invitation), of=invitation.team)


def invitation_of(*, token: str, now: datetime) -> Invitation:
    """Return the invitation of a link. Raises InvitationOver."""
    try:
        _signer.unsign(token)
    except BadSignature as error:
        raise InvitationOver from error
    rows = waiting(now).select_related("team", "made_by")
    invitation = rows.filter(token_hash=token_hash(token)).first()
    if invitation is None:
        raise InvitationOver
    return invitation


@transaction.atomic
def accept(*, invitation: Invitation, user: User, now: datetime) -> Membership:
    """Make somebody a member, once. Who has a role already keeps it if it allows more.

    Raises InvitationOver.
    """
    if not _open(now).filter(pk=invitation.pk).update(accepted_by=user, accepted_at=now):
        raise InvitationOver
    sharing.lock(invitation.team)
    wanted = Role(invitation.role)
    member, is_new = Membership.objects.get_or_create(
        team=invitation.team, user=user, defaults={"role": wanted}
    )
    order = list(Role)
    if not is_new and order.index(wanted) < order.index(Role(member.role)):
        member.role = wanted
        member.save(update_fields=["role"])
    record(user=user, act="accepted an invitation", what=member.role, of=invitation.team)
    return member


def waiting(now: datetime) -> QuerySet[Invitation]:
    """Those that somebody can still accept."""
    return _open(now).filter(made_by__is_active=True)


def _open(now: datetime) -> QuerySet[Invitation]:
    """For guarded updates: with a join PostgreSQL would look at the rows as they were before."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__gt=now)
