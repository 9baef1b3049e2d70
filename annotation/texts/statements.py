"""The statements of a text: what stands before a run of bracketed citations, and what it cites.

Gienapp et al., SIGIR 2025: a statement is the text up to a run of citations, such as `[0, 2]` or
`[1][3]`. What follows the last run is a statement without citations. Pure.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from annotation.texts.citations import Marks, marks_in

# `... as a rule [3]. Next`: the marks that close the sentence belong to what was said before.
_CLOSING = re.compile(r"""([.,;:!?'"”’»)]*)\s*""")


@dataclass(frozen=True)
class Statement:
    """A statement in the text[start:end] of a response.

    text: its words without the citations. cited: the numbers in the order of the text, repeated
    where the text repeats them; they count from 0, and may point to no passage.
    """

    text: str
    cited: tuple[int, ...]
    start: int
    end: int


def statements(text: str, marks: Marks | None = None) -> list[Statement]:
    """Split a text into its statements, which follow one another without a gap.

    marks: those stored beside the text; None for a text of our editor. A text of white space has
    no statement; the pieces of every other one put together are the text.
    """
    pieces = []
    start = 0
    for first, last, cited in _runs(text, marks_in(text, marks)):
        closing = _CLOSING.match(text, last)
        signs, end = (closing[1], closing.end()) if closing else ("", last)
        words = _closed(text[start:first].strip(), signs)
        pieces.append(Statement(words, tuple(cited), start, end))
        start = end
    if text[start:].strip():
        pieces.append(Statement(text[start:].strip(), (), start, len(text)))
    return pieces


def _runs(text: str, marks: Marks) -> Iterator[tuple[int, int, list[int]]]:
    """Yield start, end and places of marks between which stands nothing but white space."""
    run: tuple[int, int, list[int]] | None = None
    for start, end, *places in marks:
        if run and not text[run[1] : start].strip():
            run = (run[0], end, [*run[2], *places])
            continue
        if run:
            yield run
        run = (start, end, places)
    if run:
        yield run


def without_citations(text: str, marks: Marks | None = None) -> str:
    """Return the text without its citations and the blanks before them."""
    kept, last = [], 0
    for start, end, *_ in marks_in(text, marks):
        kept.append(text[last:start].rstrip())
        last = end
    return "".join([*kept, text[last:]]).strip()


def _closed(words: str, marks: str) -> str:
    """Append the marks that followed the citations, unless the words already end with them."""
    return words if not words or words.endswith(marks) else words + marks
