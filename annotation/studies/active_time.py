"""Duration and earnings of paid work. Only reads."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import Any

from django.db.models import Sum
from django.db.models.functions import Coalesce

from annotation import signals
from annotation.models import Assignment, Batch, LedgerEntry, Study
from annotation.models.work import AssignmentQuerySet
from annotation.studies.wages import ActiveTime, hourly


@dataclass(frozen=True)
class Earnings:
    """The wage in active time of n submissions whose time is known; medians are minutes.

    `elapsed` is from consent to handing in: what a tab was open, which breaks lengthen. `whole`
    submissions have nothing recorded in between, so that all of it counts; of `untimed` ones
    nothing is known. `paid` counts all that is paid. The wage counts the `bonuses` that were paid
    for work whose time is known.
    """

    wage: float | None
    active: float | None
    elapsed: float | None
    n: int
    whole: int
    untimed: int
    paid: int = 0
    bonuses: Decimal = Decimal(0)


def active_times(study: Study, *, only: Collection[int] | None = None) -> dict[int, ActiveTime]:
    """Return the active seconds of a study's submissions by id, of all or `only` of some."""
    answers: list[tuple[Any, Any]] = signals.active_times.send(sender=Study, study=study, only=only)
    return next((times for _, times in answers if times is not None), {})


def pay_of(works: AssignmentQuerySet) -> dict[int, Decimal]:
    """Return the pay of the paid assignments among these."""
    rows = works.paid().values_list("pk", Coalesce("task__batch__pay", "study__pay"))
    return dict(rows)


def bonuses_of(study: Study) -> dict[int, Decimal]:
    """Return the sum of bonuses of each assignment."""
    rows = LedgerEntry.objects.filter(study=study, kind=LedgerEntry.Kind.BONUS, reversal=None)
    sums = rows.order_by().values_list("assignment").annotate(Sum("amount"))
    return {pk: Decimal(amount) / 100 for pk, amount in sums}


def earnings_of(study: Study, *, batch: Batch | None = None) -> Earnings:
    """Return the wage in active time of a study, or of one batch."""
    rows = Assignment.objects.filter(study=study)
    if batch is not None:
        rows = rows.filter(task__batch=batch)
    pay = pay_of(rows)
    spans = {
        pk: (submitted - started).total_seconds() / 60
        for pk, started, submitted in rows.paid().values_list("pk", "started_at", "submitted_at")
        if started is not None and submitted is not None
    }
    times, bonus_by_assignment = active_times(study), bonuses_of(study)
    timed = {pk: times[pk] for pk in spans if pk in times and times[pk].seconds > 0}
    minutes = [time.seconds / 60 for time in timed.values()]
    bonuses = sum((bonus_by_assignment.get(pk, Decimal(0)) for pk in timed), Decimal(0))
    # Imported work of unknown length starts and ends at the same moment.
    elapsed = [span for span in spans.values() if span > 0]
    return Earnings(
        wage=hourly(pay=float(sum(pay[pk] for pk in timed) + bonuses), minutes=sum(minutes)),
        active=median(minutes) if minutes else None,
        elapsed=median(elapsed) if elapsed else None,
        n=len(timed),
        whole=sum(timed_work.whole for timed_work in timed.values()),
        untimed=len(spans) - len(timed),
        paid=len(pay),
        bonuses=bonuses,
    )
