"""Agreement of one rater with the others who judged the same items.

The estimate is the share of the others' votes, on the same questions of the same items, that equal
this rater's. Votes on one item are no independent draws, so the interval takes items as the units
(clustered_share.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.agreement.clustered_share import clustered_share
from analysis.stats.errors import CannotCompute

LEAST_ITEMS = 5
LEAST_RATERS = 10  # before one can be far from the middle of them
FIFTH = 1.645  # standard deviations that 5 % of a normal distribution lie below its middle


class TooFewShared(CannotCompute):
    """A rater shares too few items with others for an agreement."""

    def __init__(self, items: int) -> None:
        super().__init__(
            "too_few_shared_items",
            f"{items} items shared with other raters, at least {LEAST_ITEMS} needed",
        )


@dataclass(frozen=True)
class RaterAgreement:
    """Agreement with `votes` votes of others on `items` items, with its interval."""

    value: float
    low: float
    high: float
    items: int
    votes: int
    confidence: float = 0.95


def agreement_with_others(
    shared: Mapping[int, tuple[int, int]], *, confidence: float = 0.95
) -> RaterAgreement:
    """Return the agreement from `shared`: item -> (equal votes of others, all votes of others).

    Raises TooFewShared.
    """
    pairs = np.array([pair for pair in shared.values() if pair[1]], dtype=float).reshape(-1, 2)
    same, votes = pairs[:, 0], pairs[:, 1]
    K = len(pairs)
    if K < LEAST_ITEMS:
        raise TooFewShared(K)
    value, low, high = clustered_share(same, votes, confidence=confidence)
    return RaterAgreement(
        value=value,
        low=low,
        high=high,
        items=K,
        votes=int(votes.sum()),
        confidence=confidence,
    )


def lower_limit(agreements: Sequence[float]) -> float | None:
    """Return the agreement that 5 % of honest raters fall short of; None with too few raters.

    Items and skill differ between honest raters, so half of them lie below the median. Their spread
    is that of the upper half, which careless raters are not in.
    """
    if len(agreements) < LEAST_RATERS:
        return None
    values = np.array(agreements)
    middle = np.median(values)
    above = values[values >= middle] - middle
    return float(middle - FIFTH * np.sqrt((above**2).mean()))
