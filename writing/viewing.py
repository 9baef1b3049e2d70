"""Which passages a writer had in view, and when. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.eventlog import Close, Dwell, Event, Open


@dataclass(frozen=True)
class Shown:
    """A passage was in view, or open, from `start` to `end` (ms)."""

    passage: int
    start: int
    end: int


def shown_passages(events: Iterable[Event]) -> list[Shown]:
    """The spans in which passages were in view, by their beginning; spans that touch are one."""
    spans: list[tuple[int, int, int]] = []
    opened: dict[int, int] = {}
    last = 0
    for event in events:
        last = event.ms
        if isinstance(event, Dwell):
            spans.append((event.passage, max(0, event.ms - event.duration), event.ms))
        elif isinstance(event, Open):
            opened.setdefault(event.passage, event.ms)
        elif isinstance(event, Close) and event.passage in opened:
            spans.append((event.passage, opened.pop(event.passage), event.ms))
    spans += [(passage, start, last) for passage, start in opened.items()]
    return sorted(_joined(spans), key=lambda each: (each.start, each.passage))


def _joined(spans: Iterable[tuple[int, int, int]]) -> Iterable[Shown]:
    now: Shown | None = None
    for passage, start, end in sorted(spans):
        if now and now.passage == passage and start <= now.end:
            now = Shown(passage, now.start, max(now.end, end))
            continue
        if now:
            yield now
        now = Shown(passage, start, end)
    if now:
        yield now
