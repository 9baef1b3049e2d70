"""Marked spans: where the text that a person selected on a page is in its source. Pure."""

import re

WORD = re.compile(r"\w+")
MOST_WORDS = 200
BETWEEN = r"[^\w]{1,200}?"  # white space, punctuation and markup between two words


def span_of(source: str, selected: str) -> tuple[int, int] | None:
    """Return start and end of the first place with the selected words, None if there is none.

    A page shows a text without its markup, so only words have to match.
    """
    selected = selected.strip()
    start = source.find(selected)
    if selected and start >= 0:
        return start, start + len(selected)
    words = WORD.findall(selected)
    if not words or len(words) > MOST_WORDS:
        return None
    place = re.search(BETWEEN.join(map(re.escape, words)), source)
    return place.span() if place else None
