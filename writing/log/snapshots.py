"""Snapshots of a text as a log of edits: what changed between one and the next.

Pure. Positions and lengths count UTF-16 code units, as the interaction log does; texts are
compared as UTF-16-LE bytes, two a unit. Lone surrogates pass through.
"""

from codecs import utf_16_le_decode, utf_16_le_encode
from collections.abc import Iterable
from typing import AnyStr, NamedTuple

from writing.log.eventlog import Edit, Event, Start

AGENT = "snapshots"  # what a log made here names as the browser
NEAR = 8  # units after a guess in which the texts are expected to differ


class TextChange(NamedTuple):
    """At unit `at`, `deleted` units were replaced by `inserted` (UTF-16-LE)."""

    at: int
    deleted: int
    inserted: bytes


def encoded(text: str) -> bytes:
    return utf_16_le_encode(text, "surrogatepass")[0]  # by its name it would be looked up


def decoded(units: bytes | bytearray) -> str:
    return utf_16_le_decode(units, "surrogatepass", True)[0]


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
    caret = 2 * near  # bytes, as the next
    if (place := _touched(old, new, caret, 2)) is None:
        return None
    start, end = place
    before = old[start - 1] if start else 0
    after = old[caret + 1] if caret < len(old) else 0
    if 0xD8 <= before <= 0xDB or 0xDC <= after <= 0xDF:  # next to half of a surrogate pair
        return None
    return TextChange(start // 2, (caret - start) // 2, new[start:end])


def _touched(old: AnyStr, new: AnyStr, caret: int, width: int) -> tuple[int, int] | None:
    """Return the stretch of `new` typed at the caret, or the place where `old` was erased up to it.

    None if the texts differ in another way. A unit is `width` places wide.
    """
    more = len(new) - len(old)
    start, end = (caret, caret + more) if more > 0 else (caret + more, caret + more)
    if (
        start < 0
        or old[start : start + width] == new[start : start + width]  # further to the right
        or old[:start] != new[:start]
        or old[caret:] != new[end:]
    ):
        return None
    return start, end


def _ascii_difference(old: str, new: str, near: int) -> tuple[int, int, str]:
    """Return what `difference` does for two ASCII texts, in which a character is a unit."""
    if (place := _touched(old, new, near, 1)) is not None:
        start, end = place
        return start, near - start, new[start:end]
    least = min(len(old), len(new))
    head = _same_start(old, new, least, near, 1)
    tail = _same_end(old, new, least - head, 1)
    return head, len(old) - tail - head, new[head : len(new) - tail]


def _difference(old: bytes, new: bytes, near: int) -> TextChange:
    least = min(len(old), len(new)) // 2
    head = _same_start(old, new, least, near, 2)
    if head and 0xD8 <= old[2 * head - 1] <= 0xDB:  # ends in the first half of a pair
        head -= 1
    ends = len(old), len(new)
    tail = _same_end(old, new, least - head, 2)
    if tail and 0xDC <= old[ends[0] - 2 * tail + 1] <= 0xDF:  # begins with the second half of one
        tail -= 1
    return TextChange(head, ends[0] // 2 - tail - head, new[2 * head : ends[1] - 2 * tail])


def _same_start(old: AnyStr, new: AnyStr, limit: int, near: int, width: int) -> int:
    """Return how many units the texts have in common from the start, up to `limit`."""
    if old.startswith(new[: width * limit]):
        return limit
    low, high = 0, limit - 1
    if near < high:
        far = min(near + NEAR, high)
        if old[: width * near] != new[: width * near]:
            high = near - 1
        elif old[width * near : width * far] == new[width * near : width * far]:
            low = far
        else:
            low, high = near, far - 1
    while low < high:
        middle = (low + high + 1) // 2
        if old[width * low : width * middle] == new[width * low : width * middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _same_end(old: AnyStr, new: AnyStr, limit: int, width: int) -> int:
    """Return how many units the texts have in common at the end, up to `limit`."""
    m, n = len(old), len(new)
    if old.endswith(new[n - width * limit :]):
        return limit
    low, high = 0, limit - 1
    while low < high:
        middle = (low + high + 1) // 2
        there = old[m - width * middle : m - width * low]
        if there == new[n - width * middle : n - width * low]:
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
    text, near = "", 0
    for time, whole in ordered:
        if whole == text:
            continue
        if text.isascii() and whole.isascii():  # most are: nothing has to be encoded
            at, deleted, inserted = _ascii_difference(text, whole, near)
            near = at + len(inserted)
        else:
            old, new = encoded(text), encoded(whole)
            if new == old:
                continue
            at, deleted, added = difference(old, new, near)
            inserted, near = decoded(added), at + len(added) // 2
        seq, ms = len(events) + 1, time - ordered[0][0]
        events.append(Edit(seq=seq, ms=ms, at=at, deleted=deleted, inserted=inserted, input=""))
        text = whole
    return events
