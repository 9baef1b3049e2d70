"""ROUGE-L: the longest common subsequence of two texts (Lin 2004), and Porter's stems for it."""

import re
from functools import lru_cache

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("porter")
_TOKEN = re.compile(r"[a-z0-9]+")


def rouge_tokens(text: str, *, stems: bool = True) -> list[str]:
    """Return lower-case words of ASCII letters and digits, stemmed if longer than three letters.

    These are the tokens of rouge-score 0.1.2, but for a few stems: it takes NLTK's variant of
    Porter's rules.
    """
    words = _TOKEN.findall(text.lower())
    return [_stem(word) if len(word) > 3 else word for word in words] if stems else words


def rouge_l(one: list[str], other: list[str]) -> float:
    """Return the F1 of ROUGE-L of two lists of tokens, 0..1, symmetric."""
    length = longest_common_subsequence(one, other)
    return 2 * length / (len(one) + len(other)) if length else 0.0


def longest_common_subsequence(one: list[str], other: list[str]) -> int:
    """Return its length by one long addition a token (Hyyrö 2004, Bit-parallel LCS)."""
    places: dict[str, int] = {}
    for place, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << place
    everywhere = (1 << len(one)) - 1
    row = everywhere
    for token in other:
        met = row & places.get(token, 0)
        row = ((row + met) | (row - met)) & everywhere
    return len(one) - row.bit_count()


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))
