"""Measures the log of a text once and keeps what it found (ProcessRecord).

Done twice it is done once. A record is out of date after another submission, and when the measures
themselves have changed (measures.VERSION). Every attempt is counted before it begins, so
that a log which ends the worker, or takes too long, does so only a few times and is shown as such.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from annotation.bulk_inserting import insert_all
from annotation.models import Assignment, Study
from writing.log.clocks import Clocks, clocks
from writing.log.collecting import arrivals_of, events_of, pack_log
from writing.log.eventlog import Event, NotEvents
from writing.models import Brief, LogChunk, PackedLog, ProcessRecord, Writing
from writing.process.baseline import Copied
from writing.process.evidence import FlagLimits, flags
from writing.process.measures import VERSION, values_of
from writing.process.process import process_of
from writing.process.provenance import Passages
from writing.process.replay import BrokenLog, Replay
from writing.process.timeline import timeline

MOST_ATTEMPTS = 3
AT_ONCE = 20_000  # events that a page measures while somebody waits
TOPICS, RECORDS = 50, 100  # of an import, read and stored together
UNFINISHED = (
    "Measuring this recording failed {n} of at most {most} times: it takes too much time or "
    "memory. The replay may still work."
)
LATER = "This recording is long. It will be measured in the background within a few minutes."


def outdated() -> QuerySet[Assignment]:
    """Handed in, and not measured as it is now; where the logs are erased, what is known stays."""
    works = Assignment.objects.filter(
        study__kind=Study.Kind.WRITING,
        state__in=Assignment.HANDED_IN,
        study__keeping__logs_erased_at__isnull=True,
    )
    works = works.filter(writing__isnull=False)
    is_settled = Q(writing__process__attempts=0) | Q(writing__process__attempts__gte=MOST_ATTEMPTS)
    return works.filter(Q(writing__process=None) | ~(_current() & is_settled))


def given_up() -> QuerySet[Assignment]:
    """Handed in, and so often begun to be measured that it is not tried again."""
    return Assignment.objects.filter(_current(), writing__process__attempts__gte=MOST_ATTEMPTS)


def _current() -> Q:
    """Select records of the last submission with the current version of the measures."""
    return Q(
        writing__process__version__gte=VERSION, writing__process__submitted_at=F("submitted_at")
    )


def finish(*, assignment: Assignment, now: datetime) -> None:
    """Pack the log of work that was handed in, and measure it, unless that failed too often.

    Raises StillWritten where the writer may add to it.
    """
    unpacked = LogChunk.objects.filter(assignment=assignment).exists()
    is_left = unpacked or outdated().filter(pk=assignment.pk).exists()
    if is_left and _begun(assignment, now):
        pack_log(assignment=assignment)
        _measure(assignment, now, None)


def measure_now(*, assignment: Assignment, now: datetime) -> ProcessRecord | None:
    """`measure` while a person waits: of a long log only what is known already."""
    record = ProcessRecord.objects.filter(writing__assignment=assignment).first()
    if _events(assignment) <= AT_ONCE:
        return measure(assignment=assignment, now=now)
    if record is not None and not outdated().filter(pk=assignment.pk).exists():
        return record
    return ProcessRecord(fault=LATER)


def _events(assignment: Assignment) -> int:
    rows = LogChunk.objects.filter(assignment=assignment)
    last = rows.aggregate(last=Max("last_seq"))["last"] or 0
    packed = PackedLog.objects.filter(assignment=assignment).values_list("events", flat=True)
    return max(last, packed.first() or 0)


def measure(
    *, assignment: Assignment, now: datetime, passages: Passages | None = None
) -> ProcessRecord | None:
    """Measure a work unless that is done; None where it has no writing, or has none any more.

    1. Count the attempt; what failed too often is not tried again.
    2. Read and replay the log, which takes a moment, without holding a lock.
    3. Lock the writing, and keep the record unless the work was withdrawn or is to be redone.

    `passages` save work where several works of a topic are measured.
    """
    record = ProcessRecord.objects.filter(writing__assignment=assignment).first()
    if record is not None and not outdated().filter(pk=assignment.pk).exists():
        return record
    return _measure(assignment, now, passages) if _begun(assignment, now) else None


def _measure(
    assignment: Assignment, now: datetime, passages: Passages | None
) -> ProcessRecord | None:
    passages = passages or _passages_of(assignment)
    return _keep(assignment, _found(assignment, now, passages))


def _passages_of(assignment: Assignment) -> Passages:
    return Passages([passage.text for passage in assignment.task.writing_task.passages])


def _found(assignment: Assignment, now: datetime, passages: Passages) -> dict[str, Any]:
    """Return the fields of a record, measured or with the fault of a broken log."""
    return _fields(
        assignment,
        now,
        lambda: _measured(
            events_of(assignment), passages, _clocks_of(assignment), _copied_by(assignment)
        ),
    )


def _fields(
    assignment: Assignment, now: datetime, measured: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    try:
        record = measured()
    except (BrokenLog, NotEvents) as error:
        record = {"values": {}, "flags": [], "viewed": {}, "fault": str(error)}
    made = {"version": VERSION, "computed_at": now, "attempts": 0}
    return record | made | {"submitted_at": assignment.submitted_at}


@transaction.atomic
def _begun(assignment: Assignment, now: datetime) -> bool:
    """Count an attempt; False where there is nothing to measure, or no attempt left."""
    writing = _locked(assignment)
    if writing is None or writing.assignment.submitted_at != assignment.submitted_at:
        return False
    record = ProcessRecord.objects.filter(writing=writing).first()
    is_new = record is None or (
        (record.version, record.submitted_at) != (VERSION, assignment.submitted_at)
    )
    if record is None or is_new:
        new = {"values": {}, "flags": [], "attempts": 0, "computed_at": now, "version": VERSION}
        new |= {"submitted_at": assignment.submitted_at, "fault": ""}
        record = ProcessRecord(pk=record.pk if record else None, writing=writing, **new)
    if record.attempts >= MOST_ATTEMPTS:
        return False
    record.attempts += 1
    if is_new or record.fault:  # else it was measured, and what is known stays
        record.fault = UNFINISHED.format(n=record.attempts, most=MOST_ATTEMPTS)
    record.save()
    return True


def _measured(
    events: Sequence[Event], passages: Passages, compared: Clocks | None, copied: Copied | None
) -> dict[str, Any]:
    """Measure a log. Raises BrokenLog."""
    if not events:
        raise BrokenLog("empty", "This submission has no recording.")
    replay = Replay(events, passages)
    process = process_of(events, passages, replay=replay)
    limits = FlagLimits(pace=copied.limit, own_pace=True) if copied else FlagLimits()
    raised = flags(process, events, limits, steps=replay.steps, clocks=compared)
    marks = timeline(events, replay.steps).marks
    return {
        "values": values_of(process, marks, raised, clocks=compared, copied=copied),
        "flags": [asdict(flag) for flag in raised],
        "viewed": {str(passage): seconds for passage, seconds in process.viewed.items()},
        "fault": "",
    }


def _copied_by(assignment: Assignment) -> Copied | None:
    """Return the sentence that the writer copied first, here or before another of their texts."""
    mine = _copies(assignment.study_id).filter(assignment__worker=assignment.worker_id)
    newest = mine.order_by("acknowledged_at").last()
    if newest is None or newest.copy_units is None or newest.copy_ms is None:
        return None
    return Copied(newest.copy_units, newest.copy_ms)


def _copies(study: int) -> QuerySet[Writing]:
    """Return the texts before which somebody copied a sentence."""
    return Writing.objects.filter(assignment__study=study, copy_units__isnull=False)


def _clocks_of(assignment: Assignment) -> Clocks | None:
    at = assignment.started_at
    return clocks(arrivals_of(assignment), began=round(1000 * at.timestamp()) if at else None)


@transaction.atomic
def _keep(assignment: Assignment, found: dict[str, Any]) -> ProcessRecord | None:
    writing = _locked(assignment)
    if writing is None:
        return None
    if writing.assignment.submitted_at != assignment.submitted_at:
        return ProcessRecord.objects.filter(writing=writing).first()
    record, _ = ProcessRecord.objects.update_or_create(writing=writing, defaults=found)
    return record


def _locked(assignment: Assignment) -> Writing | None:
    rows = Writing.objects.select_for_update(of=("self",), no_key=True)
    return rows.filter(assignment=assignment).select_related("assignment").first()


def measure_study(
    *, study: Study, now: datetime, step: Callable[[str, int], None] = lambda what, n: None
) -> int:
    """Measure the works of a study that are out of date, topic by topic; return how many."""
    done = 0
    for passages, works in _by_topic(study, outdated().filter(study=study)):
        for work in works:
            measure(assignment=work, now=now, passages=passages)
            step("measures", 1)
            done += 1
    return done


def measure_imported(
    *,
    study: Study,
    logs: Mapping[int, Sequence[Event]],
    now: datetime,
    step: Callable[[str, int], None] = lambda what, n: None,
) -> None:
    """Measure imported submissions in the transaction of their import.

    `logs` are the events by submission. Many records are kept together. No attempt is counted: a
    log that ended the process would also undo the import.
    """
    new = outdated().filter(study=study, writing__process=None, pk__in=logs)
    copiers = set(_copies(study.pk).values_list("assignment__worker", flat=True))
    arrived = PackedLog.objects.filter(assignment__study=study).exclude(arrivals=b"")
    chunks = LogChunk.objects.filter(assignment__study=study)
    timed = {pk for rows in (arrived, chunks) for pk in rows.values_list("assignment", flat=True)}
    records: dict[int, dict[str, Any]] = {}
    for passages, works in _by_topic(study, new):
        for work in works:
            copied = _copied_by(work) if work.worker_id in copiers else None
            compared = _clocks_of(work) if work.pk in timed else None
            measured = partial(_measured, logs[work.pk], passages, compared, copied)
            records[work.pk] = _fields(work, now, measured)
            step("measures", 1)
        if len(records) >= RECORDS:
            _keep_new(records)
            records = {}
    _keep_new(records)


def _by_topic(
    study: Study, works: QuerySet[Assignment]
) -> Iterator[tuple[Passages, list[Assignment]]]:
    rows = works.select_related("task__writing_task").order_by("task__writing_task__topic", "pk")
    by_topic = {
        topic: list(some)
        for topic, some in groupby(rows, key=lambda work: work.task.writing_task.topic_id)
    }
    topics = list(by_topic)
    for first in range(0, len(topics), TOPICS):
        texts = Brief.objects.get(study=study).texts_of(topics[first : first + TOPICS])
        for topic in texts:
            yield Passages(texts[topic]), by_topic[topic]


@transaction.atomic
def _keep_new(found: dict[int, dict[str, Any]]) -> None:
    """Store records by submission, as `_keep` does; records stored by others stay."""
    writings = Writing.objects.select_for_update(of=("self",), no_key=True)
    writings = writings.filter(assignment__in=found).select_related("assignment")
    by_work = {
        writing.assignment_id: writing for writing in writings.only("assignment__submitted_at")
    }
    # Read once the rows are locked: another transaction may have stored some meanwhile.
    theirs = ProcessRecord.objects.filter(writing__assignment__in=found)
    for pk in theirs.values_list("writing__assignment", flat=True):
        by_work.pop(pk, None)
    insert_all(
        ProcessRecord(writing=by_work[pk], **values)
        for pk, values in found.items()
        if pk in by_work and by_work[pk].assignment.submitted_at == values["submitted_at"]
    )
