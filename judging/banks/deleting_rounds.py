"""Deletion and restoration of rounds of entries. Costs and reviewed entries are kept.

Entries that nobody reviewed yet are retired with the round and proposed again on restoration.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from judging.banks.appending import append, fields_of, lock, record
from judging.banks.entries_at import State, entries_at
from judging.calls import running_rounds
from judging.models import BankEntry, EntryRound


@transaction.atomic
def delete(*, round: EntryRound, by: User | None, now: datetime) -> bool:
    """Delete a round; return whether it can be restored. Raises BadAsker."""
    lock(round.bank)
    is_kept = running_rounds.delete(round=round, by=by)
    if is_kept:
        _move(round, State.PROPOSED, State.RETIRED, by=by, now=now)
    return is_kept


@transaction.atomic
def restore(*, round: EntryRound, by: User | None, now: datetime) -> None:
    """Restore a round as paused, and propose its unreviewed entries again. Raises BadAsker."""
    lock(round.bank)
    running_rounds.restore(round=round, by=by)
    _move(round, State.RETIRED, State.PROPOSED, by=by, now=now)


def _move(round: EntryRound, old: str, new: str, *, by: User | None, now: datetime) -> None:
    """Change the state of the round's proposed entries, or of those that its deletion retired."""
    bank, reason = round.bank, f"round {round.pk} deleted"
    proposed = BankEntry.objects.filter(bank=bank, extra__round=round.pk)
    pks = list(proposed.values_list("pk", flat=True))
    rows = entries_at(bank, states=[old], entries=pks) if pks else []
    if new == State.PROPOSED:
        rows = [row for row in rows if row.reason == reason]
        reason = f"round {round.pk} restored"
    fields = [(row.pk, fields_of(row) | {"state": new}) for row in rows]
    append(bank, fields, by=by, now=now, reason=reason)
    act = "retired entries" if new == State.RETIRED else "reopened entries"
    record(bank, by, act, [row.key for row in rows])
