"""Secret entries of banks: who may not read which text. Pages, API and files ask this module.

An entry is secret by its newest decision, also where an older revision is read. The wordings that
a secret entry replaced are secret with it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from judging.banks.entries_at import EntryAt
from judging.models import Bank, BankEntry, EntryDecision, ItemSlot

CHECKS = ("gold", "training")  # lists of an instrument that may refer to an entry
Data = dict[str, Any]


def secret_entries(bank: Bank) -> frozenset[int]:
    """Return the primary keys of the entries that are secret now, with their earlier wordings."""
    newest = EntryDecision.objects.newest(bank).filter(secret=True)
    secret: set[int] = set()
    found = set(newest.values_list("entry", flat=True))
    while found:
        secret |= found
        before = BankEntry.objects.filter(bank=bank, replaced_by__in=found)
        found = set(before.values_list("pk", flat=True)) - secret
    return frozenset(secret)


def masked(bank: Bank, rows: Sequence[EntryAt]) -> list[EntryAt]:
    """Return the entries as a person without the right sees them: no secret text or answer."""
    secret = secret_entries(bank)
    hidden: dict[str, Any] = {"text": "", "answers": [], "secret": True}
    return [replace(row, **hidden) if row.pk in secret else row for row in rows]


def public_entries(bank: Bank, rows: Sequence[EntryAt]) -> list[EntryAt]:
    """Return the entries that are not secret."""
    secret = secret_entries(bank)
    return [row for row in rows if row.pk not in secret]


def secret_keys(study: Study) -> frozenset[str]:
    """Return the keys of the entries that are currently secret in the banks of a study."""
    return _keys(Bank.objects.filter(instruments__study=study).distinct())


def hidden_keys(study: Study) -> frozenset[str]:
    """Return the keys of the secret entries that the person who reads the study may not read."""
    return frozenset() if access.may(study, Act.EDIT) else secret_keys(study)


def hidden_items(study: Study) -> "QuerySet[Any]":
    """Return the items (values) whose texts and comments the reader of the study may not read."""
    return _items_on(study, hidden_keys(study))


def secret_items(study: Study) -> frozenset[int]:
    """Return the items on secret entries, about which exports have no words."""
    keys = secret_keys(study)
    return frozenset(_items_on(study, keys).values_list("item", flat=True)) if keys else frozenset()


def public(document: Data) -> Data:
    """Return a copy of the document without secret entries and the checks that refer to them."""
    parts = document.get("instruments", [])
    names = {name for part in parts if (name := part.get("bank"))}
    if not names:
        return document
    banks = Bank.objects.filter(corpus__slug=document.get("corpus", ""), name__in=names)
    secret = _keys(banks)
    return document | {"instruments": [_without(part, secret) for part in parts]}


def _items_on(study: Study, keys: Collection[str]) -> "QuerySet[Any]":
    slots = ItemSlot.objects.filter(item__study=study, criterion__key__in=keys)
    return slots.order_by().values("item")


def _keys(banks: "QuerySet[Bank]") -> frozenset[str]:
    secret = {entry for bank in banks for entry in secret_entries(bank)}
    return frozenset(BankEntry.objects.filter(pk__in=secret).values_list("key", flat=True))


def _without(instrument: Data, secret: Collection[str]) -> Data:
    criteria = [part for part in instrument.get("criteria", []) if part["key"] not in secret]
    checks = {
        name: [check for check in instrument[name] if not any(k in check["item"] for k in secret)]
        for name in CHECKS
        if name in instrument
    }
    return instrument | {"criteria": criteria} | checks
