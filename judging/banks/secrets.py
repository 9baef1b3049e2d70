"""Secret entries of banks: who may not read which text. Pages, API and files ask this module.

An entry is secret by its newest decision, also where an older revision is read. The wordings that
a secret entry replaced are secret with it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from judging.banks.entries_at import EntryAt
from judging.models import (
    AddedCode,
    Bank,
    BankEntry,
    CodingUnit,
    EntryDecision,
    ItemSlot,
    Judgment,
    Presentation,
    Question,
    Scale,
)

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


def secret_keys_of(bank: Bank) -> frozenset[str]:
    """Return the keys of the entries of a bank that are secret now, in any state."""
    return _keys(Bank.objects.filter(pk=bank.pk))


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


def works_with(study: Study, items: "QuerySet[Any] | Collection[int]") -> "QuerySet[Any]":
    """Return the assignments (values) with a page on one of the items."""
    pages = Presentation.objects.filter(assignment__study=study, item__in=items)
    return pages.order_by().values("assignment")


def units_about(study: Study, items: "QuerySet[Any] | Collection[int]") -> "QuerySet[CodingUnit]":
    """Return the comments to code that may be about the items.

    They include what participants who saw such an item said between pages.
    """
    between = Q(kind=CodingUnit.Kind.UTTERANCE, item=None)
    between &= Q(assignment__in=works_with(study, items))
    return CodingUnit.objects.filter(Q(item__in=items) | between, coding__study=study)


def hide_words(study: Study, judgments: Iterable[Judgment]) -> None:
    """Empty comments and typed answers on secret entries that the reader may not read."""
    hidden = frozenset(hidden_items(study).values_list("item", flat=True))
    typed = frozenset(typed_questions(study) if hidden else ())
    for judgment in judgments:
        if judgment.item_id in hidden:
            judgment.comment = ""
            if judgment.question_id in typed:
                judgment.raw = judgment.value = ""


def typed_questions(study: Study) -> "QuerySet[Any, int]":
    """Return the questions (values) that are answered in words."""
    rows = Question.objects.filter(instrument__study=study, scale__kind=Scale.Kind.TEXT)
    return rows.values_list("pk", flat=True)


def hide_names(study: Study, codes: Iterable[object]) -> None:
    """Empty the names of codes that were added at comments the reader of the study may not read."""
    added = AddedCode.objects.filter(unit__in=units_about(study, hidden_items(study)))
    hidden = frozenset(added.values_list("pk", flat=True))
    for code in codes:
        if isinstance(code, AddedCode) and code.pk in hidden:
            code.name = ""


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
