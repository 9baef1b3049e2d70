"""Who may ask for the answer to a prompt just now: of all that the same people ask with, one.

Two judges may come to the same prompt, of which each would pay. Whoever marks a call as sent holds
the lock on their team meanwhile, and marks none whose prompt another has out: it waits for that
answer and takes it, as it takes older ones. A constraint of the database holds them to it.

The hash of a prompt says who is asked, so it is made anew where an asker has another address.
"""

from typing import Any
from uuid import uuid4

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.models import Team
from annotation.texts.sentences import marked
from judging.calls.askers import AskerKind
from judging.calls.requests import as_sent, hash_of
from judging.models.calls import HOLD, Asker, Call

State = Call.State
AT_ONCE = 500  # calls whose hashes are made anew together


def hash_anew(asker: Asker) -> None:
    """Its address is another one than that for which its calls were made: what was answered before
    at the old one is not what this one would say. Whoever calls it holds the asker."""
    if asker.hashed_for == asker.base_url:
        return
    calls = asker.calls.exclude(state=State.ANSWERED).exclude(prompt_hash="")
    last = 0
    while some := list(calls.filter(pk__gt=last).order_by("pk").only("request")[:AT_ONCE]):
        for each in some:
            each.prompt_hash = hash_of(asker, as_sent(each.request))
        asker.calls.bulk_update(some, ["prompt_hash"], batch_size=200)
        last = some[-1].pk
    type(asker)._default_manager.filter(pk=asker.pk).update(hashed_for=asker.base_url)


def lock_team(asker: Asker) -> None:
    Team.objects.select_for_update(no_key=True).get(pk=asker.team.pk)


def waiting(asker: Asker) -> "QuerySet[Any]":
    """Its calls that are to be sent; of two with the same prompt the first."""
    before = asker.calls.filter(
        prompt_hash=OuterRef("prompt_hash"),
        pk__lt=OuterRef("pk"),
        state__in=[State.PREPARED, State.SENT, State.UNKNOWN],
    )
    return asker.calls.filter(~Exists(before), state=State.PREPARED)


def free(kind: AskerKind, asker: Asker) -> "QuerySet[Any]":
    """Those of them whose prompt nobody has out; none where it has another address by now."""
    out = kind.sent(asker).filter(prompt_hash=OuterRef("prompt_hash"))
    is_there = {f"{_name(asker)}__base_url": asker.base_url}
    return waiting(asker).filter(~Exists(out), **is_there)


def waits_for_others(kind: AskerKind, asker: Asker) -> bool:
    """Whether it has nothing to send but what others have out. What a process had out that is gone
    nobody waits for."""
    mine = waiting(asker)
    if not mine.exists():
        return False
    name = _name(asker)
    out = kind.sent(asker).filter(prompt_hash__in=mine.values("prompt_hash"))
    others = kind.askers._default_manager.filter(pk__in=out.values(name)).exclude(pk=asker.pk)
    for other in others.filter(Q(held_until=None) | Q(held_until__lt=timezone.now())):
        _look_after_other(other)
    return True


def _name(asker: Asker) -> str:
    """Of the field of its calls that leads to it."""
    return str(asker.calls.field.name)  # type: ignore[attr-defined]


def _look_after_other(asker: Asker) -> None:
    """Held meanwhile, so that nobody begins to send for it."""
    me, now = uuid4().hex, timezone.now()
    row = type(asker)._default_manager.filter(pk=asker.pk)
    nobody = Q(held_until=None) | Q(held_until__lt=now)
    if row.filter(nobody).update(held_by=me, held_until=now + HOLD):
        look_after(asker)
        row.filter(held_by=me).update(held_by="", held_until=None)


def look_after(asker: Asker) -> None:
    """Whoever had the asker before is gone: what they sent was not heard of."""
    sent = asker.calls.filter(state=State.SENT)
    if asker.repeats:
        sent.update(state=State.PREPARED)
    else:
        sent.update(
            state=State.UNKNOWN,
            error="lost",
            said=marked("Nothing was heard of it since it was sent."),
        )
