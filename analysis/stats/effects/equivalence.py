"""Equivalence of two systems: an interval against a margin.

Schuirmann (1987), two one-sided tests: a difference is within the margin at level alpha if its
interval at confidence 1 - 2 alpha is. Two that share a letter are not thereby equal: the study may
have been too small to tell. In a family of Q pairs equivalence is tested at alpha / Q (Bonferroni),
and a difference by its adjusted p (families.py): either claim holds for all pairs together.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from analysis.stats.errors import BadSetting
from analysis.stats.resampling import check_confidence

Finding = Literal["equivalent", "different", "not known"]


@dataclass(frozen=True, kw_only=True)
class EquivalenceResult:
    """Tests of a difference against 0 and against a margin.

    equivalent: within the margin, by both one-sided tests; different: not 0, by the two-sided test.
    Both may hold: a difference that is surely there and surely small. finding says equivalent then,
    since the margin is what matters. within: the smallest margin that would be met.
    narrow: the interval of the one-sided tests, of all pairs of the family together; low, high: the
    two-sided one of this pair alone. p_equivalent: the larger of the one-sided p, adjusted for the
    family; p_different: two-sided, of this pair alone.
    """

    finding: Finding
    equivalent: bool
    different: bool
    value: float
    low: float
    high: float
    narrow: tuple[float, float]
    within: float
    margin: float
    p_equivalent: float
    p_different: float
    confidence: float

    @property
    def sentence(self) -> str:
        """Finding as a sentence for a page."""
        if self.finding == "equivalent":
            return f"equivalent within {self.margin:.3g}"
        return self.finding


def equivalence(
    value: float,
    error: float,
    *,
    margin: float,
    freedom: float = np.inf,
    confidence: float = 0.95,
    family: int = 1,
    p_adjusted: float | None = None,
) -> EquivalenceResult:
    """Test a difference with its standard error; freedom: of Student's t.

    family: the number of pairs that are tested together; p_adjusted: the p of the difference in
    that family (None: the pair's own). Raises BadSetting.
    """
    check_confidence(confidence)
    if not 0 < margin < np.inf:
        raise BadSetting("margin", margin, "above 0")
    if not 0 <= error < np.inf:
        raise BadSetting("error", error, "0 or more")
    if not freedom > 0:
        raise BadSetting("freedom", freedom, "above 0")
    if family < 1:
        raise BadSetting("family", family, "1 or more")
    t = scipy.stats.t(freedom)
    wide = float(t.ppf((1 + confidence) / 2)) * error
    narrow = float(t.isf((1 - confidence) / family)) * error
    error = max(error, np.finfo(float).tiny)
    equivalent = abs(value) + narrow < margin
    different = abs(value) > wide if p_adjusted is None else p_adjusted <= 1 - confidence
    return EquivalenceResult(
        finding="equivalent" if equivalent else "different" if different else "not known",
        equivalent=equivalent,
        different=different,
        value=value,
        low=value - wide,
        high=value + wide,
        narrow=(value - narrow, value + narrow),
        within=abs(value) + narrow,
        margin=margin,
        p_equivalent=min(family * float(t.sf((margin - abs(value)) / error)), 1.0),
        p_different=float(2 * t.sf(abs(value) / error)),
        confidence=confidence,
    )
