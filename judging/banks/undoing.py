"""Undoing the newest decision on one entry."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks import deciding
from judging.banks.appending import Change, append, current_entries, fields_of, lock, record
from judging.banks.entries_at import EntryAt, entries_at
from judging.models import Bank, EntryDecision

TOGETHER = ("replaced by ", "merged into ", "undo of ")  # decisions that span several entries


@transaction.atomic
def undo_entry(*, bank: Bank, entry: int, shown: int, by: User | None, now: datetime) -> int:
    """Undo the newest decision on an entry; return the primary key of the restored entry.

    Edits and merges are undone for all their entries. Raises the refusals StaleEntry and
    NothingToUndo.
    """
    lock(bank)
    (row,), _ = current_entries(bank, {entry: shown})
    if row.reason.startswith(TOGETHER):
        deciding.undo(bank=bank, act=row.act, by=by, now=now)
        return _before_edit(row) or entry
    earlier = next(iter(entries_at(bank, row.revision - 1, entries=[entry])), None)
    if earlier is None and (
        row.state != EntryDecision.State.CONFIRMED or row.decided_by_id is None
    ):
        raise Refusal("NothingToUndo", Sentence("This entry has no decision to undo."))
    fields = Change(state="retired").of(row) if earlier is None else fields_of(earlier)
    append(bank, [(entry, fields)], by=by, now=now, reason=f"undo of {row.revision}")
    record(bank, by, "undid a decision on entries", [row.key])
    return entry


def _before_edit(row: EntryAt) -> int | None:
    """Return the entry that this entry replaced in its newest decision, or None."""
    if row.reason != f"replaced by {row.key}":
        return None
    retired = EntryDecision.objects.filter(bank__entries=row.pk, act=row.act)
    earlier: int | None = retired.exclude(entry=row.pk).values_list("entry", flat=True).first()
    return earlier
