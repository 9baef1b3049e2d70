"""Equivalence of two systems: an interval against a margin.

Schuirmann (1987), two one-sided tests: a difference is within the margin at level alpha if its
interval at confidence 1 - 2 alpha is. Two that share a letter are not thereby equal: the study may
have been too small to tell.
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
    narrow: the interval of the one-sided tests; low, high: that of the two-sided one.
    p_equivalent: the larger of the one-sided p; p_different: two-sided.
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
) -> EquivalenceResult:
    """Test a difference with its standard error; freedom: of Student's t. Raises BadSetting."""
    check_confidence(confidence)
    if not 0 < margin < np.inf:
        raise BadSetting("margin", margin, "above 0")
    if not 0 <= error < np.inf:
        raise BadSetting("error", error, "0 or more")
    if not freedom > 0:
        raise BadSetting("freedom", freedom, "above 0")
    t = scipy.stats.t(freedom)
    wide = float(t.ppf((1 + confidence) / 2)) * error
    narrow = float(t.ppf(confidence)) * error
    error = max(error, np.finfo(float).tiny)
    equivalent = abs(value) + narrow < margin
    different = abs(value) > wide
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
        p_equivalent=float(t.sf((margin - abs(value)) / error)),
        p_different=float(2 * t.sf(abs(value) / error)),
        confidence=confidence,
    )
