"""Score that is a sum of mean answers, and its interval over raters.

Its error is a jackknife over raters: the score is computed again without all answers of a rater
(CR3: the deviation from a mean of n answers is divided by n - 1). The degrees of freedom are those
of as many equally busy raters, less one. A part with one answer has no known spread, and few
answers on a scale of few steps are alike too often: then there is no interval.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import scipy

from analysis.stats.errors import BadSetting
from analysis.stats.verdicts import LEAST_RATERS_ALONE

LEAST_RATERS = LEAST_RATERS_ALONE
LEAST_ANSWERS = 20  # of totals: with fewer, those of grades cover .79 to .93

Votes = Mapping[Hashable, float]  # rater -> answer, as a number
Label = Votes | float | None  # a number is known without an answer; None: nobody has answered


@dataclass(frozen=True)
class ScoredValue:
    """A value with its interval over raters; low, high: None with too few votes.

    n: votes behind it; raters: their number.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    raters: int


@dataclass
class LinearScore:
    """A score as constant + sum of coefficient x mean of the votes on a part."""

    constant: float = 0.0
    terms: list[tuple[float, Votes]] = field(default_factory=list)

    def add(self, coefficient: float, votes: Label) -> None:
        if votes is None:
            raise BadSetting("a label", None, "there for each part that was asked about")
        if isinstance(votes, float | int):
            self.constant += coefficient * votes
        else:
            self.terms.append((coefficient, votes))

    def plus(self, factor: float, other: "LinearScore") -> "LinearScore":
        terms = [(factor * c, votes) for c, votes in other.terms]
        return LinearScore(self.constant + factor * other.constant, [*self.terms, *terms])

    def value(self) -> float:
        return self.constant + sum(c * mean_of(votes) for c, votes in self.terms)

    def scored(
        self, *, confidence: float, least_raters: int = 2, least_answers: int = 2
    ) -> ScoredValue:
        """Return the value with its t interval over raters."""
        value = self.value()
        raters = {rater for _, votes in self.terms for rater in votes}
        n = sum(len(votes) for _, votes in self.terms)
        alone = any(len(votes) < 2 for c, votes in self.terms if c)
        if alone or n < least_answers or len(raters) < least_raters:
            return ScoredValue(value, None, None, n, len(raters))
        added, load = dict.fromkeys(raters, 0.0), dict.fromkeys(raters, 0.0)
        for c, votes in self.terms:
            mean, size = mean_of(votes), len(votes)
            for rater, vote in votes.items() if c else ():
                added[rater] += c * (vote - mean) / (size - 1)
                load[rater] += abs(c) / size
        half = _half_width(list(added.values()), list(load.values()), confidence)
        return ScoredValue(value, value - half, value + half, n, len(raters))


def _half_width(changes: Sequence[float], loads: Sequence[float], confidence: float) -> float:
    """Return half the width of the interval from the changes without each rater."""
    G, mean = len(changes), math.fsum(changes) / len(changes)
    variance = (G - 1) / G * math.fsum((change - mean) ** 2 for change in changes)
    equal = math.fsum(loads) ** 2 / (math.fsum(load**2 for load in loads) or 1.0)
    t = float(scipy.stats.t.ppf((1 + confidence) / 2, max(equal - 1, 1.0)))
    return t * math.sqrt(variance)


def mean_of(votes: Votes) -> float:
    """Return the mean of all raters."""
    return math.fsum(votes.values()) / len(votes)
