"""Passages that a writer had in view, and when. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from writing.log.eventlog import Dwell, Event


@dataclass(frozen=True)
class InView:
    """A passage was in view from `start` to `end` (ms)."""

    passage: int
    start: int
    end: int


def passages_in_view(events: Iterable[Event]) -> list[InView]:
    """Return the spans in which passages were visible, by start; adjacent spans are merged."""
    spans = (
        (event.passage, max(0, event.ms - event.duration), event.ms)
        for event in events
        if isinstance(event, Dwell)
    )
    return sorted(_joined(spans), key=lambda each: (each.start, each.passage))


def _joined(spans: Iterable[tuple[int, int, int]]) -> Iterable[InView]:
    now: InView | None = None
    for passage, start, end in sorted(spans):
        if now and now.passage == passage and start <= now.end:
            now = InView(passage, now.start, max(now.end, end))
            continue
        if now:
            yield now
        now = InView(passage, start, end)
    if now:
        yield now
