"""Data of the player for a log: steps, keyframes, marks, and texts in view.

Pure. Positions and lengths count UTF-16 code units, as in the log and in the browser; an origin
is one number: that of a passage from 0, or below zero another one (writing.process.provenance).
"""

import json
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from writing.log.eventlog import Drop, Event, Hidden, Paste, Start
from writing.log.snapshots import AGENT, decoded
from writing.process.in_view import InView, passages_in_view
from writing.process.replay import Keyframe, Replay, Step
from writing.process.timeline import TOGETHER, Timeline, TimelineMark, timeline, unsupported

MOMENT = 500  # ms of absence that are a moment to look at: what is shorter would be “0 s”
PAUSE = 2_000  # ms in which nothing is seen to happen: what is longer may be skipped

Coded = list[tuple[int, int]]  # (units, origin) side by side: together they are a text


@dataclass(frozen=True)
class DescribedMark:
    """A mark in words; `to` is the moment (ms) at which its outcome is seen."""

    mark: TimelineMark
    what: str
    to: int


@dataclass(frozen=True)
class Playback:
    glance: Timeline
    steps: list[Step]
    keyframes: list[Keyframe]
    marks: list[DescribedMark]
    pauses: list[tuple[int, int]]  # from, to in ms
    shown: list[InView]
    is_of_snapshots: bool  # what came between two of them nobody saw

    def as_json(self) -> bytes:
        """Compact and in ASCII, so that half of a surrogate pair passes through as well."""
        rows = {
            "duration": self.glance.duration,
            "steps": [_row(step) for step in self.steps],
            "keyframes": [
                [keyframe.steps, decoded(keyframe.text), _coded(keyframe.codes)]
                for keyframe in self.keyframes
            ],
            "marks": [
                [mark.mark.ms, mark.mark.seq, mark.mark.kind, mark.what, mark.to]
                for mark in self.marks
            ],
            "pauses": self.pauses,
            "snapshots": self.is_of_snapshots,
            "shown": [
                [passage_span.passage, passage_span.start, passage_span.end]
                for passage_span in self.shown
            ],
        }
        return json.dumps(rows, separators=(",", ":")).encode()


def playback(
    events: Sequence[Event], passages: Sequence[str] = (), *, redone: Iterable[int] = ()
) -> Playback:
    """Return the data that the player needs. Raises BrokenLog.

    `redone` are the events that begin redos requested by reviewers.
    """
    replay = Replay(events, passages)
    glance = timeline(events, replay.steps)
    redos = [TimelineMark("redo", seq, events[seq - 1].ms, 0) for seq in redone]
    glance = replace(glance, marks=tuple(sorted((*glance.marks, *redos), key=_seq_of)))
    return Playback(
        glance=glance,
        steps=replay.steps,
        keyframes=replay.keyframes,
        marks=_in_words(glance.marks, events, replay.steps),
        pauses=_pauses(replay, glance.marks),
        shown=passages_in_view(events),
        is_of_snapshots=_is_of_snapshots(events),
    )


def _seq_of(mark: TimelineMark) -> int:
    return mark.seq


def _is_of_snapshots(events: Sequence[Event]) -> bool:
    return bool(events) and isinstance(events[0], Start) and events[0].agent == AGENT


def _row(step: Step) -> list[object]:
    """[seq, ms, at, deleted, inserted, origin]; the origin is one number where it is one."""
    coded = _coded(step.codes)
    origin: object = coded[0][1] if len(coded) == 1 else coded
    return [step.seq, step.ms, step.at, step.deleted, decoded(step.inserted), origin]


def _coded(codes: Iterable[int]) -> Coded:
    return [(sum(1 for _ in same), code) for code, same in groupby(codes)]


def _pauses(replay: Replay, marks: Iterable[TimelineMark]) -> list[tuple[int, int]]:
    """Return the spans in which a reviewer would see nothing happen."""
    seen = {step.ms for step in replay.steps} | {mark.ms for mark in marks}
    times = sorted(seen | {0, replay.duration})
    return [(start, end) for start, end in pairwise(times) if end - start > PAUSE]


# -- Marks in words ------------------------------------------------------------------------------


def _in_words(
    marks: Iterable[TimelineMark], events: Sequence[Event], steps: Sequence[Step]
) -> list[DescribedMark]:
    """Describe each mark, with the event to show; for a paste, the edit that inserts it."""
    seqs = [step.seq for step in steps]
    doubtful = {event.seq for event, _ in unsupported(events, steps)}
    unseen = _is_of_snapshots(events)
    described = []
    for mark in marks:
        if mark.kind == "away" and mark.size < MOMENT:
            continue
        to = mark.ms
        if mark.kind == "paste":
            index = bisect_left(seqs, mark.seq)
            if index < len(steps) and steps[index].ms - mark.ms <= TOGETHER:
                to = steps[index].ms
            if unseen:
                described.append(
                    DescribedMark(mark, _appeared(mark, steps[index - 1] if index else None), to)
                )
                continue
        elif mark.kind == "away":
            to += mark.size
        described.append(DescribedMark(mark, _words(mark, events, doubtful), to))
    return described


def _words(mark: TimelineMark, events: Sequence[Event], doubtful: Collection[int]) -> str:
    event = events[mark.seq - 1]  # a log that can be replayed has no gaps
    if mark.kind == "away":
        hidden = any(isinstance(happened, Hidden) for happened in _during(mark, events))
        where = "page in the background" if hidden else "in another window"
        return f"{where} for {_seconds(mark.size)}"
    if mark.kind == "redo":
        return "changes requested by a reviewer begin"
    if mark.kind == "jump":
        return f"cursor moved {_characters(mark.size)} away"
    if mark.kind == "deletion":
        return f"{_characters(mark.size)} deleted"
    if not isinstance(event, Paste | Drop):
        return f"{_characters(mark.size)} at once, without a recorded paste"
    done = "pasted" if isinstance(event, Paste) else "dropped"
    return f"{_characters(mark.size)} {done} {_source(event, mark.seq in doubtful)}"


def _appeared(mark: TimelineMark, before: Step | None) -> str:
    """Describe text that appeared at once: its length, time and typing pace."""
    if before is None:
        return f"{_characters(mark.size)} present when the recording begins"
    gap = max(1, mark.ms - before.ms)
    pace = mark.size / 5 / (gap / 60_000)
    words = f"{pace:,.0f} words" if pace >= 1.5 else "a word or less"
    after = f"{gap / 1000:.1f} s" if gap < 10_000 else _seconds(gap)
    return (
        f"{_characters(mark.size)} appeared at once, {after} after the previous snapshot; if "
        f"typed, {words} a minute"
    )


def _during(mark: TimelineMark, events: Sequence[Event]) -> Iterable[Event]:
    for event in events[mark.seq - 1 :]:
        if event.ms > mark.ms + mark.size:
            return
        yield event


def _source(event: Paste | Drop, is_doubtful: bool) -> str:
    if is_doubtful:
        named = "the writer's own text" if event.passage is None else f"passage {event.passage}"
        return f"from outside or unknown: the recorded source, {named}, does not contain it"
    if event.passage is not None:
        return f"from passage {event.passage}"
    return "from the writer's own text" if event.source == "own" else "from outside"


def _seconds(ms: int) -> str:
    seconds = round(ms / 1000)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60} min"


def _characters(number: int) -> str:
    return "1 character" if number == 1 else f"{number} characters"
