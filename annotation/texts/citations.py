"""Citations of passages in a text. Pure.

Marks are stored beside an imported text (`Response.marks`), which stays as it came; citation_marks
reads them. Texts of our own editor have no stored marks: there `[0]`, `[2, 5]` and `[1][3]` name
passages by their place from 0, and only whole numbers between commas do: `[Winter, 1997]`, `[...]`,
`[3.4]` and `[5,]` are words of the text.
"""

import re
from collections.abc import Sequence

# ASCII digits, nine at most: what is longer is an identifier in brackets, not a rank.
_NUMBER = r"[0-9]{1,9}"
CITATION = re.compile(rf"\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)\s*\]")


# Marks in the order of a text, each [start, end, place, ...]: text[start:end] cites the passages at
# these places of the topic's pool, from 0.
Marks = Sequence[Sequence[int]]


def written_marks(text: str) -> list[list[int]]:
    """Return the marks of a text that was written in our editor."""
    return [
        [match.start(), match.end(), *map(int, match[1].split(","))]
        for match in CITATION.finditer(text)
    ]


def marks_in(text: str, marks: Marks | None) -> Marks:
    """Return the stored marks of a text, or those that our editor has written."""
    return written_marks(text) if marks is None else marks


def cited_places(text: str, marks: Marks | None = None) -> list[int]:
    """Return the cited places in the order of the text, repeated where the text repeats them."""
    return [place for _, _, *places in marks_in(text, marks) for place in places]
