"""Origin of a piece of text: a passage, the writer's own earlier text, or elsewhere.

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

from writing.log.eventlog import (
    Copy,
    Cut,
    Drop,
    Edit,
    Event,
    Paste,
    Select,
    Snapshot,
    Start,
    units,
)
from writing.log.snapshots import AGENT, TextChange, decoded, encoded

LONG = 80  # characters; more at once is typed by nobody between two records
PHRASE = 20  # characters; fewer that also stand in a passage may be chance
NEAR = 0.8  # share of a text's 5-grams that make it nearly that of a passage (analysis.md)
REMEMBERED = 2_000  # earlier states of a text in which an own piece is looked for
MOST_REMEMBERED = 8_000_000  # units of all of them: of a long text fewer states are kept
MOST_COMPARED = 20_000_000  # units times units: a larger replacement is not looked into
MOST_LOOKED_AT = 4_000_000_000  # units of earlier text in a whole log; some seconds of work

COPIES = 20  # of the own text that are remembered, as the page does
MOST_COPIED = 400_000  # units of all of them
CONVERTED = 2  # units that an input method makes of one that was typed, at most

Kind = Literal["typed", "passage", "own", "foreign", "no paste", "at once"]
Via = Literal["", "paste", "move"]
Grams = set[tuple[str, ...]]
Codes: TypeAlias = "array[int]"

# Spaces in place of the ASCII characters that are in no word: a fast way to split at them.
_SPACED = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}
_EDGES = " .,;:!?-–—*•·[]()\"'“”‘’"


class Provenance(NamedTuple):
    kind: Kind
    passage: int | None = None  # from 0, as citations count
    seq: int | None = None  # of what appeared at once between two snapshots: the event it came with

    def __str__(self) -> str:
        return self.kind if self.passage is None else f"{self.kind} {self.passage}"


TYPED, OWN, FOREIGN = Provenance("typed"), Provenance("own"), Provenance("foreign")
NO_PASTE = Provenance("no paste")  # more at once than a key brings: dictation, a suggestion
_CODES = {TYPED: -1, OWN: -2, FOREIGN: -3, NO_PASTE: -4}
_AT_ONCE = -1_000  # and below: the number of the event is taken off
_TYPED = array("i", [_CODES[TYPED]])
_BY_CODE = {code: provenance for provenance, code in _CODES.items()}


def grams(text: str, n: int = 5) -> Grams:
    """Return the runs of `n` lower-case words; a shorter text is one run, an empty text none."""
    text = text.lower()
    words = text.translate(_SPACED).split() if text.isascii() else re.findall(r"\w+", text)
    if len(words) <= n:
        return {tuple(words)} if words else set()
    return set(zip(*(words[first:] for first in range(n)), strict=False))


def share(wanted: Grams, there: Grams) -> float:
    """Return the share of the wanted n-grams that is there."""
    return len(wanted & there) / len(wanted) if wanted else 0.0


class Passages:
    """The passages that a writer had, to be asked whether a text comes from one of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [" ".join(text.split()) for text in texts]
        self._joined = "\n".join(self._texts)  # no text across two of them is looked for
        self._grams: list[Grams] | None = None

    def verbatim(self, text: str) -> int | None:
        """Return the number of the first passage that contains the text."""
        wanted = " ".join(text.split()).strip(_EDGES)
        at = self._joined.find(wanted) if wanted else -1
        return self._joined.count("\n", 0, at) if at >= 0 else None

    def holds(self, number: int, text: str) -> bool:
        """Return whether this passage has the text, or 80 % of its 5-grams."""
        if not self._texts:
            return True
        wanted = " ".join(text.split()).strip(_EDGES)
        if number >= len(self._texts) or not wanted:
            return not wanted
        if wanted.lower() in self._texts[number].lower():
            return True
        return share(grams(wanted), self._by_passage()[number]) >= NEAR

    def nearest(self, wanted: Grams) -> tuple[float, int | None]:
        """Return the largest share of a text's 5-grams in one passage, and its number."""
        sizes = [len(wanted & own) for own in self._by_passage()]
        most = max(sizes, default=0)
        return (most / len(wanted), sizes.index(most)) if most else (0.0, None)

    def share_of(self, wanted: Grams) -> float:
        """Return the share of a text's 5-grams in all passages together."""
        return share(wanted, set().union(*(wanted & own for own in self._by_passage())))

    def _by_passage(self) -> list[Grams]:
        if self._grams is None:
            self._grams = [grams(text) for text in self._texts]
        return self._grams


class Memory:
    """Earlier states of a text, in which an own earlier piece is found again.

    Kept is the state before each run of deletions, or of insertions in the middle: enough for
    whatever stood there for a while. How much is kept, and looked at in a whole log, has a limit,
    so that no log can ask for more memory and time than there is.
    """

    def __init__(self) -> None:
        self._states: deque[str] = deque()
        self._new: deque[bytes] = deque()  # states after these, decoded once they are looked at
        self._size = 0  # units of all states
        self._left = MOST_LOOKED_AT
        self._deletes, self._place = False, -1  # what would go on with the run, and where

    def before(self, text: bytes | bytearray, at: int, deleted: int, inserted: int) -> None:
        """Take note of a change before it is made; positions and lengths in UTF-16 units."""
        deletes, is_append = deleted > 0, not deleted and 2 * at == len(text)
        if text and not is_append:
            goes_on = self._deletes == deletes and self._place in (at, at + deleted)
            if not goes_on or (deleted and inserted):
                self._keep(bytes(text))
        self._deletes, self._place = deletes, at + inserted

    def _keep(self, state: bytes) -> None:
        self._new.append(state)
        self._size += len(state) // 2
        while len(self._states) + len(self._new) > REMEMBERED or self._size > MOST_REMEMBERED:
            if self._states:
                self._size -= units(self._states.popleft())
            else:
                self._size -= len(self._new.popleft()) // 2

    def may_look_at(self, size: int) -> bool:
        """Return whether that many more units may be looked at in this log."""
        self._left -= size
        return self._left >= 0

    def holds(self, piece: str, now: str) -> bool:
        """Return whether the piece stands in the text as it is now or was before.

        No more is found once too much has been looked at.
        """
        wanted = piece.strip()
        if not self.may_look_at(len(now) + self._size):
            return False
        self._states.extend(map(decoded, self._new))
        self._new.clear()
        return bool(wanted) and (
            wanted in now or any(wanted in state for state in reversed(self._states))
        )


class CopiedPieces:
    """Pieces of the own text that were cut or copied, with the origin of every unit."""

    def __init__(self) -> None:
        self._copies: deque[tuple[bytes, Codes]] = deque(maxlen=COPIES)
        self._selected = (0, 0)

    def select(self, start: int, end: int) -> None:
        self._selected = (start, end)

    def keep_selected(self, length: int, text: bytearray, codes: Codes) -> None:
        """Keep what is selected, if it is as long as the log says."""
        start, end = self._selected
        if end - start == length:
            self.keep(start, length, text, codes)

    def keep(self, at: int, length: int, text: bytearray, codes: Codes) -> None:
        if not 0 < length <= MOST_COPIED or at + length > len(codes):
            return
        piece = bytes(text[2 * at : 2 * (at + length)]), codes[at : at + length]
        self._copies.appendleft(piece)
        while sum(len(copied) for _, copied in self._copies) > MOST_COPIED:
            self._copies.pop()

    def origin(self, piece: bytes) -> "Codes | None":
        return next((codes[:] for copied, codes in self._copies if copied == piece), None)


class Tracker:
    """Follows a log and finds for every change where each inserted unit comes from.

    Answers are arrays with one number a unit: that of a passage, or below zero another
    provenance (`provenance_of`). `via` tells of the last change whether it was a paste or a move.
    """

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._memory = Memory()
        self._copies = CopiedPieces()
        self._pasted: Paste | Drop | None = None  # its edit follows
        self._removed: dict[bytes, Codes] = {}  # what undo may bring back
        self.of_snapshots = False
        self.via: Via = ""
        self._unseen: int | None = None  # the event, if nobody saw how its text came about

    def trace(self, event: Event, change: TextChange, text: bytearray, codes: Codes) -> Codes:
        """Return the provenance of inserted units; `codes` are those of the text."""
        at, deleted, inserted = change
        kind = event.input if type(event) is Edit else ""
        is_unseen = self.of_snapshots or type(event) is Snapshot
        self._unseen = event.seq if is_unseen else None
        self.via = ""
        if is_unseen and len(inserted) < 2 * PHRASE and not kind and self._pasted is None:
            traced = _TYPED * (len(inserted) // 2)  # as `_unnamed` has it: nearly all
        else:
            traced = self._trace(kind, change, text, codes)
        if deleted > 1:
            end = at + deleted
            self._removed[bytes(text[2 * at : 2 * end])] = codes[at:end]
        size = len(traced)
        self._memory.before(text, at, deleted, size)
        self._copies.select(at + size, at + size)
        return traced

    def note(self, event: Event, text: bytearray, codes: Codes) -> None:
        """Take note of an event without a change: a start, a copy, a paste whose edit follows."""
        if isinstance(event, Start):
            self.of_snapshots = event.agent == AGENT
        elif isinstance(event, Select):
            self._copies.select(event.start, event.end)
        elif isinstance(event, Cut):
            self._copies.keep(event.at, event.length, text, codes)
        elif isinstance(event, Copy) and event.source == "own":
            self._copies.keep_selected(event.length, text, codes)
        elif isinstance(event, Paste | Drop):
            self._pasted = event

    def _trace(self, kind: str, change: TextChange, text: bytearray, codes: Codes) -> Codes:
        size = len(change.inserted) // 2
        if kind in ("historyUndo", "historyRedo"):
            if (before := self._removed.get(change.inserted)) is not None:
                return before[:]
            return _codes(OWN if size >= PHRASE else TYPED, size)
        if "Composition" in kind and self._converts(change, codes):
            return _codes(TYPED, size)
        if (kind.startswith("insertFrom") and "Composition" not in kind) or self._fits(size):
            pasted, self._pasted = self._pasted, None
            return self._of_paste(change, pasted, text, codes)
        if min(change.deleted, size) >= PHRASE and change.deleted * size <= MOST_COMPARED:
            return self._carried(change, text, codes)
        return self._unnamed(change.inserted, text, codes, corrects=change.deleted > 0)

    def _converts(self, change: TextChange, codes: Codes) -> bool:
        """Return whether an input method replaces letters that were typed."""
        replaced = codes[change.at : change.at + change.deleted]
        size = len(change.inserted) // 2
        typed = _CODES[TYPED]
        return 0 < size <= CONVERTED * change.deleted and replaced.count(typed) == len(replaced)

    def _fits(self, size: int) -> bool:
        """Return whether the awaited paste is this insertion; an empty paste is dropped."""
        if self._pasted is None or not size:
            return False
        fits = self._pasted.length == size
        if not fits:
            self._pasted = None
        return fits

    def _of_paste(
        self, change: TextChange, pasted: Paste | Drop | None, text: bytearray, codes: Codes
    ) -> Codes:
        """Return the origin of pasted units: a logged passage if it matches, own text, or foreign.

        Text that was cut and pasted after a reload is own text, although the page cannot know it.
        """
        piece, inserted, size = change.inserted, decoded(change.inserted), len(change.inserted) // 2
        named_own = pasted is not None and pasted.source == "own"
        self.via = "paste"
        if pasted is not None and pasted.passage is not None:
            if self._passages.holds(pasted.passage, inserted):
                return _codes(Provenance("passage", pasted.passage), size)
        elif named_own or size >= PHRASE:
            if (moved := self._moved(piece, text, codes, anywhere=named_own)) is not None:
                self.via = "move"
                return moved
            if named_own and (size < PHRASE or self._memory.holds(inserted, decoded(text))):
                self.via = "move"
                return _codes(OWN, size)
        if size >= PHRASE and (passage := self._passages.verbatim(inserted)) is not None:
            return _codes(Provenance("passage", passage), size)
        if pasted is None and size >= PHRASE and self._memory.holds(inserted, decoded(text)):
            self.via = "move"
            return _codes(OWN, size)
        return _codes(FOREIGN, size)

    def _moved(
        self, piece: bytes, text: bytearray, codes: Codes, *, anywhere: bool
    ) -> "Codes | None":
        """Return the origin of a moved piece of own text: copied, cut, or still there."""
        origin = self._copies.origin(piece)
        if origin is None and (removed := self._removed.get(piece)) is not None:
            origin = removed[:]
        if origin is None and anywhere and self._memory.may_look_at(len(codes)):
            at = text.find(piece)
            while at > 0 and at % 2:  # between two units
                at = text.find(piece, at + 1)
            origin = codes[at // 2 : at // 2 + len(piece) // 2] if at >= 0 and piece else None
        return origin

    def _unnamed(
        self, piece: bytes, text: bytearray, codes: Codes, *, corrects: bool = False
    ) -> Codes:
        """Derive the origin from the texts where the log does not name it.

        What stands in a passage is from there; what is short enough is typed; the rest is own
        earlier text, nearly verbatim from a passage, or came without a paste. Between two
        snapshots nobody saw how.
        """
        size = len(piece) // 2
        recorded = self._unseen is None
        if size < PHRASE and (corrects or not recorded):
            return _codes(TYPED, size)
        inserted = decoded(piece)
        if size >= PHRASE and (passage := self._passages.verbatim(inserted)) is not None:
            return _codes(Provenance("passage", passage), size)
        words = len(inserted.split())
        if size <= (PHRASE if recorded else LONG) and (words < 2 or corrects or not recorded):
            return _codes(TYPED, size)
        if size >= PHRASE and (origin := self._known(piece, text, codes)) is not None:
            return origin
        if self._unseen is None:
            return _codes(NO_PASTE, size)
        return _codes(Provenance("at once", seq=self._unseen), size)

    def _known(self, piece: bytes, text: bytearray, codes: Codes) -> "Codes | None":
        """Return the origin of a long piece that is own text, or close to a passage."""
        inserted, size = decoded(piece), len(piece) // 2
        if self._unseen is None:
            moved = self._moved(piece, text, codes, anywhere=True)
            if moved is not None:
                return moved
        if self._memory.holds(inserted, decoded(text)):
            return _codes(OWN, size)
        overlap, passage = self._passages.nearest(grams(inserted))
        return _codes(Provenance("passage", passage), size) if overlap >= NEAR else None

    def _carried(self, change: TextChange, text: bytearray, codes: Codes) -> Codes:
        """Carry the origins of unchanged parts over to the similar text that replaced them."""
        old = _words(decoded(text[2 * change.at : 2 * (change.at + change.deleted)]))
        new = _words(decoded(change.inserted))
        if not self._memory.may_look_at(2 * _effort(old, new)):
            return self._unnamed(change.inserted, text, codes, corrects=True)
        starts = list(accumulate(map(units, old), initial=change.at))
        traced: Codes = array("i")
        done = 0
        for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            size = sum(map(units, new[block.b : block.b + block.size]))
            if size < PHRASE and block.size:
                continue
            if between := "".join(new[done : block.b]):
                traced += self._unnamed(encoded(between), text, codes, corrects=True)
            traced += codes[starts[block.a] : starts[block.a] + size]
            done = block.b + block.size
        return traced


def _effort(old: Sequence[str], new: Sequence[str]) -> int:
    """Return an upper bound of the cost of a comparison."""
    counts = Counter(new)
    return sum(counts[word] for word in old) * min(len(old), len(new))


def _words(text: str) -> list[str]:
    """Split the text after each white space."""
    return re.findall(r"\s+|\S+\s*", text)


def _codes(provenance: Provenance, size: int) -> Codes:
    return (_TYPED if provenance is TYPED else array("i", [code_of(provenance)])) * size


def code_of(provenance: Provenance) -> int:
    if provenance.seq is not None:
        return _AT_ONCE - provenance.seq
    code = _CODES.get(provenance)
    return provenance.passage or 0 if code is None else code


def provenance_of(code: int) -> Provenance:
    if code <= _AT_ONCE:
        return Provenance("at once", seq=_AT_ONCE - code)
    return _BY_CODE.get(code) or Provenance("passage", code)
