"""JSON rows of banks, entries and rounds for the API and the command line."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Sum

from annotation.clock import database_now
from annotation.models import Corpus
from judging.banks.entries_at import EntryAt
from judging.banks.generating import unread_replies
from judging.banks.secrets import secret_entries
from judging.calls.progress import progress_of
from judging.models import Bank, EntryRound

ENTRY_COLUMNS = (
    *("key", "topic", "facet", "text", "state", "importance", "secret", "answers", "aggregator"),
    *("revision", "act", "reason", "author", "model", "prompt_version"),
)


def banks(corpus: Corpus) -> list[dict[str, Any]]:
    """Return a row for each bank of a corpus."""
    rows = Bank.objects.filter(corpus=corpus).annotate(size=Count("entries")).defer("extra")
    return [
        {
            "id": bank.pk,
            "name": bank.name,
            "kind": bank.kind,
            "revision": bank.revision,
            "entries": bank.size,
            "description": bank.description,
            "created_at": bank.created_at.isoformat(),
        }
        for bank in rows.order_by("name")
    ]


def entries(bank: Bank, shown: Sequence[EntryAt], *, secret: bool) -> list[dict[str, Any]]:
    """Return entries; `revision` is that of their newest decision.

    Without `secret` those that are secret now have no text and no answers.
    """
    hidden = frozenset() if secret else secret_entries(bank)
    nothing = {"text": None, "answers": None}
    return [
        {
            "id": row.pk,
            **{name: getattr(row, name) for name in ENTRY_COLUMNS},
            **(nothing if row.pk in hidden else {}),
            "replaces": row.replaces_id,
            "decided_at": row.decided_at.isoformat(),
        }
        for row in shown
    ]


def entry_round(one: EntryRound) -> dict[str, Any]:
    """Return the row of a round with its progress."""
    progress = progress_of(one, now=database_now())
    numbers = one.calls.aggregate(added=Sum("added"), same=Sum("same"))
    return {
        "id": one.pk,
        **{name: getattr(one, name) for name in ("name", "state", "said", "model", "number")},
        "prompt": str(one.prompt),
        "made_at": one.made_at.isoformat(),
        **{name: getattr(progress, name) for name in ("calls", "answered", "failed", "cost")},
        "unread": unread_replies(one),
        **{name: number or 0 for name, number in numbers.items()},
    }
