"""Appending decisions to a bank: each has a number, and moves the bank's revision to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.entries_at import EntryAt, State, entries_at
from judging.models import Bank, BankEntry, EntryDecision

REASON_LENGTH = 500


@dataclass(frozen=True)
class Change:
    """Change of an entry by a decision; None keeps a value."""

    state: str | None = None
    importance: str | None = None
    secret: bool | None = None
    answers: list[dict[str, Any]] | None = None
    aggregator: str | None = None

    def of(self, entry: EntryAt) -> dict[str, Any]:
        """Return the fields of the entry after this change."""
        return fields_of(entry) | {
            name: value for name, value in vars(self).items() if value is not None
        }


@dataclass(frozen=True)
class Decided:
    """Entries decided on, unchanged ones, and late decisions; `act` is what `undo` takes."""

    done: tuple[int, ...]
    same: int = 0
    late: int = 0
    act: int = 0


def lock(bank: Bank) -> None:
    """Let decisions on a bank run one after the other; read its revision."""
    bank.revision = (
        Bank.objects.select_for_update().values_list("revision", flat=True).get(pk=bank.pk)
    )


def current_entries(bank: Bank, shown: Mapping[int, int]) -> tuple[list[EntryAt], int]:
    """Return the entries that nobody decided on since, and how many others there are."""
    rows = entries_at(bank, entries=list(shown)) if shown else []
    current = [row for row in rows if row.revision == shown[row.pk]]
    if not current:
        raise stale()
    return current, len(shown) - len(current)


def stale() -> Refusal:
    return Refusal("StaleEntry", Sentence("This entry just changed. Reload the page."))


def append(
    bank: Bank,
    fields: Sequence[tuple[int, dict[str, Any]]],
    *,
    by: User | None,
    now: datetime,
    reason: str = "",
) -> int:
    """Append decisions of one act, and move the revision; return the act, 0 for none.

    Raises the refusals StaleEntry, and EntryErased if an erased entry would be used again.
    """
    if not fields:
        return 0
    used = [entry for entry, values in fields if values["state"] != State.RETIRED]
    if BankEntry.objects.filter(pk__in=used, text="").exists():
        raise Refusal("EntryErased", Sentence("The author withdrew this text."))
    before, after = bank.revision, bank.revision + len(fields)
    if not Bank.objects.filter(pk=bank.pk, revision=before).update(revision=after):
        raise stale()
    EntryDecision.objects.bulk_create(
        (
            EntryDecision(
                bank=bank, entry_id=entry, revision=revision, act=before + 1, by=by, at=now,
                reason=reason[:REASON_LENGTH], **values,
            )
            for revision, (entry, values) in enumerate(fields, start=before + 1)
        ),
        batch_size=200,
    )  # fmt: skip
    bank.revision = after
    return before + 1


def record(bank: Bank, by: User | None, act: str, keys: Sequence[str]) -> None:
    """Name entries by their md5: the audit log outlives a bank, so it has none of its words."""
    if keys:
        digests = ", ".join(key.rpartition("/")[2] for key in keys)
        what = f"revision {bank.revision}: {len(keys):,}: {digests}"
        access.record(user=by, act=act, what=what, of=bank)


def fields_of(entry: EntryAt) -> dict[str, Any]:
    names = ("state", "importance", "secret", "answers", "aggregator")
    return {name: getattr(entry, name) for name in names}
