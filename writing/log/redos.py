"""Positions in a log at which a requested redo begins. Only reads."""

from collections.abc import Sequence

from annotation.models import Assignment, ReviewDecision
from writing.log.collecting import arrivals_of
from writing.log.eventlog import Event, Start


def redo_starts(assignment: Assignment, events: Sequence[Event]) -> list[int]:
    """Return the events with which redos began, as far as it is known when chunks came."""
    decisions = assignment.decisions.filter(decision=ReviewDecision.Decision.REDO)
    here = arrivals_of(assignment)
    starts: list[int] = []
    for asked_at in decisions.order_by("pk").values_list("decided_at", flat=True):
        at = round(1000 * asked_at.timestamp())
        before = max((chunk.ms for chunk in here if chunk.at <= at), default=None)
        if before is None or all(chunk.at <= at for chunk in here):
            continue  # nothing is known, or nothing was written since
        later = (event.seq for event in events if isinstance(event, Start) and event.ms >= before)
        if (first := next(later, None)) is not None and first > 1:
            starts.append(first)
    return sorted(set(starts))
