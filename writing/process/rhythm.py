"""The rhythm of writing: active time, pauses, bursts, intervals between keys. Pure.

Times are milliseconds unless a name says seconds; lengths are UTF-16 units.
"""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from writing.log.eventlog import Edit, Event, Key
from writing.log.snapshots import decoded
from writing.process.composition import is_composed
from writing.process.provenance import PHRASE, TYPED, code_of
from writing.process.replay import Step

CAP = 20_000  # ms of a gap that count as active
PAUSE = 2_000  # ms
BY_KEY = 2  # units that one key brings, at most
BY_HAND = code_of(TYPED)
ACTS = {Key, Edit}

Ending = Literal["pause", "revision", "paste", "end"]
Location = Literal["all", "within word", "before word", "before sentence"]
LOCATIONS: tuple[Location, ...] = ("all", "within word", "before word", "before sentence")


@dataclass(frozen=True)
class Pauses:
    """Gaps of at least `threshold` ms between two keys or edits."""

    threshold: int
    n: int
    seconds: float  # together


class Burst(NamedTuple):
    """Text typed in one go, from event `seq` at `ms` to `until`.

    `ended_by` tells a P-burst (pause) from an R-burst (revision: a deletion, or writing
    elsewhere; Chenoweth and Hayes 2001), and both from what ended with a paste or with the log.
    """

    seq: int
    ms: int
    until: int
    size: int
    ended_by: Ending


@dataclass(frozen=True)
class Typing:
    """Typed units, at most 20 at once, and their speed: docs/methods/process.md.

    The pace is of keys that followed another change within 2 s: `paced` units in `seconds`.
    """

    units: int
    paced: int
    seconds: float

    @property
    def words_per_minute(self) -> float | None:
        """Five units a word, as typing tests count."""
        return self.paced / 5 / (self.seconds / 60) if self.seconds else None


@dataclass(frozen=True)
class Intervals:
    """Times between one typed character and the next, by where the next one stands.

    `variation` is the standard deviation divided by the mean, of intervals under 2 s.
    """

    location: Location
    n: int
    median: float | None
    mean: float | None
    variation: float | None


def active_seconds(times: Iterable[int], *, cap: int = CAP) -> float:
    """Return the time between the first and last of these, with gaps capped at `cap` ms."""
    return sum(min(b - a, cap) for a, b in pairwise(times)) / 1000


def pauses(events: Iterable[Event], *, thresholds: Iterable[int]) -> tuple[Pauses, ...]:
    """Return the pauses from each threshold on."""
    acts = [event.ms for event in events if type(event) in ACTS]
    gaps = [b - a for a, b in pairwise(acts)]
    return tuple(_pauses(gaps, threshold) for threshold in thresholds)


def _pauses(gaps: Iterable[int], threshold: int) -> Pauses:
    seconds = [gap / 1000 for gap in gaps if gap >= threshold]
    return Pauses(threshold, len(seconds), sum(seconds))


def bursts(steps: Sequence[Step], *, pause: int = PAUSE) -> list[Burst]:
    """Return the bursts of a log, in order. Pasted text belongs to none."""
    complete: list[Burst] = []
    first: Step | None = None  # of a burst under way, which goes on at unit `caret`
    caret = until = total = 0
    last = 0  # when something changed last, also within a composition
    for step in steps:
        _, ms, at, deleted, _, codes, *_ = step
        size = len(codes)
        is_pasted = size > PHRASE and not is_composed(step)
        if first is not None:
            by: Ending | None = None
            if ms - last >= pause:
                by = "pause"
            elif deleted or (size and at != caret):
                by = "revision"
            elif is_pasted:
                by = "paste"
            if by is not None:
                complete.append(Burst(first.seq, first.ms, until, total, by))
                first, total = None, 0
        last = ms
        if size and not is_pasted:
            first = first or step
            caret, until, total = at + size, ms, total + size
    if first is not None:
        complete.append(Burst(first.seq, first.ms, until, total, "end"))
    return complete


def typing(steps: Sequence[Step], *, pause: int = PAUSE, of_snapshots: bool = False) -> Typing:
    """Measure the typing in net edits; what an input method converts took as long as its keys.

    A recorder sees every key. What is more than a key brings, such as a word that a phone
    suggests, is typed but tells no pace. Between two snapshots there may be several keys.
    """
    size, paced, ms, composing = 0, 0, 0, 0
    last: int | None = None
    for step in steps:
        gap = step.ms - last if last is not None and step.ms - last < pause else None
        last = step.ms
        if not step.codes and not step.deleted:
            composing += gap or 0
            continue
        if is_typed(step):
            few = len(step.codes) <= BY_KEY or composing or of_snapshots
            size += len(step.codes)
            if gap is not None and few:
                paced += len(step.codes)
                ms += gap + composing
        composing = 0
    return Typing(size, paced, ms / 1000)


def is_typed(step: Step) -> bool:
    """Return whether the step inserted few units, all of them typed."""
    size = len(step.codes)
    is_small = size <= PHRASE or is_composed(step)
    return size > 0 and is_small and step.codes.count(BY_HAND) == size


def intervals(steps: Sequence[Step]) -> tuple[Intervals, ...]:
    """Intervals between single characters typed side by side, in all and by location."""
    times: dict[Location, list[int]] = {location: [] for location in LOCATIONS}
    before, last = "", None
    for step in steps:
        size = len(step.codes)
        if 0 < size < 3 and not step.deleted:
            new = decoded(step.inserted)
            if last is not None and step.at == last.at + len(last.codes):
                gap = step.ms - last.ms
                times["all"].append(gap)
                times[_location(before, new)].append(gap)
            before, last = (before + new)[-2:], step
        else:
            before, last = "", None
    return tuple(_intervals(location, times[location]) for location in LOCATIONS)


def _location(before: str, new: str) -> Location:
    """Return the location of the new character, from the one or two before it."""
    if before[-1].isalnum() or not new.isalnum():
        return "within word"
    if before[-1] == "\n" or (before[0] in ".!?" and before[-1] == " "):
        return "before sentence"
    return "before word"


def _intervals(location: Location, gaps: list[int]) -> Intervals:
    if not gaps:
        return Intervals(location, 0, None, None, None)
    fluent = [gap for gap in gaps if gap < PAUSE]
    mean = statistics.fmean(fluent) if fluent else 0.0
    variation = statistics.pstdev(fluent) / mean if mean else None
    return Intervals(
        location, len(gaps), statistics.median(gaps), statistics.fmean(gaps), variation
    )
