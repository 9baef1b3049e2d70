"""Where a piece of text came from: a passage, the writer's own earlier text, or elsewhere.

Pure. Texts are compared with white space collapsed and without the marks around them (bullets,
quotes, brackets, full stops): what is taken from a passage is rarely taken at its exact edges.
"""

import re
from collections import deque
from collections.abc import Sequence
from typing import Literal, NamedTuple

LONG = 80  # characters; more at once is typed by nobody between two records
PHRASE = 20  # characters; fewer that also stand in a passage may be chance
REMEMBERED = 50  # earlier states of a text in which an own piece is looked for

Kind = Literal["typed", "passage", "own", "foreign"]

_EDGES = " .,;:!?-–—*•·[]()\"'“”‘’"


class Origin(NamedTuple):
    kind: Kind
    passage: int | None = None  # from 0, as citations count

    def __str__(self) -> str:
        return self.kind if self.passage is None else f"{self.kind} {self.passage}"


TYPED, OWN, FOREIGN = Origin("typed"), Origin("own"), Origin("foreign")


def plain(text: str) -> str:
    """The text with white space collapsed and without marks at its ends."""
    return " ".join(text.split()).strip(_EDGES)


def grams(text: str, n: int = 5) -> set[tuple[str, ...]]:
    """The runs of `n` words, in lower case; a shorter text is one run."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + n]) for i in range(max(1, len(words) - n + 1))} if words else set()


class Passages:
    """The passages that a writer had, to be asked whether a text comes from one of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [" ".join(text.split()) for text in texts]
        self._grams: list[set[tuple[str, ...]]] | None = None

    def verbatim(self, text: str) -> int | None:
        """The number of the first passage that holds the text."""
        wanted = plain(text)
        if not wanted:
            return None
        return next((n for n, passage in enumerate(self._texts) if wanted in passage), None)

    def overlap(self, text: str) -> tuple[float, int | None]:
        """The largest share of the text's 5-grams that one passage has, and which passage."""
        wanted = grams(text)
        shares = [len(wanted & own) / len(wanted) for own in self.grams()] if wanted else []
        best = max(shares, default=0.0)
        return best, shares.index(best) if best else None

    def grams(self) -> list[set[tuple[str, ...]]]:
        if self._grams is None:
            self._grams = [grams(text) for text in self._texts]
        return self._grams


class Memory:
    """What a text was before its larger deletions: where an own earlier piece is found again."""

    def __init__(self) -> None:
        self._states: deque[str] = deque(maxlen=REMEMBERED)

    def keep(self, text: str) -> None:
        self._states.append(" ".join(text.split()))

    def holds(self, piece: str, now: str) -> bool:
        """Whether the piece stands in the text as it is now or was before."""
        wanted = plain(piece)
        return bool(wanted) and any(
            wanted in state for state in (" ".join(now.split()), *reversed(self._states))
        )
