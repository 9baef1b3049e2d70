"""Where a piece of text came from: a passage, the writer's own earlier text, or elsewhere.

Pure. What is taken from a passage is rarely taken at its exact edges, so that there white space
is collapsed and the marks around a piece (bullets, quotes, brackets, full stops) do not count.
Own text is moved by the editor and stays the same to the letter.
"""

import re
from array import array
from collections import Counter, deque
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from writing.log.eventlog import Drop, Edit, Event, Paste, Snapshot, Start, units
from writing.log.snapshots import AGENT, Change, decoded

LONG = 80  # characters; more at once is typed by nobody between two records
PHRASE = 20  # characters; fewer that also stand in a passage may be chance
NEAR = 0.8  # share of a text's 5-grams that make it nearly that of a passage (analysis.md)
REMEMBERED = 2_000  # earlier states of a text in which an own piece is looked for
MOST_REMEMBERED = 8_000_000  # units of all of them: of a long text fewer states are kept
MOST_COMPARED = 20_000_000  # units times units: a larger replacement is not looked into
MOST_LOOKED_AT = 4_000_000_000  # units of earlier text in a whole log; some seconds of work

Kind = Literal["typed", "passage", "own", "foreign", "at once"]
Grams = set[tuple[str, ...]]
Codes: TypeAlias = "array[int]"

_EDGES = " .,;:!?-–—*•·[]()\"'“”‘’"


class Provenance(NamedTuple):
    kind: Kind
    passage: int | None = None  # from 0, as citations count
    seq: int | None = None  # of what appeared at once between two snapshots: the event it came with

    def __str__(self) -> str:
        return self.kind if self.passage is None else f"{self.kind} {self.passage}"


TYPED, OWN, FOREIGN = Provenance("typed"), Provenance("own"), Provenance("foreign")
_CODES = {TYPED: -1, OWN: -2, FOREIGN: -3}
_AT_ONCE = -1_000  # and below: the number of the event is taken off
_BY_CODE = {code: provenance for provenance, code in _CODES.items()}


def grams(text: str, n: int = 5) -> Grams:
    """The runs of `n` words, in lower case; a shorter text is one run, one without words none."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1))} if words else set()


def share(wanted: Grams, there: Grams) -> float:
    """Which share of the wanted n-grams is there."""
    return len(wanted & there) / len(wanted) if wanted else 0.0


class Passages:
    """The passages that a writer had, to be asked whether a text comes from one of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [" ".join(text.split()) for text in texts]
        self._grams: list[Grams] | None = None
        self._together: Grams | None = None

    def verbatim(self, text: str) -> int | None:
        """The number of the first passage that holds the text."""
        wanted = " ".join(text.split()).strip(_EDGES)
        if not wanted:
            return None
        return next((n for n, passage in enumerate(self._texts) if wanted in passage), None)

    def holds(self, number: int, text: str) -> bool:
        """Whether this passage has the text, or 80 % of its 5-grams; without passages any may."""
        if not self._texts:
            return True
        wanted = " ".join(text.split()).strip(_EDGES)
        if number >= len(self._texts) or not wanted:
            return not wanted
        if wanted.lower() in self._texts[number].lower():
            return True
        return share(grams(wanted), self._by_passage()[number]) >= NEAR

    def nearest(self, text: str) -> tuple[float, int | None]:
        """The largest share of the text's 5-grams that one passage has, and which passage."""
        wanted = grams(text)
        shares = [share(wanted, own) for own in self._by_passage()]
        best = max(shares, default=0.0)
        return best, shares.index(best) if best else None

    def together(self) -> Grams:
        """The 5-grams of all passages."""
        if self._together is None:
            self._together = set().union(*self._by_passage())
        return self._together

    def _by_passage(self) -> list[Grams]:
        if self._grams is None:
            self._grams = [grams(text) for text in self._texts]
        return self._grams


class Memory:
    """What a text was at earlier moments: where an own earlier piece is found again.

    Kept is the state before each run of deletions, or of insertions in the middle: enough for
    whatever stood there for a while. How much is kept, and looked at in a whole log, has a limit,
    so that no log can ask for more memory and time than there is.
    """

    def __init__(self) -> None:
        self._states: deque[str] = deque()
        self._size = 0  # units of all states
        self._left = MOST_LOOKED_AT
        self._next: tuple[bool, int] | None = None  # what would go on with the run, and where

    def before(self, text: bytes | bytearray, at: int, deleted: int, inserted: int) -> None:
        """Take note of a change before it is made; positions and lengths in UTF-16 units."""
        is_append = not deleted and 2 * at == len(text)
        goes_on = self._next in ((bool(deleted), at + deleted), (bool(deleted), at))
        if text and not is_append and not (goes_on and not (deleted and inserted)):
            self._keep(decoded(text))
        self._next = (bool(deleted), at + inserted)

    def _keep(self, state: str) -> None:
        self._states.append(state)
        self._size += len(state)
        while len(self._states) > REMEMBERED or self._size > MOST_REMEMBERED:
            self._size -= len(self._states.popleft())

    def may_look_at(self, size: int) -> bool:
        """Whether that many more units may be looked at in this log."""
        self._left -= size
        return self._left >= 0

    def holds(self, piece: str, now: str) -> bool:
        """Whether the piece stands in the text as it is now or was before.

        No more is found once too much has been looked at.
        """
        wanted = piece.strip()
        if not self.may_look_at(len(now) + self._size):
            return False
        return bool(wanted) and (
            wanted in now or any(wanted in state for state in reversed(self._states))
        )


class Tracker:
    """Follows a log and finds for every change where each inserted unit comes from.

    Answers are arrays with one number a unit: that of a passage, or below zero another
    provenance (`provenance_of`).
    """

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._memory = Memory()
        self._pasted: Paste | Drop | None = None  # its edit follows
        self._removed: dict[bytes, Codes] = {}  # what undo may bring back
        self._is_of_snapshots = False
        self._unseen: int | None = None  # the event, if nobody saw how its text came about

    def trace(self, event: Event, change: Change, text: bytearray, codes: Codes) -> Codes:
        """The provenance of what a change inserts into a text; `codes` are those of the text."""
        self._unseen = event.seq if self._is_of_snapshots or isinstance(event, Snapshot) else None
        traced = self._trace(event, change, text, codes)
        if change.deleted > 1:
            end = change.at + change.deleted
            self._removed[bytes(text[2 * change.at : 2 * end])] = codes[change.at : end]
        self._memory.before(text, change.at, change.deleted, len(traced))
        return traced

    def note(self, event: Event) -> None:
        """Take note of an event without a change: a start, or a paste whose edit follows."""
        if isinstance(event, Start):
            self._is_of_snapshots = event.agent == AGENT
        if isinstance(event, Paste | Drop):
            self._pasted = event

    def _trace(self, event: Event, change: Change, text: bytearray, codes: Codes) -> Codes:
        size = len(change.inserted) // 2
        kind = event.input if isinstance(event, Edit) else ""
        if kind in ("historyUndo", "historyRedo"):
            if (before := self._removed.get(change.inserted)) is not None:
                return before[:]
            return _codes(OWN if size >= PHRASE else TYPED, size)
        inserted = decoded(change.inserted)
        if kind.startswith("insertFrom") or self._fits(size):
            pasted, self._pasted = self._pasted, None
            return _codes(self._of_paste(inserted, size, pasted, text), size)
        if min(change.deleted, size) >= PHRASE and change.deleted * size <= MOST_COMPARED:
            return self._carried(change, text, codes)
        return _codes(self._unnamed(inserted, size, text), size)

    def _fits(self, size: int) -> bool:
        """Whether the awaited paste is this insertion; one that brought nothing is forgotten."""
        if self._pasted is None or not size:
            return False
        fits = self._pasted.length == size
        if not fits:
            self._pasted = None
        return fits

    def _of_paste(
        self, inserted: str, size: int, pasted: Paste | Drop | None, text: bytearray
    ) -> Provenance:
        """A passage or own text as the log says it, if that has it; else a passage, or foreign."""
        if pasted is not None and pasted.passage is not None:
            if self._passages.holds(pasted.passage, inserted):
                return Provenance("passage", pasted.passage)
        elif (pasted is not None and pasted.source == "own") and (
            size < PHRASE or self._memory.holds(inserted, decoded(text))
        ):
            return OWN
        if size >= PHRASE and (passage := self._passages.verbatim(inserted)) is not None:
            return Provenance("passage", passage)
        if pasted is None and size >= PHRASE and self._memory.holds(inserted, decoded(text)):
            return OWN
        return FOREIGN

    def _unnamed(self, inserted: str, size: int, text: bytearray) -> Provenance:
        """Where the log does not say it the texts do.

        What stands in a passage is from there; what is short enough is typed; the rest is own
        earlier text, nearly verbatim from a passage, or foreign.
        """
        if size >= PHRASE and (passage := self._passages.verbatim(inserted)) is not None:
            return Provenance("passage", passage)
        if size <= LONG:
            return TYPED
        if self._memory.holds(inserted, decoded(text)):
            return OWN
        found, passage = self._passages.nearest(inserted)
        if found >= NEAR:
            return Provenance("passage", passage)
        return FOREIGN if self._unseen is None else Provenance("at once", seq=self._unseen)

    def _carried(self, change: Change, text: bytearray, codes: Codes) -> Codes:
        """Of a stretch that was replaced by a similar one, what stayed keeps its provenance."""
        old = _words(decoded(text[2 * change.at : 2 * (change.at + change.deleted)]))
        new = _words(decoded(change.inserted))
        if not self._memory.may_look_at(2 * _effort(old, new)):
            inserted = decoded(change.inserted)
            return _codes(self._unnamed(inserted, units(inserted), text), units(inserted))
        starts = list(accumulate(map(units, old), initial=change.at))
        traced: Codes = array("i")
        done = 0
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            size = sum(map(units, new[block.b : block.b + block.size]))
            if size < PHRASE and block.size:
                continue
            if between := "".join(new[done : block.b]):
                traced += _codes(self._unnamed(between, units(between), text), units(between))
            traced += codes[starts[block.a] : starts[block.a] + size]
            done = block.b + block.size
        return traced


def _effort(old: Sequence[str], new: Sequence[str]) -> int:
    """What comparing takes at most: equal words, as often as there can be blocks of them."""
    there = Counter(new)
    return sum(there[word] for word in old) * min(len(old), len(new))


def _words(text: str) -> list[str]:
    """The text cut behind every white space."""
    return re.findall(r"\s+|\S+\s*", text)


def _codes(provenance: Provenance, size: int) -> Codes:
    return array("i", [code_of(provenance)]) * size


def code_of(provenance: Provenance) -> int:
    if provenance.seq is not None:
        return _AT_ONCE - provenance.seq
    code = _CODES.get(provenance)
    return provenance.passage or 0 if code is None else code


def provenance_of(code: int) -> Provenance:
    if code <= _AT_ONCE:
        return Provenance("at once", seq=_AT_ONCE - code)
    return _BY_CODE.get(code) or Provenance("passage", code)
