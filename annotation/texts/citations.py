"""Where a text cites its passages: `[0]`, `[2, 5]`, `[1][3]`; the numbers count from 0.

Pure: what a number points to is for the caller to know. Only whole numbers between commas are a
citation: `[Winter, 1997]`, `[...]`, `[3.4]` and `[5,]` are words of the text.
"""

import re

# ASCII digits, nine at most: what is longer is an identifier in brackets, not a rank.
_NUMBER = r"[0-9]{1,9}"
CITATION = re.compile(rf"\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)\s*\]")


def cited_numbers(text: str) -> list[int]:
    """Return the cited numbers in the order of the text, repeated where the text repeats them."""
    return [int(number) for match in CITATION.finditer(text) for number in match[1].split(",")]
