"""Snapshots of a text as a log of edits: what changed between one and the next.

Pure. Positions and lengths count UTF-16 code units, as the interaction log does; texts are
compared as UTF-16-LE bytes, two a unit. Lone surrogates pass through.
"""

from collections.abc import Iterable
from typing import NamedTuple

from writing.log.eventlog import Edit, Event, Start

AGENT = "snapshots"  # what a log made here names as the browser
NEAR = 8  # units after a guess in which the texts are expected to differ


class TextChange(NamedTuple):
    """At unit `at`, `deleted` units were replaced by `inserted` (UTF-16-LE)."""

    at: int
    deleted: int
    inserted: bytes


def encoded(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def decoded(units: bytes | bytearray) -> str:
    return units.decode("utf-16-le", "surrogatepass")


def difference(old: bytes, new: bytes, near: int = 0) -> TextChange:
    """Return the shortest single replacement that turns `old` into `new`.

    Of equally short ones the rightmost: people who type or delete a repeated letter do so at
    the end. A surrogate pair is never cut in two. `near` is a guess of the unit at which the
    texts begin to differ, which saves time if it is good.
    """
    return _at_caret(old, new, near) or _difference(old, new, near)


def _at_caret(old: bytes, new: bytes, near: int) -> TextChange | None:
    """Return the difference if units were typed or erased at the guess; None if it may be another.

    So are nine changes of ten, and three comparisons find them.
    """
    more = len(new) - len(old)  # bytes, as the next
    caret = 2 * near
    start, end = (caret, caret + more) if more > 0 else (caret + more, caret + more)
    if (
        start < 0
        or old[start : start + 2] == new[start : start + 2]  # they differ further to the right
        or old[:start] != new[:start]
        or old[caret:] != new[end:]
    ):
        return None
    before = old[start - 1] if start else 0
    after = old[caret + 1] if caret < len(old) else 0
    if 0xD8 <= before <= 0xDB or 0xDC <= after <= 0xDF:  # next to half of a surrogate pair
        return None
    return TextChange(start // 2, (caret - start) // 2, new[start:end])


def _difference(old: bytes, new: bytes, near: int) -> TextChange:
    least = min(len(old), len(new)) // 2
    head = _same_start(old, new, least, near)
    if head and 0xD8 <= old[2 * head - 1] <= 0xDB:  # ends in the first half of a pair
        head -= 1
    ends = len(old), len(new)
    tail = _same_end(old, new, least - head)
    if tail and 0xDC <= old[ends[0] - 2 * tail + 1] <= 0xDF:  # begins with the second half of one
        tail -= 1
    return TextChange(head, ends[0] // 2 - tail - head, new[2 * head : ends[1] - 2 * tail])


def _same_start(old: bytes, new: bytes, limit: int, near: int) -> int:
    """Return how many units the texts have in common from the start, up to `limit`."""
    if old.startswith(new[: 2 * limit]):
        return limit
    low, high = 0, limit - 1
    if near < high:
        far = 2 * min(near + NEAR, high)
        if old[: 2 * near] != new[: 2 * near]:
            high = near - 1
        elif old[2 * near : far] == new[2 * near : far]:
            low = far // 2
        else:
            low, high = near, far // 2 - 1
    while low < high:
        middle = (low + high + 1) // 2
        if old[2 * low : 2 * middle] == new[2 * low : 2 * middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _same_end(old: bytes, new: bytes, limit: int) -> int:
    """Return how many units the texts have in common at the end, up to `limit`."""
    m, n = len(old), len(new)
    if old.endswith(new[n - 2 * limit :]):
        return limit
    low, high = 0, limit - 1
    while low < high:
        middle = (low + high + 1) // 2
        if old[m - 2 * middle : m - 2 * low] == new[n - 2 * middle : n - 2 * low]:
            low = middle
        else:
            high = middle - 1
    return low


def events_of(snapshots: Iterable[tuple[int, str]]) -> list[Event]:
    """Build a log from pairs of time (ms) and whole text; the first time becomes 0.

    Texts of one time keep their order, so the last text of the last time is the final text.
    A snapshot without a change makes no event. The first text enters as an edit of an empty
    text, because nothing before it was recorded.
    """
    ordered = sorted(snapshots, key=lambda snapshot: snapshot[0])
    events: list[Event] = [Start(seq=1, ms=0, length=0, version=1, agent=AGENT)]
    text, near = b"", 0
    for time, whole in ordered:
        new = encoded(whole)
        if new == text:
            continue
        change = difference(text, new, near)
        near = change.at + len(change.inserted) // 2
        events.append(
            Edit(
                seq=len(events) + 1,
                ms=time - ordered[0][0],
                at=change.at,
                deleted=change.deleted,
                inserted=decoded(change.inserted),
                input="",
            )
        )
        text = new
    return events
