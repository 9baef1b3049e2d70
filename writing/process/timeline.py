"""A log at a glance: how long it is, and the moments worth looking at. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from writing.log.eventlog import Drop, Event, Paste
from writing.process.absences import absences
from writing.process.provenance import LONG, PHRASE, Provenance, code_of
from writing.process.replay import Step

PASTES = (Paste, Drop)
JUMP = 40  # units between the end of one edit and the beginning of the next
TOGETHER = 2_000  # ms; deletions that follow each other faster are one


class TimelineMark(NamedTuple):
    """A moment: event `seq` at `ms`. `size` is in units, of an absence in milliseconds."""

    kind: Literal["paste", "jump", "deletion", "away", "redo"]
    seq: int
    ms: int
    size: int


@dataclass(frozen=True)
class Timeline:
    duration: int  # ms
    marks: tuple[TimelineMark, ...]


def timeline(events: Sequence[Event], steps: Sequence[Step]) -> Timeline:
    """Return the timeline of a log and of its steps (Replay.steps)."""
    duration = events[-1].ms if events else 0
    marks = [*pastes(events, steps), *_jumps(steps), *_deletions(steps), *_away(events)]
    marks.sort(key=lambda mark: mark.seq)
    return Timeline(duration, tuple(marks))


def pastes(events: Sequence[Event], steps: Sequence[Step]) -> Iterator[TimelineMark]:
    """Pastes and drops as the log names them, and insertions too long to be typed at once."""
    if set(PASTES).isdisjoint(map(type, events)):
        for edit in steps:
            if (size := len(edit.inserted) // 2) > LONG:
                yield TimelineMark("paste", edit.seq, edit.ms, size)
        return
    awaited: Event | None = None
    edits = iter(steps)
    step = next(edits, None)
    for event in events:
        if isinstance(event, PASTES):
            awaited = event
            yield TimelineMark("paste", event.seq, event.ms, event.length)
        if step is not None and event.seq == step.seq:
            size = len(step.inserted) // 2
            if size > LONG and (awaited is None or awaited.ms < step.ms - TOGETHER):
                yield TimelineMark("paste", step.seq, step.ms, size)
            awaited = None if size else awaited
            step = next(edits, None)


def unsupported(events: Sequence[Event], steps: Sequence[Step]) -> Iterator[tuple[Event, Step]]:
    """Pastes of a phrase or more whose named source has not the text, with the edits they make."""
    if set(PASTES).isdisjoint(map(type, events)):
        return
    named: Paste | Drop | None = None
    edits = iter(steps)
    step = next(edits, None)
    for event in events:
        if isinstance(event, PASTES):
            named = event
        if step is not None and event.seq == step.seq:
            is_long = len(step.codes) >= PHRASE
            if named is not None and is_long and not _has_it(named, step):
                yield named, step
            named = None if step.codes else named
            step = next(edits, None)


def _has_it(named: Paste | Drop, step: Step) -> bool:
    """Return whether the text is where the record says it is."""
    if named.source == "outside" or named.length != len(step.codes):
        return True
    if named.passage is None:
        return step.via == "move"
    return code_of(Provenance("passage", named.passage)) in step.codes


def _jumps(steps: Sequence[Step]) -> Iterator[TimelineMark]:
    left = None
    for step in steps:
        at = step.at
        if left is not None and not -JUMP < at - left < JUMP:
            distance = min(abs(at - left), abs(at + step.deleted - left))
            if distance >= JUMP:
                yield TimelineMark("jump", step.seq, step.ms, distance)
        left = at + len(step.inserted) // 2


def _deletions(steps: Sequence[Step]) -> Iterator[TimelineMark]:
    """Yield deletions of a phrase or more, at once or letter by letter."""
    first, last, size = None, 0, 0
    for step in steps:
        goes_on = not step.inserted and step.deleted > 0 and step.ms - last <= TOGETHER
        if first is not None and not goes_on:
            if size >= PHRASE:
                yield TimelineMark("deletion", first.seq, first.ms, size)
            first, size = None, 0
        removed = step.deleted - len(step.inserted) // 2
        if removed > 0:
            first, size = first or step, size + removed
        last = step.ms
    if first is not None and size >= PHRASE:
        yield TimelineMark("deletion", first.seq, first.ms, size)


def _away(events: Sequence[Event]) -> Iterator[TimelineMark]:
    for absence in absences(events):
        yield TimelineMark("away", absence.seq, absence.ms, absence.until - absence.ms)
