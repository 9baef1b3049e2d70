"""Score that is a sum of mean answers, and its interval over raters.

Its error follows from those of the answers: each rater's contribution, summed over all that they
answered (sandwich, clustered by rater; the residuals from a mean of n answers are divided by
sqrt(1 - 1/n), as in HC2). A part with one answer has no known spread: then there is no interval.
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

import scipy

from analysis.stats.errors import BadSetting

Votes = Mapping[Hashable, float]  # rater -> answer, as a number
Label = Votes | float | None  # a number is known without an answer; None: nobody has answered


@dataclass(frozen=True)
class ScoredValue:
    """A value with its interval over raters; low, high: None where some part has one vote.

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

    def scored(self, *, confidence: float) -> ScoredValue:
        """Return the value with its t interval over raters."""
        value = self.value()
        raters = {rater for _, votes in self.terms for rater in votes}
        n = sum(len(votes) for _, votes in self.terms)
        alone = any(len(votes) < 2 for c, votes in self.terms if c)
        if alone or not n:
            return ScoredValue(value, None, None, n, len(raters))
        added = dict.fromkeys(raters, 0.0)
        for c, votes in self.terms:
            mean, size = mean_of(votes), len(votes)
            for rater, vote in votes.items() if c else ():
                added[rater] += c * (vote - mean) / math.sqrt(size * (size - 1))
        error = math.sqrt(math.fsum(addition**2 for addition in added.values()))
        t = float(scipy.stats.t.ppf((1 + confidence) / 2, len(raters) - 1))
        return ScoredValue(value, value - t * error, value + t * error, n, len(raters))


def mean_of(votes: Votes) -> float:
    """Return the mean of all raters."""
    return math.fsum(votes.values()) / len(votes)
