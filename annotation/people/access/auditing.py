"""The audit log: who did what. Only added to."""

from typing import Protocol

from django.contrib.auth.models import AnonymousUser, User

from annotation.models.access import AuditEntry, Team

COMMAND = "the command line"


class Shared(Protocol):
    """What has a team: a study, a corpus, a draft."""

    @property
    def team(self) -> Team: ...


def record(
    *,
    user: User | AnonymousUser | None,
    act: str,
    what: str = "",
    of: Shared | Team | None = None,
    otherwise: str = COMMAND,
) -> AuditEntry:
    """Note that somebody did something, in the transaction in which they do it.

    `act` is in the past tense (“closed a batch”), `what` says which one and how. Without a user
    it was a command, or what `otherwise` says; without `of` it is about accounts, which
    administrators read.
    """
    person = user if isinstance(user, User) else None
    limit = AuditEntry._meta.get_field("what").max_length or 0
    return AuditEntry.objects.create(
        team=of if isinstance(of, Team) or of is None else of.team,
        user=person,
        name=person.get_username() if person else otherwise,
        act=act,
        what=what[:limit],
    )
