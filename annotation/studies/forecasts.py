"""Speed and expected end of a study. Only reads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import sqrt

from annotation.models import Assignment, Batch, Study
from annotation.studies.progress import BatchProgress

WINDOW = timedelta(days=1)
FEWEST = 5  # handed in, under which nothing is forecast


@dataclass(frozen=True)
class Pace:
    """Submissions of the last `hours`, and a 95% interval of the hours that `left` places take."""

    n: int
    hours: float
    left: int
    low: float | None = None
    high: float | None = None
    since: datetime | None = None

    @property
    def seconds(self) -> float:
        return 3600 * self.hours

    @property
    def when(self) -> str:
        """Expected range of the end: 2 to 4 h, 3 to 5 days; empty without a forecast."""
        if self.low is None or self.high is None:
            return ""
        unit, per = ("days", 24) if self.high >= 48 else ("h", 1)
        low, high = (max(1, round(hours / per)) for hours in (self.low, self.high))
        return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def pace_of(study: Study, batches: Sequence[BatchProgress], *, now: datetime) -> Pace | None:
    """Return the pace of the open batches; None if no batch is open."""
    running = [batch for batch in batches if batch.batch.state == Batch.State.OPEN]
    opened = [
        running_batch.batch.opened_at for running_batch in running if running_batch.batch.opened_at
    ]
    if not opened:
        return None
    since = max(min(opened), now - WINDOW)
    n = Assignment.objects.filter(
        study=study, task__batch__in=[row.batch for row in running], submitted_at__gt=since
    ).count()
    pace = forecast(
        n=n,
        hours=(now - since).total_seconds() / 3600,
        left=sum(row.places - row.done for row in running),
    )
    return replace(pace, since=since)


def forecast(*, n: int, hours: float, left: int) -> Pace:
    """Return the hours until all places are done, with a 95% interval.

    The root of a Poisson count has a standard deviation of nearly one half (Bartlett 1936), so the
    rate lies within (√n ± 1.96 / 2)² / hours.
    """
    if n < FEWEST or not left or hours <= 0:
        return Pace(n, hours, left)
    slow, fast = ((sqrt(n) + sign * 1.96 / 2) ** 2 / hours for sign in (-1, 1))
    return Pace(n, hours, left, low=left / fast, high=left / slow)
