"""Rows that say how often an interval held what is true, and what is promised of it.

Every row is of as many studies as was decided before any was drawn (STUDIES); ERROR is the standard
error of a coverage of 95 % in them, in points. 93 to 97 % is promised. Where that cannot be, the
promise is another one and says why: by a property of the number or of the judge that is known
before anything is drawn, never by what came out. What is true is a mean of several very large
studies, with its standard error.
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
        return Row(
            what=": ".join(key), n=size, ours=100 * float(held[offered].mean()), unit="%",
            least=promise.least, most=promise.most,
            remark="; ".join([*remark, *filter(None, [promise.why])]),
        )  # fmt: skip
