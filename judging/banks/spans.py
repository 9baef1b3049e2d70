"""Location of text selected on a page in its source. Pure."""

import re

WORD = re.compile(r"\w+")
MOST_WORDS = 200
BETWEEN = r"[^\w]{1,200}?"  # white space, punctuation and markup between two words


def span_of(source: str, selected: str) -> tuple[int, int] | None:
    """Return start and end of the first occurrence of the selected words, or None.

    Only words have to match, because a page shows the text without its markup.
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
