"""What the ledger of a study comes to, by kind and by person. Only reads."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

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


class Person(NamedTuple):
    """What is read of a worker where thousands are told."""

    pk: int
    pseudonym: str


@dataclass(frozen=True)
class Account:
    """What one person of a study is owed and got, for how much work.

    `hours` are those of active time of the `n` paid submissions whose time is known, `wage` what
    an hour of them earned with bonuses.
    """

    worker: Person
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


def accounts_of(study: Study, *, only: Collection[int] | None = None) -> list[Account]:
    """Everybody who was ever owed something, by pseudonym, or of them `only` these workers. Four
    queries and those of the times."""
    of = {} if only is None else {"worker__in": only}
    sums: defaultdict[int, dict[str, int]] = defaultdict(dict)
    rows = _by_kind(study).filter(**of).values_list("worker", "of_kind").annotate(Sum("amount"))
    for worker, kind, total in rows:
        sums[worker][kind] = total
    owed = LedgerEntry.objects.filter(study=study, **of)
    people = Worker.objects.filter(pk__in=owed.values("worker")).order_by("pseudonym")
    works: defaultdict[int, list[int]] = defaultdict(list)
    paid = Assignment.objects.filter(study=study, **of).paid()
    for pk, worker in paid.values_list("pk", "worker"):
        works[worker].append(pk)
    timed = None if only is None else [pk for some in works.values() for pk in some]
    times = active_times(study, only=timed)
    pay = owed_for(study)
    return [
        _account(person, Sums(sums[person.pk]), works[person.pk], pay,
                 {pk: times[pk].seconds for pk in works[person.pk]
                  if pk in times and times[pk].seconds > 0})
        for person in map(Person._make, people.values_list("pk", "pseudonym"))
    ]  # fmt: skip


def _account(
    person: Person,
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
