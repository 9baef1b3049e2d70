"""Estimates of the time that background work still needs, from what it has done so far."""

import math
from dataclasses import dataclass

SOON, LITTLE = 2.0, 0.02  # seconds and share after which the rest can be estimated


@dataclass(frozen=True)
class WorkProgress:
    """Progress of some background work. `seconds_left` is 0 while it is unknown."""

    done: float
    total: float
    seconds_left: int = 0

    @property
    def percent(self) -> int:
        return math.floor(100 * self.done / self.total) if self.total else 0

    @property
    def minutes_left(self) -> int:
        return math.ceil(self.seconds_left / 60)


def seconds_left(elapsed: float, done: float, total: float) -> int:
    """Return the estimated seconds of work that continues at its pace; 0 while unknown."""
    share = done / total if total else 0
    if elapsed < SOON or share < LITTLE:
        return 0
    return math.ceil(elapsed * max(0, 1 - share) / share)
