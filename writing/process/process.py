"""Measures of the writing process, computed from its log. Pure.

Times are milliseconds unless a name says seconds; lengths are UTF-16 units. What each measure
means, and where it comes from, is in docs/methods/process.md. Nothing here judges a writer.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from writing.log.eventlog import Edit, Event, units
from writing.process import rhythm
from writing.process.absences import Absence, absences, is_watched
from writing.process.composition import is_rewritten, settled
from writing.process.in_view import passages_in_view
from writing.process.insertions import Insertion, insertions_of
from writing.process.provenance import FOREIGN, LONG, NO_PASTE, PHRASE, Passages, code_of
from writing.process.replay import Replay, Step
from writing.process.rhythm import Burst, Intervals, Pauses, Typing
from writing.process.timeline import PASTES

WITHOUT_PASTE = code_of(NO_PASTE)
PAUSES = (200, 2_000)  # ms; shorter gaps are typing (Leijten and Van Waes 2013 use both)


@dataclass(frozen=True)
class Process:
    """The measures of one log. A share or ratio is None where there is nothing to divide by."""

    events: int
    duration: int  # ms from the first event to the last
    active_seconds: float  # gaps between events, each at most 20 s
    pauses: tuple[Pauses, ...]
    bursts: tuple[Burst, ...]
    insertions: int  # edits that insert
    inserted: int  # units, of compositions net
    deletions: int  # edits that delete
    deleted: int  # units, of compositions net
    replaced: int  # units that an input method put others in the place of
    pasted: int  # units pasted or dropped, from passages and from elsewhere
    moved: int  # units of the own text, pasted or dropped
    without_paste: int  # units that came at once, more than a key brings: dictation and the like
    elsewhere: int | None  # units of the last text that were pasted from outside; of snapshots
    #                        nobody knows
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
    shares: Mapping[str, float]  # of the last text, by kind of origin
    viewed: Mapping[int, float]  # seconds that each passage was visible
    window_recorded: bool  # every page of the log recorded when the writer left the window
    rewritten: bool  # compositions were recorded as whole words, by an editor before November 2026

    @property
    def absent_seconds(self) -> float:
        return sum(away.until - away.ms for away in self.absences) / 1000

    @property
    def elsewhere_share(self) -> float | None:
        """Return the share of the last text that is from elsewhere."""
        return None if self.elsewhere is None else _ratio(self.elsewhere, self.final)

    @property
    def deleted_by_typed(self) -> float | None:
        """Return the ratio of corrected to typed characters, including input methods."""
        return _ratio(self.deleted + self.replaced, self.typing.units)


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
    net = settled(replay.steps)
    steps = net.steps
    inserting = [step for step in steps if step.inserted]
    deleting = [step for step in steps if step.deleted]
    inserted = sum(len(step.inserted) // 2 for step in steps)
    deleted = sum(step.deleted for step in steps)
    final = inserted - deleted
    return Process(
        events=len(events),
        duration=replay.duration,
        active_seconds=rhythm.active_seconds((event.ms for event in events), cap=cap),
        pauses=rhythm.pauses(events, thresholds=pauses),
        bursts=tuple(rhythm.bursts(steps)),
        insertions=len(inserting),
        inserted=inserted,
        deletions=len(deleting),
        deleted=deleted,
        replaced=net.replaced,
        pasted=sum(len(step.codes) for step in steps if step.via == "paste"),
        moved=sum(len(step.codes) for step in steps if step.via == "move"),
        without_paste=sum(_without_paste(step) for step in steps),
        elsewhere=None if replay.of_snapshots else _elsewhere(replay),
        deletion_ratio=_ratio(deleted, inserted),
        leading_edge_share=_ratio(_at_the_end(steps), len(inserting)),
        produced_to_final=_ratio(inserted, final),
        final=final,
        paste_ratio=_ratio(_pasted(events), inserted),
        typed_share=_ratio(_typed(steps, of_snapshots=replay.of_snapshots), final),
        typing=rhythm.typing(steps, of_snapshots=replay.of_snapshots),
        intervals=rhythm.intervals(steps),
        absences=tuple(absences(events)),
        long_insertions=tuple(insertions_of(steps, replay.passages)),
        shares=_shares(replay),
        viewed=_viewed(events),
        window_recorded=is_watched(events),
        rewritten=is_rewritten(replay.steps),
    )


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _at_the_end(steps: Iterable[Step]) -> int:
    """Count the edits at the end of the text, the leading edge."""
    length, count = 0, 0
    for step in steps:
        size = len(step.inserted) // 2
        count += bool(size) and step.at + step.deleted == length
        length += size - step.deleted
    return count


def _pasted(events: Iterable[Event]) -> int:
    """Units of edits that follow a paste or drop, or that are too long to be typed at once."""
    pasted, announced = 0, False
    for event in events:
        if isinstance(event, PASTES):
            announced = True
        elif type(event) is Edit and event.inserted:
            if announced or len(event.inserted) > LONG // 2:  # a character is at most two units
                size = units(event.inserted)
                pasted += size if announced or size > LONG else 0
            announced = False
    return pasted


def _without_paste(step: Step) -> int:
    """Units that came at once without a paste; of a move they are moved."""
    return 0 if step.via else step.codes.count(WITHOUT_PASTE)


def _elsewhere(replay: Replay) -> int:
    runs = replay.end().runs
    return sum(run.end - run.start for run in runs if run.provenance == FOREIGN)


def _shares(replay: Replay) -> dict[str, float]:
    runs = replay.end().runs
    units: Counter[str] = Counter()
    for run in runs:
        units[run.provenance.kind] += run.end - run.start
    return {kind: size / runs[-1].end for kind, size in units.items()}


def _viewed(events: Iterable[Event]) -> dict[int, float]:
    seconds: Counter[int] = Counter()
    for span in passages_in_view(events):
        seconds[span.passage] += span.end - span.start
    return {passage: ms / 1000 for passage, ms in sorted(seconds.items())}


def _typed(steps: Iterable[Step], *, of_snapshots: bool) -> int:
    """Units of the last text that were typed; between two snapshots, in edits of at most 20."""
    last = bytearray()  # one byte a unit
    for step in steps:
        size = len(step.codes)
        few = size <= PHRASE or not (of_snapshots or not step.input)
        typed = step.codes.count(rhythm.BY_HAND) if few else 0
        units = b"\1" * size if typed else bytes(size)
        if 0 < typed < size:
            units = bytes(code == rhythm.BY_HAND for code in step.codes)
        last[step.at : step.at + step.deleted] = units
    return sum(last)
