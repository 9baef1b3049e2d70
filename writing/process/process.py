"""How a text was written: measures of the process, computed from its log. Pure.

Times are milliseconds unless a name says seconds; lengths are UTF-16 units. What each measure
means, and where it comes from, is in docs/methods-process.md. Nothing here judges a writer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from writing.log.eventlog import Blur, Drop, Edit, Event, Focus, Hidden, Paste, Shown, units
from writing.process import rhythm
from writing.process.insertions import Insertion, insertions_of
from writing.process.provenance import LONG, PHRASE, Passages
from writing.process.rhythm import Burst, Intervals, Pauses, Typing
from writing.replay.replay import Replay, Step

PAUSES = (200, 2_000)  # ms; shorter gaps are typing (Leijten and Van Waes 2013 use both)


@dataclass(frozen=True)
class Absence:
    """The editor lost the focus, or the page was hidden, with event `seq` at `ms`, `until` ms."""

    seq: int
    ms: int
    until: int


@dataclass(frozen=True)
class Process:
    """The measures of one log. A share or ratio is None where there is nothing to divide by."""

    events: int
    duration: int  # ms from the first event to the last
    active_seconds: float  # gaps between events, each at most 20 s
    pauses: tuple[Pauses, ...]
    bursts: tuple[Burst, ...]
    insertions: int  # edits that insert
    inserted: int  # units
    deletions: int  # edits that delete
    deleted: int  # units
    deletion_ratio: float | None  # deleted by inserted
    leading_edge_share: float | None  # of the inserting edits: at the end of the text
    produced_to_final: float | None  # inserted by the length of the last text
    final: int  # units of the last text
    paste_ratio: float | None  # of the inserted units: pasted, dropped, or too long to be typed
    typed_share: float | None  # of the last text: typed, at most 20 units at once
    typing: Typing
    intervals: tuple[Intervals, ...]
    absences: tuple[Absence, ...]
    long_insertions: tuple[Insertion, ...]  # of more than 80 units

    @property
    def absent_seconds(self) -> float:
        return sum(away.until - away.ms for away in self.absences) / 1000

    @property
    def deleted_by_typed(self) -> float | None:
        return _ratio(self.deleted, self.typing.units)


def process_of(
    events: Sequence[Event],
    passages: Sequence[str] | Passages = (),
    *,
    replay: Replay | None = None,
    cap: int = rhythm.CAP,
    pauses: Sequence[int] = PAUSES,
) -> Process:
    """Measure a log. Raises BrokenLog. `replay` saves work where there is one already."""
    replay = replay or Replay(events, passages)
    steps = replay.steps
    inserting = [step for step in steps if step.inserted]
    deleting = [step for step in steps if step.deleted]
    inserted = sum(len(step.inserted) // 2 for step in steps)
    deleted = sum(step.deleted for step in steps)
    final = inserted - deleted
    return Process(
        events=len(events),
        duration=replay.duration,
        active_seconds=rhythm.active_seconds((event.ms for event in events), cap=cap),
        pauses=tuple(rhythm.pauses(events, threshold=each) for each in pauses),
        bursts=tuple(rhythm.bursts(steps)),
        insertions=len(inserting),
        inserted=inserted,
        deletions=len(deleting),
        deleted=deleted,
        deletion_ratio=_ratio(deleted, inserted),
        leading_edge_share=_ratio(_at_the_end(steps), len(inserting)),
        produced_to_final=_ratio(inserted, final),
        final=final,
        paste_ratio=_ratio(_pasted(events), inserted),
        typed_share=_ratio(_typed(steps), final),
        typing=rhythm.typing(steps),
        intervals=rhythm.intervals(steps),
        absences=tuple(_absences(events)),
        long_insertions=tuple(insertions_of(steps, replay.passages)),
    )


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _at_the_end(steps: Iterable[Step]) -> int:
    """How many edits insert at the end of the text, the leading edge."""
    length, found = 0, 0
    for step in steps:
        size = len(step.inserted) // 2
        found += bool(size) and step.at + step.deleted == length
        length += size - step.deleted
    return found


def _pasted(events: Iterable[Event]) -> int:
    """Units of edits that follow a paste or drop, or that are too long to be typed at once."""
    pasted, announced = 0, False
    for event in events:
        if isinstance(event, Paste | Drop):
            announced = True
        elif isinstance(event, Edit) and event.inserted:
            size = units(event.inserted)
            pasted += size if announced or size > LONG else 0
            announced = False
    return pasted


def _typed(steps: Iterable[Step]) -> int:
    """Units of the last text that were typed, in edits of at most 20 units."""
    last = bytearray()  # one byte a unit
    for step in steps:
        size = len(step.codes)
        few = size <= PHRASE
        last[step.at : step.at + step.deleted] = bytes(
            few and code == rhythm.BY_HAND for code in step.codes
        )
    return sum(last)


def _absences(events: Sequence[Event]) -> Iterable[Absence]:
    """From leaving the editor or the page to what shows first that the writer is back."""
    left: Event | None = None
    for event in events:
        if isinstance(event, Blur | Hidden):
            left = left or event
        elif left is not None and isinstance(event, Focus | Shown | Edit):
            yield Absence(left.seq, left.ms, event.ms)
            left = None
    if left is not None:
        yield Absence(left.seq, left.ms, events[-1].ms)
