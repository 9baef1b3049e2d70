"""A personal baseline of typing: how fast somebody copies a sentence before they write. Pure."""

from typing import NamedTuple

LEAST_UNITS = 60
MOST_UNITS = 500
LEAST_MS = 1_000
MOST_MS = 3_600_000
FACTOR = 1.5  # composing that much faster than copying is a reason to look
FLOOR = 80.0  # words a minute; some copy slowly and compose faster


class Copied(NamedTuple):
    """A sentence was copied: `units` typed in `ms` without pauses of 2 s or more."""

    units: int
    ms: int

    @property
    def words_per_minute(self) -> float:
        return self.units / 5 / (self.ms / 60_000)

    @property
    def limit(self) -> float:
        """The pace of typing from which on it is flagged."""
        return max(FLOOR, FACTOR * self.words_per_minute)


def copied(units: str, ms: str) -> Copied | None:
    """Return the baseline that a page sent; None where the sentence was not copied."""
    if not (units.isdecimal() and ms.isdecimal() and len(units) < 10 and len(ms) < 10):
        return None
    baseline = Copied(int(units), int(ms))
    enough = LEAST_UNITS <= baseline.units <= MOST_UNITS and LEAST_MS <= baseline.ms <= MOST_MS
    return baseline if enough else None
