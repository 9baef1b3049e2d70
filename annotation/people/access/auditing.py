"""The audit log: who did what. Only added to."""

from typing import Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest

from annotation.models.access import AuditEntry, Team

COMMAND = "the command line"


class Shared(Protocol):
    """Record with a team: a study, a corpus, a draft."""

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


def wants_secret(request: HttpRequest) -> bool:
    """Return whether a request for an export asks for the secret entries of banks."""
    return request.GET.get("secret") == "yes"


def record_secret(*, user: User | AnonymousUser | None, what: str, of: Shared) -> AuditEntry:
    """Record an export with the secret entries of banks."""
    return record(user=user, act="exported secret entries", what=what, of=of)
