"""Change of a share when its units are graded again on a sample. Pure: no Django.

The numbers of units that gain and lose are hypergeometric, given a simple random sample without
replacement. Their exact bounds give an interval that covers at least as often as it says; if all
units were sampled, it is the change itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import hypergeom


@dataclass(frozen=True)
class SampledChange:
    """Change of the share of `total` units, estimated from `n`; `low` and `high` are its bounds."""

    n: int
    total: int
    before: float
    after: float
    low: float
    high: float
    confidence: float

    @property
    def change(self) -> float:
        return self.after - self.before


def sampled_change(
    before: Sequence[bool], after: Sequence[bool], total: int, *, confidence: float
) -> SampledChange | None:
    """Return the change of a share from the units of a sample; None if it is empty."""
    n = len(before)
    if not n:
        return None
    alpha = (1 - confidence) / 2  # half for the gains, half for the losses
    gains = sum(new and not old for old, new in zip(before, after, strict=True))
    losses = sum(old and not new for old, new in zip(before, after, strict=True))
    fewest_gains, most_gains = hypergeometric_bounds(gains, n, total, alpha)
    fewest_losses, most_losses = hypergeometric_bounds(losses, n, total, alpha)
    return SampledChange(
        n=n,
        total=total,
        before=sum(before) / n,
        after=sum(after) / n,
        low=(fewest_gains - most_losses) / total,
        high=(most_gains - fewest_losses) / total,
        confidence=confidence,
    )


def hypergeometric_bounds(k: int, n: int, total: int, alpha: float) -> tuple[int, int]:
    """Return the fewest and most marked units of `total` that k of n sampled ones agree with.

    A number is left out if k or a more extreme count has a probability of at most alpha / 2.
    """
    marked = np.arange(k, total - (n - k) + 1)
    at_least = hypergeom.sf(k - 1, total, marked, n)
    at_most = hypergeom.cdf(k, total, marked, n)
    kept = marked[(at_least > alpha / 2) & (at_most > alpha / 2)]
    return int(kept[0]), int(kept[-1])
