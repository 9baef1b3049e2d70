"""Evidence for reviewers, and the percentile of a value in its study. Pure.

A flag is evidence, never a verdict: a number, the limit it passed, and the moments it came from.
No labels exist for what a flag might mean. The limits are ours; docs/methods/process.md says how
many texts of a published study pass each of them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from writing.log.clocks import Clocks
from writing.log.eventlog import Drop, Edit, Event, Paste, Snapshot, units
from writing.process.process import Process
from writing.process.provenance import LONG, PHRASE
from writing.process.replay import Step
from writing.process.timeline import unsupported

Kind = Literal[
    "foreign insertion",
    "pace",
    "no corrections",
    "homogeneous rhythm",
    "focus loss before a paste",
    "source without the text",
    "clock ahead of ours",
    "arrived all at once",
]
LOW: tuple[Kind, ...] = ("no corrections", "homogeneous rhythm")


@dataclass(frozen=True)
class FlagLimits:
    """Values from which a measure becomes a flag."""

    pace: float = 100.0  # typed words by minute of typing, five units a word
    own_pace: bool = False  # that limit is drawn from the writer's copy task
    pace_from: int = 200  # units typed at that pace
    corrections: float = 0.02  # deleted by typed units, at most
    corrections_from: int = 500  # typed units; less may need no correction
    variation: float = 0.25  # of intervals between keys: standard deviation by mean, at most
    variation_from: int = 100  # intervals
    return_to_paste: int = 10_000  # ms from coming back to the paste, at most
    away: int = 2_000  # ms of absence before it, at least
    ahead: int = 60_000  # ms that a log may claim more than passed here
    drift: float = 0.02  # and the share of the claimed time that clocks may differ
    at_once: int = 180_000  # ms of a log of which nothing arrived before, at least


class LogPoint(NamedTuple):
    """A moment of a log: event `seq`, `ms` milliseconds into it."""

    seq: int
    ms: int


@dataclass(frozen=True)
class Flag:
    """`value` in `unit` passed `limit`; `points` are where to look."""

    kind: Kind
    value: float
    unit: str
    limit: float
    points: tuple[LogPoint, ...]

    @property
    def is_low(self) -> bool:
        """True if what lies below the limit is looked at, not what lies above it."""
        return self.kind in LOW


def flags(
    process: Process,
    events: Sequence[Event],
    limits: FlagLimits | None = None,
    *,
    steps: Sequence[Step] = (),
    clocks: Clocks | None = None,
) -> list[Flag]:
    """Return the flags of a measured log, in the order of the kinds above.

    `steps` are those of its replay, for sources; `clocks` compare its clock with the server's.
    """
    limits = limits or FlagLimits()
    raised = [*_foreign(process), *_pace(process, events, limits)]
    raised += [*_corrections(process, events, limits), *_rhythm(process, limits)]
    raised += [*_absence(process, events, limits), *_sources(events, steps)]
    return [*raised, *_clocks(clocks, events, limits)]


def _foreign(process: Process) -> Iterable[Flag]:
    """Foreign insertions, but not those that only rework a stretch of the writer's own text."""
    for insertion in process.long_insertions:
        if insertion.kind == "foreign" and not insertion.is_rework:
            yield Flag(
                "foreign insertion",
                insertion.size,
                "characters",
                LONG,
                (LogPoint(insertion.seq, insertion.ms),),
            )


def _pace(process: Process, events: Sequence[Event], limits: FlagLimits) -> Iterable[Flag]:
    """Typed faster than people compose; the point is the fastest minute."""
    pace = process.typing.words_per_minute
    if pace is None or process.typing.paced < limits.pace_from or pace <= limits.pace:
        return
    point = _fastest_minute([event for event in events if isinstance(event, Edit | Snapshot)])
    unit = "words per minute of typing"
    if limits.own_pace:
        unit += ", limit from the pace of the copy task"
    yield Flag("pace", pace, unit, limits.pace, (point,))


def _fastest_minute(edits: Sequence[Edit | Snapshot]) -> LogPoint:
    """Return the start of the minute with the most units in small events."""
    best, most, now, first = edits[0], 0, 0, 0
    for edit in edits:
        now += _inserted(edit)
        while edit.ms - edits[first].ms >= 60_000:
            now -= _inserted(edits[first])
            first += 1
        if now > most:
            best, most = edits[first], now
    return LogPoint(best.seq, best.ms)


def _inserted(edit: Edit | Snapshot) -> int:
    size = units(edit.inserted) if isinstance(edit, Edit) else 0
    return size if size <= PHRASE else 0


def _corrections(process: Process, events: Sequence[Event], limits: FlagLimits) -> Iterable[Flag]:
    """Hardly anything of much typing was deleted; the points are the deletions, or the start."""
    ratio = process.deleted_by_typed
    if ratio is None or ratio > limits.corrections:
        return
    if process.typing.units < limits.corrections_from:
        return
    points = [
        LogPoint(event.seq, event.ms)
        for event in events
        if isinstance(event, Edit) and event.deleted and "Composition" not in event.input
    ]
    first = LogPoint(events[0].seq, events[0].ms)
    yield Flag(
        "no corrections",
        ratio,
        "deleted by typed",
        limits.corrections,
        tuple(points) or (first,),
    )


def _rhythm(process: Process, limits: FlagLimits) -> Iterable[Flag]:
    """Keys that come as evenly as no hand strikes them; the points are the longest bursts."""
    every = process.intervals[0]
    if every.variation is None or every.n < limits.variation_from:
        return
    if every.variation <= limits.variation:
        longest = sorted(process.bursts, key=lambda burst: -burst.size)[:3]
        points = tuple(sorted(LogPoint(burst.seq, burst.ms) for burst in longest))
        unit = "standard deviation by mean"
        yield Flag("homogeneous rhythm", every.variation, unit, limits.variation, points)


def _absence(process: Process, events: Sequence[Event], limits: FlagLimits) -> Iterable[Flag]:
    """Pastes from outside right after an absence; the points are its beginning and the paste."""
    brought = [event for event in events if _from_outside(event)] if process.absences else []
    for away in process.absences:
        if away.until - away.ms < limits.away:
            continue
        for event in brought:
            if 0 <= event.ms - away.until <= limits.return_to_paste and event.seq > away.seq:
                yield Flag(
                    "focus loss before a paste",
                    (away.until - away.ms) / 1000,
                    "seconds away",
                    limits.away / 1000,
                    (LogPoint(away.seq, away.ms), LogPoint(event.seq, event.ms)),
                )
                break


def _sources(events: Sequence[Event], steps: Sequence[Step]) -> Iterable[Flag]:
    """All pastes together that the named source does not have; the points are the pastes."""
    foreign = list(unsupported(events, steps))
    if foreign:
        size = sum(len(step.codes) for _, step in foreign)
        points = tuple(LogPoint(event.seq, event.ms) for event, _ in foreign)
        yield Flag("source without the text", size, "characters", PHRASE, points)


def _clocks(clocks: Clocks | None, events: Sequence[Event], limits: FlagLimits) -> Iterable[Flag]:
    """More time claimed than passed, or all of a log in one burst; the point is where."""
    if clocks is None or not events:
        return
    if clocks.ahead > max(limits.ahead, limits.drift * clocks.claimed):
        yield Flag(
            "clock ahead of ours",
            clocks.ahead / 60_000,
            f"minutes: the log covers {clocks.claimed / 60_000:.1f}, but "
            f"{max(0, clocks.passed) / 60_000:.1f} passed here",
            limits.ahead / 60_000,
            (_at(events, clocks.claimed),),
        )
    if clocks.burst_from == 0 and clocks.burst >= limits.at_once:
        yield Flag(
            "arrived all at once",
            clocks.burst / 60_000,
            "minutes of writing that arrived within 10 s, with nothing before; so does a text "
            "written entirely offline",
            limits.at_once / 60_000,
            (_at(events, clocks.burst),),
        )


def _at(events: Sequence[Event], ms: int) -> LogPoint:
    """Return the last event up to a time."""
    last = bisect_right(events, ms, key=lambda event: event.ms) - 1
    event = events[max(0, last)]
    return LogPoint(event.seq, event.ms)


def _from_outside(event: Event) -> bool:
    return isinstance(event, Paste | Drop) and event.source == "outside"


class FlagRank(NamedTuple):
    """Rank of a value among `n` others: `percentile` of them lie below, ties half."""

    value: float
    percentile: float  # 0 to 100
    n: int


def standing(value: float, among: Iterable[float | None]) -> FlagRank | None:
    """Put a value into the distribution of a study; what has no value does not count."""
    others = sorted(other for other in among if other is not None)
    if not others:
        return None
    return FlagRank(value, percentile(value, others), len(others))


def percentile(value: float, known: Sequence[float]) -> float:
    """Return the percentage of the sorted values below this one; ties count half."""
    return 50 * (bisect_left(known, value) + bisect_right(known, value)) / len(known)
