"""Deciding on the entries of a bank: confirm, edit, merge, retire, undo.

A decision names the revision that the page of its entry showed, and is late if another one came
first.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.corpora.formats.rubric import entry_id
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.adding import Author, State, clean, same
from judging.banks.appending import (
    Change,
    Decided,
    append,
    current_entries,
    fields_of,
    lock,
    record,
    stale,
)
from judging.banks.entries_at import entries_at
from judging.models import Bank, BankEntry, EntryDecision

KEPT = "kept"  # the reason of a decision that changes nothing


@transaction.atomic
def decide(
    *,
    bank: Bank,
    shown: Mapping[int, int],
    change: Change,
    by: User | None,
    now: datetime,
    reason: str = "",
) -> Decided:
    """Change entries; `shown` maps each to the revision of its decision on the page.

    Raises the refusal StaleEntry if every decision is late.
    """
    lock(bank)
    rows, late = current_entries(bank, shown)
    changed = [(row, fields) for row in rows if (fields := change.of(row)) != fields_of(row)]
    act = append(bank, [(row.pk, fields) for row, fields in changed], by=by, now=now, reason=reason)
    record(bank, by, _words(change), [row.key for row, _ in changed])
    done = tuple(row.pk for row, _ in changed)
    return Decided(done, same=len(rows) - len(changed), late=late, act=act)


@transaction.atomic
def keep(
    *, bank: Bank, shown: Mapping[int, int], by: User | None, now: datetime, reason: str = ""
) -> Decided:
    """Record that a person reviewed entries and left them unchanged. Raises StaleEntry."""
    lock(bank)
    rows, late = current_entries(bank, shown)
    why = f"{KEPT}: {reason}" if reason else KEPT
    act = append(bank, [(row.pk, fields_of(row)) for row in rows], by=by, now=now, reason=why)
    record(bank, by, "kept entries", [row.key for row in rows])
    return Decided(tuple(row.pk for row in rows), late=late, act=act)


@transaction.atomic
def edit(
    *,
    bank: Bank,
    entry: int,
    shown: int,
    text: str,
    by: User | None,
    now: datetime,
    change: Change | None = None,
) -> BankEntry:
    """Replace an entry by another wording; return the new entry, confirmed.

    The earlier wording is retired. A text that the bank has already is confirmed instead of added.
    With the same text only `change` applies. Raises the refusals EntryText and StaleEntry.
    """
    lock(bank)
    (current,), _ = current_entries(bank, {entry: shown})
    row: BankEntry = BankEntry.objects.select_related("topic").get(pk=entry)
    text, change = clean(text), change or Change()
    fields = replace(change, state=State.CONFIRMED).of(current)
    key = entry_id(row.topic.key, text, row.facet)
    if key == row.key:
        if fields != fields_of(current):
            append(bank, [(row.pk, fields)], by=by, now=now)
            record(bank, by, "changed entries", [key])
        return row
    other: BankEntry | None = same(bank, topic=row.topic_id, facet=row.facet, key=key)
    if other is None:
        other = BankEntry.objects.create(
            bank=bank, topic=row.topic, facet=row.facet, key=key, text=text, replaces=row,
            author=Author.PERSON, user=by, created_at=now, passage_id=row.passage_id,
            response_id=row.response_id, start=row.start, end=row.end, extra=_place(row),
        )  # fmt: skip
    retired = fields_of(current) | {"state": State.RETIRED}
    reason = f"replaced by {key}"
    append(bank, [(other.pk, fields), (row.pk, retired)], by=by, now=now, reason=reason)
    record(bank, by, "edited an entry", [row.key, key])
    return other


@transaction.atomic
def merge(
    *, bank: Bank, into: int, shown: Mapping[int, int], by: User | None, now: datetime
) -> Decided:
    """Confirm one entry and retire the others; all of them are in `shown`, or none changes.

    Raises the refusals StaleEntry and OtherTopic.
    """
    lock(bank)
    rows, late = current_entries(bank, shown)
    if late or into not in shown:
        raise stale()
    if len({row.topic_id for row in rows}) > 1:
        raise Refusal(
            "OtherTopic", Sentence("You can only merge entries for the same topic."), status=400
        )
    kept = next(row for row in rows if row.pk == into)
    fields = [(kept.pk, Change(state=State.CONFIRMED).of(kept))]
    fields += [(row.pk, Change(state=State.RETIRED).of(row)) for row in rows if row.pk != into]
    act = append(bank, fields, by=by, now=now, reason=f"merged into {kept.key}")
    record(bank, by, "merged entries", [kept.key, *(row.key for row in rows if row != kept)])
    return Decided(tuple(row.pk for row in rows), act=act)


@transaction.atomic
def undo(*, bank: Bank, act: int, by: User | None, now: datetime) -> Decided:
    """Restore the entries of an act as they were before it; an added one is retired.

    Entries that were decided on since are late. Raises the refusal StaleEntry if all are.
    """
    lock(bank)
    decisions = EntryDecision.objects.filter(bank=bank, act=act)
    shown = dict(decisions.values_list("entry", "revision"))
    rows, late = current_entries(bank, shown)
    before = {row.pk: row for row in entries_at(bank, act - 1, entries=list(shown))}
    fields = [
        (
            row.pk,
            fields_of(before[row.pk]) if row.pk in before else Change(state=State.RETIRED).of(row),
        )
        for row in rows
    ]
    number = append(bank, fields, by=by, now=now, reason=f"undo of {act}")
    record(bank, by, "undid a decision on entries", [row.key for row in rows])
    return Decided(tuple(row.pk for row in rows), late=late, act=number)


def _place(entry: BankEntry) -> dict[str, Any]:
    """Return the position of an entry in its file, without the metadata of its wording."""
    return {name: entry.extra[name] for name in ("format", "row", "place") if name in entry.extra}


def _words(change: Change) -> str:
    """Return what a change does, for the audit log."""
    states = {
        State.CONFIRMED: "confirmed entries",
        State.RETIRED: "retired entries",
        State.PROPOSED: "reopened entries",
    }
    if change.state is not None:
        return states[State(change.state)]
    if change.secret is not None:
        return "made entries secret" if change.secret else "made entries public"
    return "changed entries"
