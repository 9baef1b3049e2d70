"""Totals of a study's ledger, by kind and by person. Only reads."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, Sum

from annotation.fieldwork.paying.amounts import major
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.models import Assignment, LedgerEntry, Study, Worker
from annotation.studies.active_time import active_times
from annotation.studies.wages import hourly

Kind = LedgerEntry.Kind


class EntryGroup(NamedTuple):
    """A kind of entry, by whether the same work has a standing approval and payment."""

    kind: str
    approved: bool
    paid: bool


@dataclass(frozen=True)
class Sums:
    """Standing amounts in minor units; reversed entries are left out.

    Amounts are compared within each piece of work, never across people: an overpayment of one
    person does not pay another.
    """

    of: Mapping[EntryGroup, int] = field(default_factory=dict)

    def minor(self, kind: str, *, approved: bool | None = None, paid: bool | None = None) -> int:
        """Return the sum of a kind, of all work or of work that is (not) approved or (not) paid."""
        return sum(
            amount
            for standing, amount in self.of.items()
            if standing.kind == kind
            and approved in (None, standing.approved)
            and paid in (None, standing.paid)
        )

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
        """Submitted work without a decision."""
        return major(self.minor(Kind.OWED, approved=False))

    @property
    def due(self) -> Decimal:
        """Approved work that is not paid yet."""
        return major(self.minor(Kind.APPROVED, paid=False))

    @property
    def unapproved(self) -> Decimal:
        """Paid work that no decision approves."""
        return major(self.minor(Kind.PAID, approved=False))

    @property
    def committed(self) -> int:
        """Minor units that work costs without bonuses and fees: paid, or owed and not paid yet."""
        return self.minor(Kind.PAID) + self.minor(Kind.OWED, paid=False)

    @property
    def spent(self) -> Decimal:
        """Pay, screening rewards and bonuses, paid or owed, without fees."""
        return major(self.committed + self.minor(Kind.BONUS))


class WorkerName(NamedTuple):
    """The columns that are read of thousands of workers."""

    pk: int
    pseudonym: str


@dataclass(frozen=True)
class Account:
    """Amounts that one person of a study is owed and was paid.

    `hours` is the active time of the `n` paid submissions whose time is known, `wage` what an hour
    of them earned with bonuses.
    """

    worker: WorkerName
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
        """True if the time of all paid work is known."""
        return self.n == self.works


def sums_of(study: Study) -> Sums:
    return sums_in([study]).get(study.pk, Sums())


def sums_over(accounts: Iterable[Account]) -> Sums:
    """Return the sums of accounts; of all accounts of a study they are those of the study."""
    totals: defaultdict[EntryGroup, int] = defaultdict(int)
    for account in accounts:
        for group, amount in account.sums.of.items():
            totals[group] += amount
    return Sums(totals)


def sums_in(studies: Sequence[Study]) -> dict[int, Sums]:
    """Return the sums of studies that have entries, by primary key; one query."""
    return _sums(LedgerEntry.objects.filter(study__in=studies), "study")


def screening_rewards(study: Study) -> Decimal:
    """Return what participants who were screened out are owed or were paid."""
    owed = LedgerEntry.objects.filter(study=study, kind=Kind.OWED, reversal=None)
    screened_out = owed.filter(assignment__outcome=Outcome.SCREENED_OUT)
    return major(screened_out.aggregate(total=Sum("amount"))["total"] or 0)


def accounts_of(study: Study, *, only: Collection[int] | None = None) -> list[Account]:
    """Return the accounts of everybody who was ever owed money, or of `only` these workers.

    Takes four queries besides those of the times.
    """
    narrowed = {} if only is None else {"worker__in": only}
    owed = LedgerEntry.objects.filter(study=study, **narrowed)
    sums = _sums(owed, "worker")
    people = Worker.objects.filter(pk__in=owed.values("worker")).order_by("pseudonym")
    works: defaultdict[int, list[int]] = defaultdict(list)
    paid = Assignment.objects.filter(study=study, **narrowed).paid()
    for pk, worker in paid.values_list("pk", "worker"):
        works[worker].append(pk)
    timed = None if only is None else [pk for some in works.values() for pk in some]
    times = active_times(study, only=timed)
    pay = owed_for(study)
    return [
        _account(person, sums.get(person.pk, Sums()), works[person.pk], pay,
                 {pk: times[pk].seconds for pk in works[person.pk]
                  if pk in times and times[pk].seconds > 0})
        for person in map(WorkerName._make, people.values_list("pk", "pseudonym"))
    ]  # fmt: skip


def _account(
    person: WorkerName,
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
    """Return what each assignment is owed, in minor units."""
    standing = LedgerEntry.objects.filter(study=study, kind=Kind.OWED, reversal=None)
    return dict(standing.values_list("assignment", "amount"))


def _sums(entries: QuerySet[LedgerEntry], by: str) -> dict[int, Sums]:
    sums: defaultdict[int, dict[EntryGroup, int]] = defaultdict(dict)
    rows = entries.filter(reversal=None).exclude(kind=Kind.REVERSED).order_by()
    rows = rows.annotate(approved=_has(Kind.APPROVED), paid=_has(Kind.PAID))
    grouped = rows.values_list(by, "kind", "approved", "paid").annotate(Sum("amount"))
    for key, kind, approved, paid, total in grouped:
        sums[key][EntryGroup(kind, approved, paid)] = total
    return {key: Sums(amounts) for key, amounts in sums.items()}


def _has(kind: LedgerEntry.Kind) -> Exists:
    same = LedgerEntry.objects.filter(assignment=OuterRef("assignment"), kind=kind, reversal=None)
    return Exists(same)
