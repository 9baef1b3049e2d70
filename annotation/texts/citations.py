"""Where a text cites its passages: `[0]`, `[2, 5]`, `[1][3]`; the numbers count from 0.

Pure: what a number points to is for the caller to know. Only whole numbers between commas are a
citation: `[Winter, 1997]`, `[...]`, `[3.4]` and `[5,]` are words of the text.
"""

import re
from collections.abc import Callable, Iterable

# ASCII digits, nine at most: what is longer is an identifier in brackets, not a rank.
_NUMBER = r"[0-9]{1,9}"
CITATION = re.compile(rf"\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)\s*\]")


def lowered(text: str) -> str:
    """Convert citations that count from 1 to citations from 0."""
    return renumbered(text, lambda number: [number - 1])


def renumbered(text: str, becomes: Callable[[int], Iterable[int]]) -> str:
    """Return the text with renumbered citations; a number that maps to nothing is dropped."""

    def mark(match: re.Match[str]) -> str:
        numbers = [
            replacement for number in match[1].split(",") for replacement in becomes(int(number))
        ]
        return f"[{', '.join(map(str, numbers))}]" if numbers else ""

    return CITATION.sub(mark, text)


def cited_numbers(text: str) -> list[int]:
    """Return the cited numbers in the order of the text, repeated where the text repeats them."""
    return [int(number) for match in CITATION.finditer(text) for number in match[1].split(",")]
