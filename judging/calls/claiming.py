"""Claims on prompts: of all askers of a team, one at a time asks for the answer to a prompt.

Two judges may have the same prompt, and each would pay. An asker locks its team while it marks a
call as sent, and skips prompts that another asker of the team has sent: it waits for that answer
and copies it. A database constraint enforces this.

A prompt's hash includes the address, so hashes change with an asker's address.
"""

from typing import Any
from uuid import uuid4

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.clock import database_now
from annotation.models import Team
from annotation.texts.sentences import marked
from judging.calls.askers import AskerKind
from judging.calls.requests import as_sent, hash_of
from judging.models.calls import HOLD, Asker, Call

State = Call.State
AT_ONCE = 500  # calls whose hashes are made anew together


def hash_anew(asker: Asker) -> None:
    """Hash unanswered calls again if the asker's address changed. The caller holds the asker."""
    if asker.hashed_for == asker.base_url:
        return
    calls = asker.calls.exclude(state=State.ANSWERED).exclude(prompt_hash="")
    last = 0
    while some := list(calls.filter(pk__gt=last).order_by("pk").only("request")[:AT_ONCE]):
        for call in some:
            call.prompt_hash = hash_of(asker, as_sent(call.request))
        asker.calls.bulk_update(some, ["prompt_hash"], batch_size=200)
        last = some[-1].pk
    type(asker)._default_manager.filter(pk=asker.pk).update(hashed_for=asker.base_url)


def lock_team(asker: Asker) -> None:
    Team.objects.select_for_update(no_key=True).get(pk=asker.team.pk)


def waiting(asker: Asker) -> "QuerySet[Any]":
    """Return the asker's prepared calls, the first of those with the same prompt."""
    before = asker.calls.filter(
        prompt_hash=OuterRef("prompt_hash"),
        pk__lt=OuterRef("pk"),
        state__in=[State.PREPARED, State.SENT, State.UNKNOWN],
    )
    return asker.calls.filter(~Exists(before), state=State.PREPARED)


def free(kind: AskerKind, asker: Asker) -> "QuerySet[Any]":
    """Return the waiting calls whose prompt no asker has sent; none if the address has changed."""
    out = kind.sent(asker).filter(prompt_hash=OuterRef("prompt_hash"))
    is_there = {f"{_name(asker)}__base_url": asker.base_url}
    return waiting(asker).filter(~Exists(out), **is_there)


def waits_for_others(kind: AskerKind, asker: Asker) -> bool:
    """Return whether all calls left wait for other askers; release those of gone processes."""
    mine = waiting(asker)
    if not mine.exists():
        return False
    name = _name(asker)
    out = kind.sent(asker).filter(prompt_hash__in=mine.values("prompt_hash"))
    others = kind.askers._default_manager.filter(pk__in=out.values(name)).exclude(pk=asker.pk)
    for other in others.filter(Q(held_until=None) | Q(held_until__lt=database_now())):
        _look_after_other(other)
    return True


def _name(asker: Asker) -> str:
    return str(asker.calls.field.name)  # type: ignore[attr-defined]


def _look_after_other(asker: Asker) -> None:
    """Hold the other asker meanwhile, so that no process starts to send for it."""
    me, now = uuid4().hex, database_now()
    row = type(asker)._default_manager.filter(pk=asker.pk)
    nobody = Q(held_until=None) | Q(held_until__lt=now)
    if row.filter(nobody).update(held_by=me, held_until=now + HOLD):
        look_after(asker)
        row.filter(held_by=me).update(held_by="", held_until=None)


def look_after(asker: Asker) -> None:
    """Prepare the calls again that a gone process had sent, or mark them as unknown."""
    sent = asker.calls.filter(state=State.SENT)
    if asker.repeats:
        sent.update(state=State.PREPARED)
    else:
        sent.update(
            state=State.UNKNOWN,
            error="lost",
            said=marked("No response since this call was sent."),
        )
