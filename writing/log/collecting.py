"""Taking an interaction log as it arrives, chunk by chunk: docs/interaction-log.md.

The hot path is three queries (lock the assignment, look at the chunks beside, insert), written as
SQL: building them with the ORM takes longer than all the rest. The first two are not one, because
whoever waited for the lock has to see what was inserted meanwhile. A chunk is taken once, whatever
number of times and in whatever order it comes.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Max, Min, Q, QuerySet

from annotation.encryption import token_hash
from annotation.fieldwork.work.ordering_requests import TAB_LENGTH
from annotation.fieldwork.work.prepared_statements import fetch
from annotation.fieldwork.work.refusals import NotLive, OtherTab, UnknownLink
from annotation.models import Assignment, Study
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from writing.log import arrivals, chunks
from writing.log.arrivals import ChunkArrival
from writing.log.chunks import BEGINNING, After, Before
from writing.log.eventlog import Event, decode, pack, unpack
from writing.models import LogChunk, PackedLog

NAMED = 500  # missing numbers told at once
LOGGED = Study.Kind.WRITING.value  # the kind of study whose work has a log


@dataclass(frozen=True)
class Collected:
    """Chunks to send again, and the number after all chunks that are here."""

    missing: list[int]
    next_number: int


class _Near(NamedTuple):
    """A chunk beside another one, and how many there are in all, up to which number."""

    number: int
    last_seq: int
    last_ms: int
    length_after: int | None
    chunks: int
    highest: int
    log_bytes: int


class StillWritten(ValueError):
    """A log was to be packed while its writer may add to it."""


@transaction.atomic
def collect(
    *,
    number: int,
    events_json: bytes,
    now: datetime,
    tab: str,
    token: str | None = None,
    assignment: Assignment | None = None,
) -> Collected:
    """Take a chunk of the log of a token's assignment, or of this one.

    A chunk that is here already is acknowledged again.

    1. Check the events by themselves.
    2. Lock the assignment: a submission at the same moment is before (NotLive) or after.
    3. Check the chunk against those beside it, and insert it.

    Raises UnknownLink, NotLive, OtherTab, TooLarge, LogFull, NotAChunk or OtherChunk; then nothing
    is taken.
    """
    events = chunks.read(number=number, events_json=events_json)
    pk = _lock_for(token, assignment, tab)
    near = _near(pk, number)
    left = near.get(number - 1)
    if number not in near and left is not None and left.chunks == left.highest == left.number:
        before = Before(left.number, left.last_seq, left.last_ms, left.length_after)
        size = left.log_bytes + len(events_json)
        _insert(pk, number, events, events_json, now, before, None, size)  # the usual case
        return Collected([], number + 1)
    return _collect_out_of_order(
        Assignment.objects.get(pk=pk), number, events, events_json, now, near
    )


def _collect_out_of_order(
    assignment: Assignment,
    number: int,
    events: Sequence[Event],
    events_json: bytes,
    now: datetime,
    near: dict[int, _Near],
) -> Collected:
    """Take the first chunk, one that is here already, or one with a gap beside it."""
    if number in near:
        _recognise(number, _events_in(assignment.log_chunks.filter(number=number)), events)
        return _collected(assignment)
    packed = PackedLog.objects.filter(assignment=assignment).first()
    if packed is not None and number <= packed.last_number:
        _recognise(number, unpack(bytes(packed.data)), events)
        return _collected(assignment)
    before, after = _around(assignment, number, packed)
    size = _bytes_of(assignment, packed) + len(events_json)
    _insert(assignment.pk, number, events, events_json, now, before, after, size)
    return _collected(assignment)


# A token of another kind of study adds to no log.
LOCK = """
SELECT a.id, a.state, a.tab FROM annotation_assignment a
JOIN annotation_study t ON t.id = a.study_id WHERE a.{column} = %s AND t.kind = %s
"""


def _lock_for(token: str | None, assignment: Assignment | None, tab: str) -> int:
    """Lock the assignment if this tab may add to its log; return its key.

    Raises UnknownLink, NotLive or OtherTab.
    """
    key = ("id", assignment and assignment.pk)
    column, value = key if token is None else ("token_hash", token_hash(token))
    lock = " FOR NO KEY UPDATE OF a" if connection.features.has_select_for_no_key_update else ""
    rows = fetch(LOCK.format(column=column) + lock, [value, LOGGED])
    if not rows:
        raise UnknownLink
    pk, state, current_tab = rows[0]
    if state != Assignment.State.ACTIVE:
        raise NotLive(state)
    if current_tab and tab[:TAB_LENGTH] != current_tab:
        raise OtherTab
    return int(pk)


NEAR = """
SELECT number, last_seq, last_ms, length_after, chunks, highest, most_bytes
FROM writing_logchunk,
     (SELECT count(*) AS chunks, max(number) AS highest, max(log_bytes) AS most_bytes
      FROM writing_logchunk WHERE assignment_id = %s) AS whole
WHERE assignment_id = %s AND number IN (%s, %s)
"""


def _near(pk: int, number: int) -> dict[int, _Near]:
    """Return the chunk of this number and the one before, by number."""
    rows = fetch(NEAR, [pk, pk, number - 1, number])
    return {row[0]: _Near(*row) for row in rows}


def _around(
    assignment: Assignment, number: int, packed: PackedLog | None
) -> tuple[Before, After | None]:
    """Return the nearest stored neighbours of a number. All stored values rise with it."""
    lower, higher = Q(number__lt=number), Q(number__gt=number)
    bounds = LogChunk.objects.filter(assignment=assignment).aggregate(
        before_number=Max("number", filter=lower),
        before_seq=Max("last_seq", filter=lower),
        before_ms=Max("last_ms", filter=lower),
        before_length=Max("length_after", filter=Q(number=number - 1)),
        after_number=Min("number", filter=higher),
        after_seq=Min("first_seq", filter=higher),
        after_ms=Min("first_ms", filter=higher),
    )
    after = None
    if bounds["after_number"] is not None:
        after = After(bounds["after_number"], bounds["after_seq"], bounds["after_ms"])
    if bounds["before_number"] is not None:
        before_bounds = (bounds[f"before_{name}"] for name in Before._fields)
        return Before(*before_bounds), after
    if packed is not None:
        return Before(packed.last_number, packed.last_seq, packed.last_ms), after
    return BEGINNING if number == 1 else Before(), after


def _bytes_of(assignment: Assignment, packed: PackedLog | None) -> int:
    """Return the bytes of a log received so far, as JSON, including those before a redo."""
    kept = LogChunk.objects.filter(assignment=assignment).aggregate(most=Max("log_bytes"))["most"]
    return kept or (packed.log_bytes if packed else 0)


INSERT = """
INSERT INTO writing_logchunk (assignment_id, number, first_seq, last_seq, first_ms, last_ms,
                                 length_after, log_bytes, data, received_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


def _insert(
    pk: int,
    number: int,
    events: Sequence[Event],
    events_json: bytes,
    now: datetime,
    before: Before,
    after: After | None,
    size: int,
) -> None:
    chunks.check_room(events=events, size=size)
    chunks.check(number=number, events=events, before=before, after=after)
    first, last = events[0], events[-1]
    length = chunks.length_after(events=events, length=before.length)
    data, at = zlib.compress(events_json, 1), connection.ops.adapt_datetimefield_value(now)
    fetch(
        INSERT,
        [pk, number, first.seq, last.seq, first.ms, last.ms, length, size, data, at],
    )


def _recognise(number: int, kept: Sequence[Event], events: Sequence[Event]) -> None:
    """Check that the events are among the stored ones. Raises OtherChunk."""
    first, last = events[0].seq, events[-1].seq
    if [event for event in kept if first <= event.seq <= last] != events:
        raise Refusal(
            "OtherChunk",
            Sentence("This log already has another chunk {number}.", number=number),
        )


def _events_in(some: QuerySet[LogChunk]) -> list[Event]:
    return [event for chunk in some for event in decode(zlib.decompress(chunk.data))]


def _collected(assignment: Assignment) -> Collected:
    missing, next_number = _numbers(assignment)
    return Collected(missing[:NAMED], next_number)


def _numbers(assignment: Assignment, up_to: int = 0) -> tuple[list[int], int]:
    """Return the missing chunk numbers, and the number after the last stored chunk."""
    packed = PackedLog.objects.filter(assignment=assignment).values_list("last_number", flat=True)
    here = LogChunk.objects.filter(assignment=assignment).values_list("number", flat=True)
    start, numbers = packed.first() or 0, set(here)
    highest = max(numbers, default=start)
    wanted = range(start + 1, max(highest, up_to) + 1)
    return [number for number in wanted if number not in numbers], highest + 1


def missing_numbers(assignment: Assignment, *, up_to: int = 0) -> list[int]:
    """Numbers of chunks that have not arrived, though later ones have, or `up_to` was sent."""
    return _numbers(assignment, min(up_to, chunks.MOST_CHUNKS))[0]


def events_of(assignment: Assignment) -> list[Event]:
    """All events that are here, in order; after a hole the numbers go on behind it."""
    # In this order: a chunk that is packed meanwhile is seen twice, never not at all.
    events = _events_in(LogChunk.objects.filter(assignment=assignment).order_by("number"))
    packed = PackedLog.objects.filter(assignment=assignment).first()
    if packed is None:
        return events
    return unpack(bytes(packed.data)) + [event for event in events if event.seq > packed.last_seq]


def arrivals_of(assignment: Assignment) -> list[ChunkArrival]:
    """Return the arrival time of each chunk in order; empty if none was stored."""
    # In this order, as in `events_of`.
    rows = LogChunk.objects.filter(assignment=assignment).order_by("number")
    here = list(rows.values_list("number", "last_ms", "received_at"))
    packed = PackedLog.objects.filter(assignment=assignment).first()
    kept = arrivals.unpack(bytes(packed.arrivals)) if packed else []
    last = packed.last_number if packed else 0
    return kept + [
        ChunkArrival(number, ms, round(1000 * at.timestamp()))
        for number, ms, at in here
        if number > last
    ]


@transaction.atomic
def pack_log(*, assignment: Assignment) -> None:
    """Put the chunks of finished work into one piece and delete them. May be repeated.

    Raises StillWritten where the writer may add to it.
    """
    rows = Assignment.objects.select_for_update(no_key=True)
    if rows.get(pk=assignment.pk).is_live:
        raise StillWritten(f"The log of {assignment} is still being written.")
    last = LogChunk.objects.filter(assignment=assignment).order_by("number").last()
    if last is None:
        return
    events = events_of(assignment)
    PackedLog.objects.update_or_create(
        assignment=assignment,
        defaults={
            "events": len(events),
            "data": pack(events),
            "last_number": last.number,
            "last_seq": last.last_seq,
            "last_ms": last.last_ms,
            "log_bytes": _bytes_of(assignment, None),
            "arrivals": arrivals.pack(arrivals_of(assignment)),
        },
    )
    LogChunk.objects.filter(assignment=assignment).delete()
