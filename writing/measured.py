"""The evidence of a work for its reviewer: measures, flags, and where the study puts each.

Only reads. What was measured is kept in the cache, because a log takes a moment to replay; of the
other works as many as fit into a short while are measured at once, the rest when asked again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

from django.core.cache import cache

from annotation.collecting import events_of
from annotation.eventlog import NotEvents
from annotation.models import Assignment
from writing.evidence import Flag, Standing, flags, standing
from writing.process import Process, process_of
from writing.replay import BrokenLog, Replay
from writing.timeline import Mark, timeline
from writing.works import passages_of, works_of

AMONG = 200  # works of a study that one is compared with, the newest
PATIENCE = 2.0  # seconds for measuring others while somebody waits
KEPT = 24 * 3600  # seconds


@dataclass(frozen=True)
class Value:
    """A measure, and the moment to look at (ms), if there is one."""

    value: float | None
    ms: int | None = None


@dataclass(frozen=True)
class Measured:
    values: dict[str, Value]
    flags: list[Flag]


@dataclass(frozen=True)
class Row:
    """A measure for people; `standing` is among the other works of the study."""

    name: str
    value: float
    unit: str
    ms: int | None
    standing: Standing | None


UNITS = {
    "Active time": "min",
    "Pace": "words a minute",
    "Typed": "% of the text",
    "Pasted": "% of what was entered",
    "Deleted": "% of what was entered",
    "Away from the editor": "s",
    "Evenness of keys": "spread by mean",
    "Long insertions from elsewhere": "",
}


def measured(assignment: Assignment) -> Measured | None:
    """The measures of a work; None where its log cannot be replayed."""
    handed_in = assignment.submitted_at.timestamp() if assignment.submitted_at else 0
    key = f"measured:{assignment.pk}:{handed_in}"
    found: Measured | None = cache.get(key)
    if found is None:
        found = _measure(assignment)
        cache.set(key, found, KEPT)
    return found


def _measure(assignment: Assignment) -> Measured | None:
    texts = [each.text for each in passages_of(assignment)]
    try:
        events = events_of(assignment)
        if not events:
            return None
        replay = Replay(events, texts)
    except (BrokenLog, NotEvents):
        return None
    process = process_of(events, texts, replay=replay)
    marks = timeline(events, replay.steps).marks
    return Measured(_values(process, marks), flags(process, events))


def _values(process: Process, marks: Sequence[Mark]) -> dict[str, Value]:
    burst = max(process.bursts, key=lambda each: each.size, default=None)
    typing = burst.ms if burst else None
    foreign = [each for each in process.long_insertions if each.kind == "foreign"]
    brought = _largest("paste", marks)
    return {
        "Active time": Value(process.active_seconds / 60),
        "Pace": Value(process.words_per_minute, typing),
        "Typed": Value(_percent(process.typed_share), typing),
        "Pasted": Value(_percent(process.paste_ratio), brought),
        "Deleted": Value(_percent(process.deletion_ratio), _largest("deletion", marks)),
        "Away from the editor": Value(process.absent_seconds, _largest("away", marks)),
        "Evenness of keys": Value(process.intervals[0].variation, typing),
        "Long insertions from elsewhere": Value(
            len(foreign), max(foreign, key=lambda each: each.size).ms if foreign else None
        ),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _largest(kind: str, marks: Iterable[Mark]) -> int | None:
    found = [mark for mark in marks if mark.kind == kind]
    return max(found, key=lambda mark: mark.size).ms if found else None


def rows_of(assignment: Assignment, *, now: Callable[[], float] = monotonic) -> list[Row]:
    """The measures of a work beside those of the others in its study."""
    mine = measured(assignment)
    if mine is None:
        return []
    others = _others(assignment, now)
    return [
        Row(
            name,
            each.value,
            UNITS[name],
            each.ms,
            standing(each.value, (other.values[name].value for other in others)),
        )
        for name, each in mine.values.items()
        if each.value is not None
    ]


def _others(assignment: Assignment, now: Callable[[], float]) -> list[Measured]:
    until, found = now() + PATIENCE, []
    for work in works_of(assignment.study).exclude(pk=assignment.pk).reverse()[:AMONG]:
        if now() > until:
            break
        if one := measured(work):
            found.append(one)
    return found


def by_evidence(works: Iterable[Assignment]) -> list[Assignment]:
    """The works with most flags first; of equally many the order that there was."""
    return sorted(works, key=lambda work: -number_of_flags(work))


def number_of_flags(work: Assignment) -> int:
    one = measured(work)
    return len(one.flags) if one else 0
