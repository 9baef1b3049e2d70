"""What the ledger of a study comes to, by kind and by person. Only reads."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import Coalesce

from annotation.models import Assignment, LedgerEntry, Study, Worker
from annotation.paying.amounts import major
from annotation.studies.active_time import active_times
from annotation.studies.wages import hourly

Kind = LedgerEntry.Kind


@dataclass(frozen=True)
class Sums:
    """What stands of each kind, in minor units; what was reversed is out."""

    of: Mapping[str, int] = field(default_factory=dict)

    def minor(self, kind: str) -> int:
        return self.of.get(kind, 0)

    @property
    def owed(self) -> Decimal:
        return major(self.minor(Kind.OWED))

    @property
    def approved(self) -> Decimal:
        return major(self.minor(Kind.APPROVED))

    @property
    def paid(self) -> Decimal:
        return major(self.minor(Kind.PAID))

    @property
    def bonus(self) -> Decimal:
        return major(self.minor(Kind.BONUS))

    @property
    def fee(self) -> Decimal:
        return major(self.minor(Kind.FEE))

    @property
    def waiting(self) -> Decimal:
        """Handed in, and not decided on."""
        return major(self.minor(Kind.OWED) - self.minor(Kind.APPROVED))

    @property
    def due(self) -> Decimal:
        """Approved and not paid yet; less than nothing where paid work was rejected since."""
        return major(self.minor(Kind.APPROVED) - self.minor(Kind.PAID))

    @property
    def spent(self) -> Decimal:
        """What the study has cost, or is bound to cost: what is owed or was paid, with bonuses and
        the fees that were charged."""
        owed = max(self.minor(Kind.OWED), self.minor(Kind.PAID))
        return major(owed + self.minor(Kind.BONUS) + self.minor(Kind.FEE))


@dataclass(frozen=True)
class Account:
    """What one person of a study is owed and got, for how much work.

    `hours` are those of active time of the `n` paid submissions whose time is known, `wage` what
    an hour of them earned with bonuses.
    """

    worker: Worker
    sums: Sums
    works: int
    n: int
    hours: float
    wage: float | None

    @property
    def minutes(self) -> float:
        return 60 * self.hours

    @property
    def of_all(self) -> bool:
        """Whether the time of all paid work is known."""
        return self.n == self.works


def sums_of(study: Study) -> Sums:
    return Sums(dict(_by_kind(study).values_list("of_kind").annotate(Sum("amount"))))


def accounts_of(study: Study) -> list[Account]:
    """Everybody who was ever owed something, by pseudonym. Four queries and those of the times."""
    sums: defaultdict[int, dict[str, int]] = defaultdict(dict)
    rows = _by_kind(study).values_list("worker", "of_kind").annotate(Sum("amount"))
    for worker, kind, total in rows:
        sums[worker][kind] = total
    owed = LedgerEntry.objects.filter(study=study)
    people = Worker.objects.filter(pk__in=owed.values("worker")).order_by("pseudonym")
    paid = Assignment.objects.filter(study=study).paid().values_list("pk", "worker")
    times = active_times(study)
    works: defaultdict[int, list[int]] = defaultdict(list)
    for pk, worker in paid:
        works[worker].append(pk)
    pay = owed_for(study)
    return [
        _account(person, Sums(sums[person.pk]), works[person.pk], pay,
                 {pk: times[pk].seconds for pk in works[person.pk]
                  if pk in times and times[pk].seconds > 0})
        for person in people
    ]  # fmt: skip


def _account(
    person: Worker,
    sums: Sums,
    works: list[int],
    pay: Mapping[int, int],
    seconds: Mapping[int, float],
) -> Account:
    hours = sum(seconds.values()) / 3600
    earned = sum(pay.get(pk, 0) for pk in seconds) + (sums.minor(Kind.BONUS) if seconds else 0)
    wage = hourly(pay=earned / 100, minutes=60 * hours)
    return Account(person, sums, len(works), len(seconds), hours, wage)


def owed_for(study: Study) -> dict[int, int]:
    """What each assignment is owed, in minor units."""
    standing = LedgerEntry.objects.filter(study=study, kind=Kind.OWED, reversal=None)
    return dict(standing.values_list("assignment", "amount"))


def _by_kind(study: Study) -> QuerySet[Any]:
    rows = LedgerEntry.objects.filter(study=study).order_by()
    return rows.annotate(of_kind=Coalesce("reverses__kind", "kind"))
