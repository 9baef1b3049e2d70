"""The entries of a bank at a revision, each with its newest decision until then."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judging.models import Bank, EntryDecision

State = EntryDecision.State


@dataclass(frozen=True)
class EntryAt:
    """An entry as it was at a revision of its bank; `revision` is that of its decision."""

    pk: int
    key: str
    topic_id: int
    topic: str
    facet: str
    text: str
    state: str
    importance: str
    secret: bool
    answers: list[dict[str, Any]]
    aggregator: str
    revision: int
    act: int
    reason: str
    author: str
    model: str
    prompt_version: str
    user_id: int | None
    replaces_id: int | None
    passage_id: int | None
    response_id: int | None
    start: int | None
    end: int | None
    created_at: datetime
    decided_by_id: int | None
    decided_at: datetime


OF_DECISION = ("state", "importance", "secret", "answers", "aggregator", "revision", "act")
OF_ENTRY = ("key", "topic_id", "facet", "text", "author", "model", "prompt_version", "user_id")
OF_SOURCE = ("replaces_id", "passage_id", "response_id", "start", "end", "created_at")


def entries_at(
    bank: Bank,
    revision: int | None = None,
    *,
    states: Collection[str] = (),
    entries: Collection[int] = (),
) -> list[EntryAt]:
    """Return the entries of a bank in the order of its topics, then as they were added.

    Parameters
    ----------
    revision
        the current one if not given
    states
        of the decisions; all if empty
    entries
        primary keys; all if empty
    """
    only: dict[str, Any] = {"entry__in": entries} if entries else {}
    rows = EntryDecision.objects.newest(bank, revision, **only)
    if states:
        rows = rows.filter(state__in=states)
    columns = (
        *OF_DECISION,
        *("reason", "by_id", "at", "entry_id", "entry__topic__key"),
        *(f"entry__{name}" for name in (*OF_ENTRY, *OF_SOURCE)),
    )
    ordered = rows.order_by("entry__topic_id", "entry_id").values(*columns)
    return [_entry(row) for row in ordered.iterator(chunk_size=2000)]


def confirmed_at(bank: Bank, revision: int | None = None) -> list[EntryAt]:
    """Return the entries that studies and boards of this revision use."""
    return entries_at(bank, revision, states=[State.CONFIRMED])


def _entry(row: dict[str, Any]) -> EntryAt:
    return EntryAt(
        pk=row["entry_id"],
        topic=row["entry__topic__key"],
        reason=row["reason"],
        decided_by_id=row["by_id"],
        decided_at=row["at"],
        **{name: row[name] for name in OF_DECISION},
        **{name: row[f"entry__{name}"] for name in (*OF_ENTRY, *OF_SOURCE)},
    )
