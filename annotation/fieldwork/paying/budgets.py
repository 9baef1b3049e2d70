"""The spent and promised part of a study's budget. Only reads.

Promised is what is owed or will be owed to people at work, ordered bonuses, and platform fees.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Sum
from django.db.models.functions import Coalesce

from annotation.fieldwork.paying.amounts import major, minor
from annotation.fieldwork.paying.orders import fee_of
from annotation.fieldwork.paying.totals import Sums, sums_in
from annotation.models import Assignment, Batch, LedgerEntry, Payment, Study

Kind = LedgerEntry.Kind


@dataclass(frozen=True)
class Budget:
    """Amounts in minor units; `next_place` is the cost of one more place with its fee."""

    whole: int
    promised: int
    next_place: int

    @property
    def is_spent(self) -> bool:
        return self.promised + self.next_place > self.whole

    @property
    def amount(self) -> Decimal:
        return major(self.whole)

    @property
    def used(self) -> Decimal:
        return major(self.promised)


def budgets_of(studies: Sequence[Study]) -> dict[int, Budget]:
    """Return the budgets of the studies that have one, by primary key; four queries."""
    mine = {
        study_with_budget.pk: study_with_budget
        for study_with_budget in studies
        if study_with_budget.budget is not None
    }
    if not mine:
        return {}
    sums = sums_in(list(mine.values()))
    going = Payment.objects.filter(study__in=mine, kind=Kind.BONUS, state__in=Payment.OPEN)
    bonuses = dict(going.order_by().values_list("study").annotate(Sum("amount")))
    live = Assignment.objects.filter(study__in=mine).live().order_by()
    at_work: defaultdict[int, int] = defaultdict(int)
    for study, pay in live.values_list("study", Coalesce("task__batch__pay", "study__pay")):
        at_work[study] += minor(pay)
    pays: defaultdict[int, list[int]] = defaultdict(list)
    for batch in Batch.objects.running().filter(study__in=mine):
        pays[batch.study_id].append(minor(batch.terms_in(mine[batch.study_id])[0]))
    return {
        pk: _budget(
            study,
            sums.get(pk, Sums()),
            going=bonuses.get(pk, 0),
            at_work=at_work[pk],
            next_place=max(pays[pk], default=0),
        )
        for pk, study in mine.items()
    }


def _budget(study: Study, sums: Sums, *, going: int, at_work: int, next_place: int) -> Budget:
    assert study.budget is not None
    pay = sums.committed + sums.minor(Kind.BONUS) + going + at_work
    return Budget(
        whole=minor(study.budget),
        promised=pay + fee_of(study, pay),
        next_place=next_place + fee_of(study, next_place),
    )
