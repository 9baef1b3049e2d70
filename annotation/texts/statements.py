"""The statements of a text: what stands before a run of bracketed citations, and what it cites.

Gienapp et al., SIGIR 2025: a statement is the text up to a run of citations, such as `[0, 2]` or
`[1][3]`. What follows the last run is a statement without citations. Pure.
"""

import re
from dataclasses import dataclass

from annotation.texts.citations import CITATION, cited_numbers

_RUN = re.compile(rf"{CITATION.pattern}(?:\s*{CITATION.pattern})*")
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


def statements(text: str) -> list[Statement]:
    """Split a text into its statements, which follow one another without a gap.

    A text of white space has none; the pieces of every other one put together are the text.
    """
    pieces = []
    start = 0
    for run in _RUN.finditer(text):
        closing = _CLOSING.match(text, run.end())
        marks, end = (closing[1], closing.end()) if closing else ("", run.end())
        words = _closed(text[start : run.start()].strip(), marks)
        pieces.append(Statement(words, tuple(cited_numbers(run[0])), start, end))
        start = end
    if text[start:].strip():
        pieces.append(Statement(text[start:].strip(), (), start, len(text)))
    return pieces


def without_citations(text: str) -> str:
    """Return the text without its citations and the blanks before them."""
    return re.sub(rf"\s*{CITATION.pattern}", "", text).strip()


def _closed(words: str, marks: str) -> str:
    """Append the marks that followed the citations, unless the words already end with them."""
    return words if not words or words.endswith(marks) else words + marks
