"""The text of an interaction log at any moment, and where each piece of it came from.

Pure. Positions count UTF-16 code units (docs/interaction-log.md); a text under way is UTF-16-LE,
two bytes a unit, beside an array with one number a unit that says its origin.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from annotation.eventlog import Drop, Edit, Event, Paste, Snapshot
from writing.origins import FOREIGN, LONG, OWN, PHRASE, TYPED, Memory, Origin, Passages
from writing.snapshots import Change, decoded, difference, encoded

EVERY = 200  # edits between two keyframes
_CODES = {TYPED: -1, OWN: -2, FOREIGN: -3}
_ORIGINS = {code: origin for origin, code in _CODES.items()}


class BrokenLog(ValueError):
    """A log from which no text can be rebuilt; the sentence names the event and the fault."""


def rebuilt(events: Iterable[Event]) -> str:
    """The text at the end of a log. Raises BrokenLog."""
    text = bytearray()
    for event in _checked(events):
        if type(event) is Edit:
            start, end = _reach(event, text)
            text[start:end] = event.inserted.encode("utf-16-le", "surrogatepass")
        elif type(event) is Snapshot:
            text = bytearray(encoded(event.text))
    return decoded(text)


def _checked(events: Iterable[Event]) -> Iterator[Event]:
    """The events, as long as they are numbered from 1 without gaps and time never runs back."""
    seq, ms = 0, 0
    for event in events:
        if event.seq != seq + 1:
            raise BrokenLog(f"After event {seq} comes event {event.seq}.")
        if event.ms < ms:
            raise BrokenLog(f"Event {event.seq} is earlier than the event before it.")
        seq, ms = event.seq, event.ms
        yield event


def _reach(edit: Edit, text: bytearray) -> tuple[int, int]:
    """The bytes that an edit replaces. Raises BrokenLog where they lie outside the text."""
    start, end = 2 * edit.at, 2 * (edit.at + edit.deleted)
    if not 0 <= start <= end <= len(text):
        raise BrokenLog(
            f"Event {edit.seq} edits {edit.deleted} units at {edit.at}, outside a text of "
            f"{len(text) // 2} units."
        )
    return start, end


class Run(NamedTuple):
    """Units `start` to `end` (without it) of a text come from `origin`."""

    start: int
    end: int
    origin: Origin


class Step(NamedTuple):
    """One change of the text: `deleted` units at `at` gave way to `inserted` (UTF-16-LE)."""

    seq: int
    ms: int
    at: int
    deleted: int
    inserted: bytes
    codes: "array[int]"  # the origin of every inserted unit

    @property
    def runs(self) -> list[Run]:
        """Where the inserted text comes from; positions within it."""
        return _runs(self.codes)


class Moment(NamedTuple):
    """The text after event `seq`, `ms` milliseconds into the log, and its origins."""

    seq: int
    ms: int
    text: str
    runs: list[Run]

    def pieces(self) -> list[tuple[str, Origin]]:
        """The text in pieces of one origin; together they are the text."""
        units = encoded(self.text)
        return [(decoded(units[2 * run.start : 2 * run.end]), run.origin) for run in self.runs]

    def shares(self) -> dict[str, float]:
        """Which share of the text each kind of origin has."""
        total = max(1, sum(run.end - run.start for run in self.runs))
        found: dict[str, float] = {}
        for run in self.runs:
            kind = run.origin.kind
            found[kind] = found.get(kind, 0.0) + (run.end - run.start) / total
        return found


def _runs(codes: "array[int]") -> list[Run]:
    runs, start = [], 0
    for code, same in groupby(codes):
        end = start + sum(1 for _ in same)
        runs.append(Run(start, end, _ORIGINS.get(code) or Origin("passage", code)))
        start = end
    return runs


class Replay:
    """A log that can be looked at anywhere: the nearest keyframe, and the steps from there.

    `passages` are the texts that the writer had, in the order in which the log numbers them.
    Raises BrokenLog.
    """

    def __init__(self, events: Iterable[Event], passages: Sequence[str] = ()) -> None:
        teller = _Teller(Passages(passages))
        self.steps: list[Step] = []
        self._keyframes: list[tuple[bytes, array[int]]] = [(b"", array("i"))]
        self.duration = 0  # ms
        self.events = 0
        for event in _checked(events):
            self.events, self.duration = event.seq, event.ms
            step = teller.take(event)
            if step is None:
                continue
            self.steps.append(step)
            if len(self.steps) % EVERY == 0:
                self._keyframes.append((bytes(teller.text), teller.codes[:]))
        self._times = [step.ms for step in self.steps]
        self._seqs = [step.seq for step in self.steps]

    def text_at(self, ms: int) -> str:
        return self.at(ms).text

    def at(self, ms: int) -> Moment:
        """The moment when `ms` milliseconds have passed, all events of that time included."""
        return self._after(bisect_right(self._times, ms), ms)

    def at_seq(self, seq: int) -> Moment:
        """The moment right after event `seq`."""
        count = bisect_right(self._seqs, seq)
        return self._after(count, self._times[count - 1] if count else 0)

    def end(self) -> Moment:
        return self._after(len(self.steps), self.duration)

    def _after(self, count: int, ms: int) -> Moment:
        units, origins = self._keyframes[count // EVERY]
        text, codes = bytearray(units), origins[:]
        for step in self.steps[count // EVERY * EVERY : count]:
            end = step.at + step.deleted
            text[2 * step.at : 2 * end] = step.inserted
            codes[step.at : end] = step.codes
        seq = self.steps[count - 1].seq if count else 0
        return Moment(seq, ms, decoded(text), _runs(codes))


class _Teller:
    """Follows a log and tells of every change where the inserted text comes from."""

    def __init__(self, passages: Passages) -> None:
        self.text = bytearray()
        self.codes: array[int] = array("i")
        self._passages = passages
        self._memory = Memory()
        self._pasted: Paste | Drop | None = None  # its edit follows
        self._removed: dict[bytes, array[int]] = {}  # what undo may bring back

    def take(self, event: Event) -> Step | None:
        if isinstance(event, Paste | Drop):
            self._pasted = event
            return None
        if isinstance(event, Edit):
            start, end = _reach(event, self.text)
            change = Change(event.at, event.deleted, encoded(event.inserted))
            codes = self._codes_of(event, change)
        elif isinstance(event, Snapshot):
            change = difference(bytes(self.text), encoded(event.text))
            start, end = 2 * change.at, 2 * (change.at + change.deleted)
            codes = self._told(decoded(change.inserted), len(change.inserted) // 2)
        else:
            return None
        self._forget_nothing(change)
        self.text[start:end] = change.inserted
        self.codes[start // 2 : end // 2] = codes
        return Step(event.seq, event.ms, *change, codes)

    def _forget_nothing(self, change: Change) -> None:
        if change.deleted > 1:
            end = change.at + change.deleted
            gone = bytes(self.text[2 * change.at : 2 * end])
            self._removed[gone] = self.codes[change.at : end]
        if change.deleted >= PHRASE:
            self._memory.keep(decoded(self.text))

    def _codes_of(self, edit: Edit, change: Change) -> "array[int]":
        size = len(change.inserted) // 2
        if edit.input in ("historyUndo", "historyRedo"):
            if (before := self._removed.get(change.inserted)) is not None:
                return before[:]
            return array("i", [_CODES[OWN if size >= PHRASE else TYPED]]) * size
        moved = edit.input.startswith("insertFrom")
        pasted = None
        if size and self._pasted is not None:
            # A paste that brought nothing says nothing about what is typed next.
            pasted = self._pasted if moved or size == self._pasted.length else None
            self._pasted = None
        return self._told(edit.inserted, size, pasted, moved)

    def _told(
        self, inserted: str, size: int, pasted: Paste | Drop | None = None, moved: bool = False
    ) -> "array[int]":
        origin = self._origin(inserted, size, pasted, moved)
        code = _CODES.get(origin, origin.passage)
        return array("i", [-1 if code is None else code]) * size

    def _origin(self, inserted: str, size: int, pasted: Paste | Drop | None, moved: bool) -> Origin:
        """Where an insertion comes from: what the log says, else what the texts say.

        1. A paste or drop from a passage or from own text says it itself.
        2. What stands verbatim in a passage is from there, whatever the log says or lacks.
        3. A paste from outside is foreign.
        4. Without a word from the log, what is too long to be typed at once is own earlier text,
           near-verbatim from a passage, or foreign.
        """
        if pasted is not None and pasted.passage is not None:
            return Origin("passage", pasted.passage)
        if pasted is not None and pasted.source == "own":
            return OWN
        if size >= PHRASE and (passage := self._passages.verbatim(inserted)) is not None:
            return Origin("passage", passage)
        if pasted is not None:
            return FOREIGN
        if size <= LONG and not moved:
            return TYPED
        if self._memory.holds(inserted, decoded(self.text)):
            return OWN
        share, passage = self._passages.overlap(inserted)
        return Origin("passage", passage) if share >= 0.8 else FOREIGN
