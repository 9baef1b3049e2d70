"""What a word is: whatever stands between white space, citations and signs included. Pure.

One definition for the writer's page (static/js/writing-words.js), the reviewer's and the exports,
and the one of the published tables (Gienapp et al., SIGIR 2025).
"""


def count_words(text: str) -> int:
    """How many words a text has."""
    return len(text.split())
