"""Results of a pilot (time, wage, outcomes), and the terms they suggest. Only reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from math import ceil, comb
from statistics import median

from django.db.models import Count

from annotation.models import Assignment, Batch, Study
from annotation.studies.act_effects import BatchTerms
from annotation.studies.active_time import active_times
from annotation.studies.wages import hourly

State = Assignment.State
STEP = Decimal("0.05")  # of a proposed pay, which is rounded up


@dataclass(frozen=True)
class MedianInterval:
    """A median with an interval of at least 95 %, which fewer than six values do not have."""

    value: float
    low: float | None
    high: float | None
    n: int


def median_of(values: Sequence[float]) -> MedianInterval:
    """Return the median with an exact interval between two order statistics.

    Of n values the median lies below the l-th smallest with the probability that fewer than l of n
    fair coins show heads (Conover, Practical Nonparametric Statistics, 3rd ed. 1999, 3.2).
    """
    ordered, n = sorted(values), len(values)
    below, tail = 0, 0.0
    while tail + comb(n, below) / 2**n <= 0.025:
        tail += comb(n, below) / 2**n
        below += 1
    low, high = (ordered[below - 1], ordered[n - below]) if below else (None, None)
    return MedianInterval(median(ordered), low, high, n)


@dataclass(frozen=True)
class PilotResults:
    """Results of a pilot.

    `minutes` are of active time, `ended` counts assignments by state, `pay` and `planned` are the
    terms of one task.
    """

    batch: Batch
    study: Study
    pay: Decimal
    planned: int
    votes: int
    minutes: MedianInterval | None
    ended: dict[str, int]

    @property
    def began(self) -> int:
        return sum(self.ended.values())

    @property
    def handed_in(self) -> int:
        return sum(self.ended.get(state, 0) for state in Assignment.HANDED_IN)

    @property
    def left(self) -> int:
        left_states = (State.RETURNED, State.EXPIRED, State.WITHDRAWN)
        return sum(self.ended.get(state, 0) for state in left_states)

    @property
    def wage(self) -> float | None:
        """Hourly earnings of a worker who needs the median time."""
        return self._hourly(self.minutes.value) if self.minutes else None

    @property
    def wage_low(self) -> float | None:
        return self._hourly(self.minutes.high) if self.minutes and self.minutes.high else None

    @property
    def wage_high(self) -> float | None:
        return self._hourly(self.minutes.low) if self.minutes and self.minutes.low else None

    def _hourly(self, minutes: float) -> float | None:
        return hourly(pay=float(self.pay), minutes=minutes)

    @property
    def is_over(self) -> bool:
        return not self.batch.teaches

    def proposes_other_terms(self, planned: BatchTerms) -> bool:
        """Than the planned batch has."""
        proposed = (self.proposed_pay, self.proposed_minutes)
        return self.minutes is not None and proposed != (planned.pay, planned.minutes)

    @property
    def is_below(self) -> bool:
        return self.wage is not None and self.wage < self.study.hourly_wage

    @property
    def proposed_minutes(self) -> int:
        """The measured median in whole minutes; half of the people need longer."""
        return max(1, ceil(self.minutes.value)) if self.minutes else self.planned

    @property
    def proposed_pay(self) -> Decimal:
        """Pay at the target wage for these minutes. Unpaid work stays unpaid."""
        if not self.pay:
            return self.pay
        exact = self.study.hourly_wage * self.proposed_minutes / 60
        return (exact / STEP).to_integral_value(ROUND_UP) * STEP


def pilot_results(offer: BatchTerms) -> PilotResults:
    """Of a batch as it stands; the time of what counts."""
    batch, study = offer.batch, offer.study
    works = Assignment.objects.filter(task__batch=batch).order_by()
    counting = set(works.counting().values_list("pk", flat=True))
    times = active_times(study)
    minutes = [times[pk].seconds / 60 for pk in counting if pk in times and times[pk].seconds > 0]
    return PilotResults(
        batch=batch,
        study=study,
        pay=offer.pay,
        planned=offer.minutes,
        votes=offer.votes,
        minutes=median_of(minutes) if minutes else None,
        ended=dict(works.values_list("state").annotate(n=Count("pk"))),
    )


def pilot_and_next(offers: Sequence[BatchTerms]) -> tuple[BatchTerms, BatchTerms] | None:
    """Return the batch that has submissions and the planned one after it, or None."""
    planned = next((o for o in offers if o.batch.state == Batch.State.DRAFT), None)
    taught = [o for o in offers if o.done and not o.batch.onboarding]
    return (taught[-1], planned) if planned and taught else None


def pilot_size(tasks: int) -> int:
    """Return the default size of a pilot: a tenth of the tasks, 2 to 10; 0 under 4 tasks."""
    return max(2, min(10, round(tasks / 10))) if tasks >= 4 else 0
