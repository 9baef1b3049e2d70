"""The assignment that a page saves to: locked, with its items, in one query.

It is SQL because this is the hot path: building the queryset took longer than the query.
"""

import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.db import connection

from annotation.encryption import token_hash
from annotation.fieldwork.work.prepared_statements import fetch
from annotation.fieldwork.work.refusals import NotAnAnswer, UnknownLink
from annotation.texts.sentences import Sentence
from judging.items.kinds import item_kind

MOST_POSITIONS = 10_000  # no task has so many items; larger numbers no database column holds

QUERY = """
SELECT a.id, a.state, a.tab, a.study_id, t.created_at, a.worker_id, w.id, a.worked_at IS NOT NULL,
       {version}, s.position, s."order", s.instrument_id, s.item_id, i.kind, l.name,
       COALESCE(r.key, p.key, c.key, h.key || ':' || CAST(g.line AS varchar(20)))
FROM annotation_assignment a
JOIN annotation_study t ON t.id = a.study_id
LEFT JOIN judging_rater w ON w.worker_id = a.worker_id AND w.team_id = t.team_id
LEFT JOIN judging_presentation s ON s.assignment_id = a.id AND s.position IN ({positions})
LEFT JOIN judging_item i ON i.id = s.item_id
LEFT JOIN judging_itemslot l ON l.item_id = s.item_id
LEFT JOIN annotation_response r ON r.id = l.response_id
LEFT JOIN annotation_passage p ON p.id = l.passage_id
LEFT JOIN judging_criterion c ON c.id = l.criterion_id
LEFT JOIN annotation_segment g ON g.id = l.segment_id
LEFT JOIN annotation_response h ON h.id = g.response_id
WHERE a.{column} = %s AND t.kind = 'judging'
"""


# PostgreSQL's number of the transaction that wrote this state of the row.
VERSION = "CAST(CAST(a.xmin AS text) AS bigint)"


@dataclass(frozen=True)
class PresentedItem:
    """An item of an assignment, and the instrument that asks about it.

    `contents`: slot name -> key of the content. A segment's key is that of its response and its
    line.
    """

    instrument: int
    item: int
    kind: str
    order: str
    contents: dict[str, str]

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The nominal names of the slots that change places."""
        return item_kind(self.kind).drawn(self.contents)


@dataclass(frozen=True)
class LockedAssignment:
    """An assignment that is locked for this transaction.

    `rater` is None before the worker's first answer in the team, `is_begun` false before the first
    one here. `study_made` is the time of the study in the form of the database. `version` changes
    whenever the row of the assignment does (PostgreSQL).
    """

    assignment: int
    state: str
    tab: str
    study: int
    study_made: Any
    worker: int
    rater: int | None
    is_begun: bool
    version: int = 0
    shown: dict[int, PresentedItem] = field(default_factory=dict)


def lock(
    *,
    positions: Collection[int] = (),
    token: str | None = None,
    pk: int | None = None,
    waits: bool = True,
) -> LockedAssignment:
    """Lock the assignment of a token or id; `shown` has the items at these positions.

    With `waits=False` it is only read. Raises UnknownLink, also for another kind of study.
    """
    column, value = ("id", pk) if token is None else ("token_hash", token_hash(token))
    possible = [position for position in positions if 0 < position <= MOST_POSITIONS]
    version = VERSION if connection.vendor == "postgresql" else "0"
    places = ", ".join(["%s"] * len(possible)) or "NULL"
    query = QUERY.format(column=column, positions=places, version=version)
    if waits and connection.features.has_select_for_update:
        query += "FOR NO KEY UPDATE OF a"
    rows = fetch(query, [*possible, value])
    if not rows:
        raise UnknownLink
    work = LockedAssignment(*rows[0][:9])
    for *_, position, order, instrument, item, kind, name, key in rows:
        if position is not None:
            shown = PresentedItem(instrument, item, kind, order, {})
            work.shown.setdefault(position, shown).contents[name] = key
    return work


class RecentReads:
    """Assignments as they were read a moment ago, by token, for writers that check `version`.

    The items of an assignment never change; everything else is of its row, and changes `version`.
    """

    def __init__(
        self, *, most: int = 2000, seconds: float = 60, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._kept: dict[str, tuple[float, LockedAssignment]] = {}
        self._changing = threading.Lock()

    def read(self, *, token: str, positions: Collection[int]) -> LockedAssignment:
        """Return the assignment of a token, unlocked, with the items at these positions."""
        key = token_hash(token)
        at, kept = self._kept.get(key, (0.0, None))
        if kept is not None and self._now() - at >= self._seconds:
            kept = None
        if kept is not None and kept.shown.keys() >= set(positions):
            return kept
        now = self._now()
        work = lock(token=token, positions=positions, waits=False)
        if kept is None or kept.version != work.version:
            at = now
        else:
            work = replace(work, shown=kept.shown | work.shown)
        with self._changing:
            if len(self._kept) >= self._most:
                self._kept.clear()
            self._kept[key] = (at, work)
        return work

    def forget(self, token: str) -> None:
        with self._changing:
            self._kept.pop(token_hash(token), None)


def require(work: LockedAssignment, positions: Collection[int]) -> None:
    """Check that items are shown at all these positions. Raises NotAnAnswer."""
    if missing := set(positions) - set(work.shown):
        first = min(missing)
        if abs(first) > MOST_POSITIONS:
            raise NotAnAnswer(Sentence("This page doesn't exist in this task."), "unknown_page")
        sentence = Sentence("This task has no page {position}.", position=first)
        raise NotAnAnswer(sentence, "unknown_page")
