"""The wordings of an entry, with the decisions on each."""

from collections import defaultdict
from dataclasses import dataclass

from judging.banks.secrets import secret_entries
from judging.models import Bank, BankEntry, EntryDecision


@dataclass(frozen=True)
class EntryWording:
    """A wording; `is_hidden` if its text is secret and the reader may not read it."""

    entry: BankEntry
    decisions: list[EntryDecision]
    is_hidden: bool = False


def wordings(bank: Bank, entry: BankEntry, *, secrets: bool = True) -> list[EntryWording]:
    """Return all wordings that an entry replaced or was replaced by, newest first.

    Without `secrets` those that are secret are hidden.
    """
    siblings = BankEntry.objects.filter(bank=bank, topic=entry.topic_id)
    replaces = dict(siblings.values_list("pk", "replaces"))
    later: dict[int, list[int]] = defaultdict(list)
    for pk, before in replaces.items():
        if before is not None:
            later[before].append(pk)
    family, waiting = set[int](), [entry.pk]
    while waiting:
        pk = waiting.pop()
        if pk not in family:
            family.add(pk)
            waiting += later[pk]
            waiting += [before] if (before := replaces.get(pk)) else []
    decisions: dict[int, list[EntryDecision]] = defaultdict(list)
    rows = EntryDecision.objects.filter(bank=bank, entry__in=family).select_related("by")
    for row in rows.order_by("-revision"):
        decisions[row.entry_id].append(row)
    related = ("user", "passage", "response")
    entries = siblings.filter(pk__in=family).select_related(*related).order_by("-pk")
    hidden = frozenset() if secrets else secret_entries(bank)
    return [EntryWording(row, decisions[row.pk], row.pk in hidden) for row in entries]
