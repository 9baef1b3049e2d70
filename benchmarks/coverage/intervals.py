"""Rows with the share of intervals that contain the true value, and the promised share.

A row of judges is of as many studies as was decided before any was drawn (STUDIES); ERROR is the
standard error of a coverage of 95 % in them, in points. 93 to 97 % is promised. Where that cannot
be, the promise is another one and says why: by a property of the number or of the judge that is
known before anything is drawn, never by what came out. The true value is a mean of several very
large studies, with its standard error.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.reporting import Row

STUDIES = 1000
ERROR = 100 * (0.95 * 0.05 / STUDIES) ** 0.5
LEAST, MOST = 93.0, 97.0
Part = Callable[[], list[Row]]  # rows that share the studies of one size


Hits = dict[str, float]  # by interval: 1 if it contains the true value, 0 if not, NaN without one


def holds(low: float, high: float, true: float) -> float:
    return np.nan if np.isnan(low) else float(low <= true <= high)


@dataclass(eq=False)
class Tally:
    """The hits of each interval, a study at a time."""

    hits: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, study: Hits, *, suffix: str = "") -> None:
        for name, hit in study.items():
            self.hits[name + suffix].append(hit)

    def share(self, name: str) -> float:
        """Return in how many % of the studies with this interval it contains the true value."""
        return 100 * float(np.nanmean(self.hits[name]))

    def offered(self, name: str) -> float:
        """Return in how many % of the studies there is such an interval."""
        return 100 * float(np.mean(~np.isnan(self.hits[name])))


def coverage_row(
    what: str,
    n: str,
    share: float,
    *,
    least: float | None = LEAST,
    most: float | None = MOST,
    remark: str = "",
) -> Row:
    return Row(what=what, n=n, ours=share, unit="%", least=least, most=most, remark=remark)


@dataclass(frozen=True, kw_only=True)
class Promise:
    """In %; why: the reason, where it is not the usual one."""

    least: float | None = LEAST
    most: float | None = MOST
    why: str = ""


USUAL = Promise()
END = Promise(
    most=None,
    why="the end of what it can be: an interval that ends there errs on one side alone",
)
COPIED = Promise(
    most=None,
    why="it leans as these people do, who are left out without their part of its labels",
)
ALWAYS = Promise(
    least=None, most=None, why="it is always 1, which is in any interval that ends there"
)


@dataclass(frozen=True)
class Truth:
    """What is true, and the standard error of that."""

    value: float
    error: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float]) -> "Truth":
        error = float(np.std(values, ddof=1)) / len(values) ** 0.5
        return cls(float(np.mean(values)), error)

    def __str__(self) -> str:
        return f"truth {self.value:.3f}" + (f" ± {self.error:.4f}" if self.error else "")


Truths = dict[tuple[str, str], Truth]


@dataclass(eq=False)
class Intervals:
    """The intervals of each number, a study at a time; without ends where none is offered."""

    ends: defaultdict[tuple[str, str], list[tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, who: str, what: str, low: float, high: float) -> None:
        self.ends[who, what].append((low, high))

    def rows(
        self,
        truth: Mapping[tuple[str, str], Truth],
        *,
        size: str,
        promises: Mapping[tuple[str, str], Promise],
    ) -> list[Row]:
        """One for each number that is true; in % of the studies in which an interval is offered."""
        return [
            self.row(key, true, size=size, promise=promises.get(key, USUAL))
            for key, true in truth.items()
            if key in self.ends
        ]

    def row(self, key: tuple[str, str], true: Truth, *, size: str, promise: Promise) -> Row:
        low, high = np.array(self.ends[key]).T
        offered = ~np.isnan(low)
        held = (low <= true.value) & (true.value <= high)
        remark = [str(true)]
        if not offered.all():
            remark.append(f"offered in {100 * offered.mean():.0f} %")
        return coverage_row(
            ": ".join(key),
            size,
            100 * float(held[offered].mean()),
            least=promise.least,
            most=promise.most,
            remark="; ".join([*remark, *filter(None, [promise.why])]),
        )
