"""Absences of a writer from the window: in another program, window or tab. Pure.

The passages, the filter, the drawer, a dialog and the last step are our own page. A page records
`away` and `back`, beginning with the one that is so when it appears. Older pages recorded only the
focus of the editor, which our own page takes as well, and the background: of them the background
counts, unless the page went in it, as it does at a reload.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from writing.log.eventlog import Away, Back, Edit, Event, Focus, Hidden, Key, Shown, Start


class Absence(NamedTuple):
    """The writer left with event `seq` at `ms`, and was back with event `back` at `until`."""

    seq: int
    ms: int
    until: int
    back: int
    hidden: bool  # the page was in the background


def absences(events: Sequence[Event]) -> list[Absence]:
    return [] if _LEAVES.isdisjoint(map(type, events)) else list(_absences(events))


def _absences(events: Sequence[Event]) -> Iterator[Absence]:
    watching = _watching(events)
    watched, left, hidden = False, None, False

    def ended(by: Event, start: Event) -> Absence:
        return Absence(start.seq, start.ms, by.ms, by.seq, hidden)

    for event in events:
        if isinstance(event, Start):
            is_watched = event.seq in watching
            if left is not None and watched and not is_watched:
                yield ended(event, left)
            if not (watched and is_watched):  # an older page that went was only reloaded
                left, hidden = None, False
            watched = is_watched
            continue
        hidden = hidden or isinstance(event, Hidden)
        if isinstance(event, Away if watched else Hidden):
            left = left or event
        elif isinstance(event, _RETURNS[watched]):
            if left is not None:
                yield ended(event, left)
            left, hidden = None, False
    if left is not None and watched:
        yield ended(events[-1], left)


_LEAVES = {Away, Hidden}
_SEEN = {Away, Back}  # where the window is recorded
_RETURNS = {True: (Back, Edit, Key), False: (Shown, Focus, Edit)}


def is_watched(events: Sequence[Event]) -> bool:
    """Return whether every page of a log recorded the window."""
    starts = {event.seq for event in events if type(event) is Start}
    return bool(starts) and starts <= _watching(events)


def _watching(events: Sequence[Event]) -> set[int]:
    """Return the starts of pages that recorded the window."""
    watched: set[int] = set()
    if _SEEN.isdisjoint(map(type, events)):
        return watched
    start = 0
    for event in events:
        if isinstance(event, Start):
            start = event.seq
        elif isinstance(event, Away | Back):
            watched.add(start)
    return watched
