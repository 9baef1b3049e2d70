"""How far one rater agrees with the others who judged the same items. Pure.

The estimate is the share of the votes of others, on the same questions of the same items, that say
what this rater says: the rater's own vote is left out. Votes on one item are no independent draws,
so the interval takes items as the units: the modified Wilson interval of Dean and Pagano (Survey
Methodology 41, 2015), which is Wilson's at the effective number of votes of Korn and Graubard
(1998) under a design of clusters.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.errors import CannotCompute

LEAST_ITEMS = 5


class TooFewShared(CannotCompute):
    """Nobody can say how far somebody agrees on so few items."""

    def __init__(self, items: int) -> None:
        super().__init__(
            f"only {items} of its items {'was' if items == 1 else 'were'} judged by somebody "
            f"else; it takes {LEAST_ITEMS}"
        )


@dataclass(frozen=True)
class Agreement:
    """`votes` of others on `items` items; the interval is at `confidence`."""

    value: float
    low: float
    high: float
    items: int
    votes: int
    confidence: float = 0.95


def agreement_with_others(
    shared: Mapping[int, tuple[int, int]], *, confidence: float = 0.95
) -> Agreement:
    """`shared`: item -> how many votes of others say the same, and how many there are.

    Raises TooFewShared.
    """
    pairs = np.array([pair for pair in shared.values() if pair[1]], dtype=float).reshape(-1, 2)
    same, votes = pairs[:, 0], pairs[:, 1]
    K, n = len(pairs), votes.sum()
    if K < LEAST_ITEMS:
        raise TooFewShared(K)
    p = same.sum() / n
    # Linearised variance of a ratio of sums over K clusters.
    variance = K / (K - 1) * ((same - p * votes) ** 2).sum() / n**2
    effective = min(p * (1 - p) / variance, n) if variance > 0 else float(K)
    tail = (1 + confidence) / 2
    z = scipy.stats.norm.ppf(tail)
    effective *= (z / scipy.stats.t.ppf(tail, K - 1)) ** 2
    middle = (p + z**2 / (2 * effective)) / (1 + z**2 / effective)
    half = z * np.sqrt(p * (1 - p) / effective + z**2 / (4 * effective**2))
    half /= 1 + z**2 / effective
    return Agreement(
        value=float(p),
        low=float(max(middle - half, 0)),
        high=float(min(middle + half, 1)),
        items=K,
        votes=int(n),
        confidence=confidence,
    )
