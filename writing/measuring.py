"""Measures the log of a text once and keeps what it found (ProcessRecord).

Done twice it is done once. A record is out of date after another submission, and when the measures
themselves have changed (writing.measures.VERSION).
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from annotation.collecting import events_of
from annotation.eventlog import Event, NotEvents
from annotation.models import Assignment, Study
from writing.evidence import flags
from writing.measures import VERSION, values_of
from writing.models import ProcessRecord, Writing
from writing.origins import Passages
from writing.process import process_of
from writing.replay import BrokenLog, Replay
from writing.timeline import timeline
from writing.works import passages_of

State = Assignment.State
HANDED_IN = (State.SUBMITTED, State.ACCEPTED, State.REJECTED)


def outdated() -> QuerySet[Assignment]:
    """Handed in, and not measured as it is now."""
    process = "writing__process"
    current = Q(**{f"{process}__version__gte": VERSION}) & Q(
        **{f"{process}__submitted_at": F("submitted_at")}
    )
    works = Assignment.objects.filter(study__kind=Study.Kind.WRITING, state__in=HANDED_IN)
    works = works.filter(writing__isnull=False)
    return works.filter(Q(**{process: None}) | ~current)


def measure(
    *, assignment: Assignment, now: datetime, passages: Passages | None = None
) -> ProcessRecord | None:
    """Measure a work unless that is done; None where it has no writing, or has none any more.

    1. Read and replay the log, which takes a moment, without holding a lock.
    2. Lock the writing, and keep the record unless the work was withdrawn or given back meanwhile.

    `passages` save work where several works of a topic are measured.
    """
    record = ProcessRecord.objects.filter(writing__assignment=assignment).first()
    if record is not None and not outdated().filter(pk=assignment.pk).exists():
        return record
    passages = passages or Passages([each.text for each in passages_of(assignment)])
    try:
        found = _measured(events_of(assignment), passages)
    except (BrokenLog, NotEvents) as error:
        found = {"values": {}, "flags": [], "fault": str(error)}
    return _keep(assignment, found | {"version": VERSION, "computed_at": now})


def _measured(events: Sequence[Event], passages: Passages) -> dict[str, Any]:
    """Raises BrokenLog."""
    if not events:
        raise BrokenLog("Nothing was recorded of this work.")
    replay = Replay(events, passages)
    process = process_of(events, passages, replay=replay)
    found = flags(process, events)
    marks = timeline(events, replay.steps).marks
    return {
        "values": values_of(process, marks, found),
        "flags": [asdict(flag) for flag in found],
        "fault": "",
    }


@transaction.atomic
def _keep(assignment: Assignment, found: dict[str, Any]) -> ProcessRecord | None:
    writing = (
        Writing.objects.select_for_update(of=("self",), no_key=True)
        .filter(assignment=assignment)
        .select_related("assignment")
        .first()
    )
    if writing is None:
        return None
    if writing.assignment.submitted_at != assignment.submitted_at:
        return ProcessRecord.objects.filter(writing=writing).first()
    record, _ = ProcessRecord.objects.update_or_create(
        writing=writing, defaults=found | {"submitted_at": assignment.submitted_at}
    )
    return record


def measure_study(
    *, study: Study, now: datetime, step: Callable[[str, int], None] = lambda what, n: None
) -> int:
    """Measure the works of a study that are out of date, topic by topic; return how many."""
    works = outdated().filter(study=study).select_related("task__writing_task__topic")
    topic, passages, done = None, Passages([]), 0
    for work in list(works.order_by("task__writing_task__topic", "pk")):
        if work.task.writing_task.topic_id != topic:
            topic = work.task.writing_task.topic_id
            passages = Passages([each.text for each in passages_of(work)])
        measure(assignment=work, now=now, passages=passages)
        step("measures", 1)
        done += 1
    return done
