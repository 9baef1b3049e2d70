"""Compact letter display of which responses differ.

Piepho (2004), An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons: start
with one letter for all; for every pair that differs, split each letter that both have into one
without the first and one without the second (insert), and drop a letter whose bearers all share
another one (absorb). Two responses share a letter if and only if they do not differ.
"""

from collections.abc import Iterable

import numpy as np

from analysis.stats.arrays import Flags
from analysis.stats.errors import BadSetting

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def compact_letters(different: Flags) -> list[str]:
    """Return letters for n responses, best first, from a symmetric mask (n, n) of who differs.

    The best has the letter a; after z come aa, ab, ..., with spaces between. Raises BadSetting.
    """
    n = len(different)
    if different.shape != (n, n) or (different != different.T).any() or different.diagonal().any():
        raise BadSetting(
            "different", different.shape, "square, symmetric and empty on its diagonal"
        )
    letters = [frozenset(range(n))] if n else []
    for i, j in np.argwhere(np.triu(different)).tolist():
        split = [
            part
            for letter in letters
            for part in ((letter - {i}, letter - {j}) if {i, j} <= letter else (letter,))
        ]
        letters = _absorbed(split)
    letters.sort(key=sorted)
    names = [_name(k) for k in range(len(letters))]
    between = "" if len(letters) <= len(ALPHABET) else " "
    return [
        between.join(name for name, letter in zip(names, letters, strict=True) if k in letter)
        for k in range(n)
    ]


def _absorbed(letters: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Return the letters whose bearers do not all share another one."""
    remaining: list[frozenset[int]] = []
    for letter in sorted(set(letters), key=len, reverse=True):
        if not any(letter <= larger for larger in remaining):
            remaining.append(letter)
    return remaining


def _name(k: int) -> str:
    """Return the name of letter k: a, b, ..., z, aa, ab, ..."""
    name = ""
    k += 1
    while k:
        k, letter = divmod(k - 1, len(ALPHABET))
        name = ALPHABET[letter] + name
    return name
