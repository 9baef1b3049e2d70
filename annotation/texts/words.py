"""Words: definition and count. Pure.

A word, as people count them, stands between white space and has a letter or a digit: marks of
citations and signs that stand free are none. So count the writer's page
(static/js/writing-words.js, held to this by tests), the range of a brief, review and lists.

The published tables (Gienapp et al., SIGIR 2025) count whatever stands between white space, and so
do the measures of prose that reproduce them.
"""

import re

from annotation.texts.citations import Marks, marks_in

# The first letter or digit of a piece, with the signs before it.
LETTER_OR_DIGIT = re.compile(r"(?<!\S)(?:[^\w\s]|_)*[^\W_]")


def count_words(text: str, marks: Marks | None = None) -> int:
    """Return the number of words. marks: those stored beside the text, None for our editor."""
    pieces, last = [], 0
    for start, end, *_ in marks_in(text, marks):
        pieces.append(text[last:start])
        last = end
    return len(LETTER_OR_DIGIT.findall(" ".join([*pieces, text[last:]])))


def count_pieces(text: str, marks: Marks | None = None) -> int:
    """Return the number of pieces between white space; `marks` and signs count, too."""
    return len(text.split())
