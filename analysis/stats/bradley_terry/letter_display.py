"""Compact letter display of which responses differ.

Piepho (2004), An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons: start
with one letter for all; for every pair that differs, split each letter that both have into one
without the first and one without the second (insert), and drop a letter whose bearers all share
another one (absorb). Two responses share a letter if and only if they do not differ.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats
from analysis.stats.bradley_terry.merit_intervals import MeritIntervals
from analysis.stats.design_checks import check_comparisons
from analysis.stats.errors import BadSetting, CannotCompute

Correction = Literal["benjamini-hochberg", "none"]
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, eq=False, kw_only=True)
class LetterGroups:
    """Letters for the n responses of a problem, best first; without a common letter they differ.

    frame: response, merit, low, high, letters. first, second, ahead, p, different (Q,): the pairs,
    as responses; ahead: the share of draws in which first is ahead; p is two-sided and, with a
    correction, adjusted over the Q pairs of this problem, the family.
    """

    problem: Hashable
    frame: pd.DataFrame
    first: Sequence[Hashable]
    second: Sequence[Hashable]
    ahead: Floats
    p: Floats
    different: Flags
    alpha: float
    correction: Correction
    family: int
    draws: int
    seed: int


def letter_groups(
    intervals: MeritIntervals,
    problem: Hashable,
    *,
    alpha: float = 0.05,
    correction: Correction = "benjamini-hochberg",
) -> LetterGroups:
    """Return the letters of one problem, from how often each response leads in the bootstrap.

    p = 2 (1 + draws behind) / (1 + draws), at most 1 (Davison and Hinkley 1997, 4.2.3), adjusted
    over all pairs of the problem. Raises CannotCompute (unknown_problem, too_few_draws;
    not_connected where comparisons are few or fall into parts, design_checks.py), BadSetting.
    """
    if not 0 < alpha < 1:
        raise BadSetting("alpha", alpha, "between 0 and 1")
    if correction not in get_args(Correction):
        raise BadSetting("correction", correction, "benjamini-hochberg or none")
    if 2 / (intervals.draws + 1) > alpha:
        raise CannotCompute(
            "too_few_draws",
            f"Letters cannot be computed because {intervals.draws} bootstrap draws give no "
            f"p-value below {2 / (intervals.draws + 1):.3g}, and alpha is {alpha:.3g}.",
        )
    comparisons = intervals.result.comparisons
    if problem not in comparisons.problems:
        raise CannotCompute(
            "unknown_problem",
            f"Letters cannot be computed because the problem {problem!r} has no merits here.",
        )
    index = list(comparisons.problems).index(problem)
    if why := check_comparisons(comparisons)["why"].iloc[index]:
        raise CannotCompute("not_connected", f"Letters cannot be computed. {why}")
    entries = np.flatnonzero(comparisons.entry_problem == index)
    entries = entries[np.argsort(-intervals.result.merits[entries], kind="stable")]
    names = [comparisons.responses[k] for k in entries.tolist()]
    pair = np.isin(intervals.first, entries)
    first, second, ahead = intervals.first[pair], intervals.second[pair], intervals.ahead[pair]
    behind = np.minimum(ahead, 1 - ahead) * intervals.draws
    p = np.minimum(2 * (1 + behind) / (1 + intervals.draws), 1.0)
    if correction == "benjamini-hochberg":
        p = scipy.stats.false_discovery_control(p)
    different = p <= alpha
    place = {entry: k for k, entry in enumerate(entries.tolist())}
    apart = np.zeros((len(names), len(names)), dtype=bool)
    for i, j in zip(first[different].tolist(), second[different].tolist(), strict=True):
        apart[place[i], place[j]] = apart[place[j], place[i]] = True
    frame = pd.DataFrame(
        {
            "response": names,
            "merit": intervals.result.merits[entries],
            "low": intervals.merit_low[entries],
            "high": intervals.merit_high[entries],
            "letters": compact_letters(apart),
        }
    )
    return LetterGroups(
        problem=problem,
        frame=frame,
        first=tuple(comparisons.responses[k] for k in first.tolist()),
        second=tuple(comparisons.responses[k] for k in second.tolist()),
        ahead=ahead,
        p=p,
        different=different,
        alpha=alpha,
        correction=correction,
        family=len(p),
        draws=intervals.draws,
        seed=intervals.seed,
    )


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
