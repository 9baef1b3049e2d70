"""The text of an interaction log at any moment, and where each piece of it came from.

Pure. Positions count UTF-16 code units (docs/interaction-log.md); a text under way is UTF-16-LE,
two bytes a unit, beside an array with one number a unit that says its origin.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from annotation.texts.coded_errors import CodedError
from writing.log.eventlog import Edit, Event, Snapshot
from writing.log.snapshots import TextChange, decoded, difference, encoded
from writing.process.provenance import (
    Codes,
    Passages,
    Provenance,
    Tracker,
    Via,
    provenance_of,
)

# Makes a named tuple in a third of the time that its class takes: one for each edit of a log.
_made = tuple.__new__
EVERY = 200  # edits between two keyframes, at least
EDIT = 16  # units that an edit counts for, beside those it deletes and inserts


class BrokenLog(CodedError):
    """A log from which no text can be rebuilt; the sentence names the event and the fault."""


def rebuilt(events: Iterable[Event]) -> str:
    """Return the text at the end of a log. Raises BrokenLog."""
    text = bytearray()
    for event in _checked(events):
        if type(event) is Edit:
            start, end = _reach(event, text)
            text[start:end] = encoded(event.inserted)
        elif type(event) is Snapshot:
            text = bytearray(encoded(event.text))
    return decoded(text)


def _checked(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events while they are numbered from 1 without gaps and time never decreases."""
    seq, ms = 0, 0
    for event in events:
        if event.seq != seq + 1:
            raise BrokenLog("gap", f"Event {seq} is followed by event {event.seq}.")
        if event.ms < ms:
            raise BrokenLog("earlier", f"Event {event.seq} is earlier than the event before it.")
        seq, ms = event.seq, event.ms
        yield event


def _reach(edit: Edit, text: bytearray) -> tuple[int, int]:
    """Return the bytes that an edit replaces. Raises BrokenLog if they lie outside the text."""
    start, end = 2 * edit.at, 2 * (edit.at + edit.deleted)
    if not 0 <= start <= end <= len(text):
        raise BrokenLog(
            "outside",
            f"Event {edit.seq} edits {edit.deleted} units at {edit.at}, outside a text of "
            f"{len(text) // 2} units.",
        )
    return start, end


class Run(NamedTuple):
    """Units `start` to `end` (without it) of a text come from `origin`."""

    start: int
    end: int
    provenance: Provenance


class Step(NamedTuple):
    """One change of the text: `deleted` units at `at` gave way to `inserted` (UTF-16-LE)."""

    seq: int
    ms: int
    at: int
    deleted: int
    inserted: bytes
    codes: Codes  # the origin of every inserted unit
    input: str = ""  # the browser's input type; of a snapshot there is none
    via: Via = ""  # the clipboard or a drag: a "paste", or a "move" of the writer's own text

    @property
    def runs(self) -> list[Run]:
        """Origins of the inserted text; positions within it."""
        return _runs(self.codes)


def _change(event: Event, text: bytearray) -> TextChange | None:
    """Return the change of an event. Raises BrokenLog if it lies outside the text."""
    if type(event) is Edit:
        _reach(event, text)
        return _made(TextChange, (event.at, event.deleted, encoded(event.inserted)))
    if isinstance(event, Snapshot):
        return difference(bytes(text), encoded(event.text))
    return None


def _apply(step: Step, text: bytearray, codes: Codes) -> None:
    end = step.at + step.deleted
    text[2 * step.at : 2 * end] = step.inserted
    codes[step.at : end] = step.codes


class Keyframe(NamedTuple):
    """The text after `steps` steps, as UTF-16-LE, and its provenance."""

    steps: int
    text: bytes
    codes: Codes


class Moment(NamedTuple):
    """The text after event `seq`, `ms` milliseconds into the log, and its provenance."""

    seq: int
    ms: int
    text: str
    runs: list[Run]


def _runs(codes: Codes) -> list[Run]:
    runs, start = [], 0
    for code, same in groupby(codes):
        end = start + len(list(same))
        runs.append(Run(start, end, provenance_of(code)))
        start = end
    return runs


class Replay:
    """A log that can be looked at anywhere: the nearest keyframe, and the steps from there.

    There is a keyframe after a fixed number of edits, and not before the edits since the last one
    come to the length of the text: all of them together are no larger than the log.

    `passages` are the texts that the writer had, in the order in which the log numbers them; as
    Passages they can be shared by the logs of a topic.
    Raises BrokenLog.
    """

    def __init__(self, events: Iterable[Event], passages: Sequence[str] | Passages = ()) -> None:
        self.passages = passages if isinstance(passages, Passages) else Passages(passages)
        tracker = Tracker(self.passages)
        text, codes = bytearray(), array("i")
        self.steps: list[Step] = []
        self.keyframes = [Keyframe(0, b"", array("i"))]
        since = 0  # units that were edited since the last keyframe
        after = EVERY  # steps before which there is no further keyframe
        seq, ms = 0, 0
        for event in _checked(events):
            seq, ms = event.seq, event.ms
            change = _change(event, text)
            if change is None:
                tracker.note(event, text, codes)
                continue
            at, deleted, inserted = change
            traced = tracker.trace(event, change, text, codes)
            kind = event.input if type(event) is Edit else ""
            step = _made(Step, (seq, ms, at, deleted, inserted, traced, kind, tracker.via))
            text[2 * at : 2 * (at + deleted)] = inserted
            codes[at : at + deleted] = traced
            self.steps.append(step)
            since += EDIT + deleted + len(traced)
            if len(self.steps) >= after and since >= len(codes):
                self.keyframes.append(Keyframe(len(self.steps), bytes(text), codes[:]))
                since, after = 0, len(self.steps) + EVERY
        self.events, self.duration = seq, ms  # how many, and how many ms
        self._last = Keyframe(len(self.steps), bytes(text), codes)
        self.of_snapshots = tracker.of_snapshots
        self._times = [step.ms for step in self.steps]

    def texts_at(self, times: Iterable[int]) -> Iterator[str]:
        """Yield the texts at increasing times; no step is repeated."""
        text, codes, done = bytearray(), array("i"), 0
        for count in (bisect_right(self._times, ms) for ms in times):
            for step in islice(self.steps, done, count):
                _apply(step, text, codes)
            done = max(done, count)
            yield decoded(text)

    def at(self, ms: int) -> Moment:
        """Return the moment after `ms` milliseconds, including all events of that time."""
        return self._after(bisect_right(self._times, ms), ms)

    def end(self) -> Moment:
        return self._after(len(self.steps), self.duration)

    def _after(self, count: int, ms: int) -> Moment:
        frame = self._last
        if count < frame.steps:
            frame = self.keyframes[bisect_right(self.keyframes, count, key=_steps_of) - 1]
        text, codes = bytearray(frame.text), frame.codes[:]
        for step in islice(self.steps, frame.steps, count):
            _apply(step, text, codes)
        seq = self.steps[count - 1].seq if count else 0
        return Moment(seq, ms, decoded(text), _runs(codes))


def _steps_of(frame: Keyframe) -> int:
    return frame.steps
