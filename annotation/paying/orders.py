"""What could be ordered to be paid, as it stands. Only reads."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256
from math import ceil

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from annotation.models import Assignment, LedgerEntry, Payment, Study
from annotation.paying.amounts import major
from annotation.recruiting.platforms import Outcome
from annotation.studies.active_time import active_times
from annotation.studies.effects import FEES

ON_THE_WAY = ("reward", "rejection")
# What an order and its page read of a piece of work, of which there are thousands.
SHOWN = ("amount", "worker", "assignment__external_id", "assignment__worker__pseudonym")


@dataclass(frozen=True)
class Due:
    """An amount for a piece of work, in minor units; `before` is how many orders of the kind it
    has had; `hours` and `earned` say why, where it lifts somebody to the target."""

    work: Assignment
    amount: int
    before: int = 0
    hours: float = 0
    earned: int = 0

    @property
    def money(self) -> Decimal:
        return major(self.amount)

    @property
    def minutes(self) -> float:
        return 60 * self.hours

    @property
    def wage(self) -> float:
        return self.earned / 100 / self.hours if self.hours else 0.0


@dataclass(frozen=True)
class Preview:
    """What an order would come to. Who looked at it orders it by its `stamp`, as it was then."""

    study: Study
    dues: Sequence[Due]

    @property
    def amount(self) -> Decimal:
        return major(sum(each.amount for each in self.dues))

    @property
    def fees(self) -> Decimal:
        return major(sum(fee_of(self.study, each.amount) for each in self.dues))

    @property
    def total(self) -> Decimal:
        return self.amount + self.fees

    @property
    def people(self) -> int:
        return len({each.work.worker_id for each in self.dues})

    @property
    def stamp(self) -> str:
        seen = ",".join(f"{each.work.pk}:{each.amount}:{each.before}" for each in self.dues)
        return sha256(seen.encode()).hexdigest()


def fee_of(study: Study, amount: int) -> int:
    """What the platform takes on top of an amount, in minor units."""
    share = FEES.get(study.recruitment, Decimal(0))
    return int((amount * share).quantize(Decimal(1), ROUND_HALF_UP))


def is_by_platform(study: Study) -> bool:
    """Whether the platform pays, when it is told to; else the researchers do, and note it."""
    return study.recruitment == Study.Recruitment.PROLIFIC


@dataclass(frozen=True)
class Waiting:
    """How much approved work waits to be paid, without saying whose."""

    n: int
    amount: Decimal
    fees: Decimal

    @property
    def total(self) -> Decimal:
        return self.amount + self.fees


def waiting_of(study: Study) -> Waiting:
    """What `payable` comes to; counted in the database, however much it is."""
    amounts = _payable(study).order_by().values_list("amount").annotate(Count("pk"))
    found = list(amounts)
    return Waiting(
        n=sum(n for _, n in found),
        amount=major(sum(amount * n for amount, n in found)),
        fees=major(sum(fee_of(study, amount) * n for amount, n in found)),
    )


def payable(study: Study) -> Preview:
    """The work that is approved and that no order to pay is for."""
    rows = _payable(study).select_related("assignment__worker").order_by("assignment")
    return Preview(study, [Due(each.assignment, each.amount) for each in rows.only(*SHOWN)])


def _payable(study: Study) -> QuerySet[LedgerEntry]:
    ordered = Payment.objects.filter(assignment=OuterRef("assignment"), kind__in=ON_THE_WAY)
    rows = _approved(study).exclude(Exists(ordered.exclude(state=Payment.State.REFUSED)))
    if is_by_platform(study):  # which knows work by its submission and pays screen-outs by itself
        rows = rows.exclude(assignment__external_id=b"")
        rows = rows.exclude(assignment__outcome=Outcome.SCREENED_OUT)
    return rows


def rejectable(study: Study) -> QuerySet[Assignment]:
    """Rejected work of which the platform was not told, and whose submission has no other work
    that may still be paid: the platform rejects the whole submission."""
    told = Payment.objects.filter(assignment=OuterRef("pk"), kind__in=ON_THE_WAY)
    rows = Assignment.objects.filter(study=study, state=Assignment.State.REJECTED)
    approved = _approved(study).filter(assignment=OuterRef("pk"))
    rows = rows.exclude(Exists(other_work_of(OuterRef("session_hash"), OuterRef("pk"))))
    return (
        rows.exclude(Exists(told.exclude(state=Payment.State.REFUSED)))
        .exclude(Exists(approved))
        .exclude(external_id=b"")
        .select_related("worker")
        .prefetch_related("decisions")
    )


def other_work_of(session: OuterRef, work: OuterRef) -> QuerySet[Assignment]:
    """Work of the same submission as a piece of work, which is not rejected without pay."""
    approved = LedgerEntry.objects.filter(
        assignment=OuterRef("pk"), kind=LedgerEntry.Kind.APPROVED, reversal=None
    )
    kept = Q(state__in=Assignment.HOLDING) | Exists(approved)
    return Assignment.objects.filter(kept, session_hash=session).exclude(
        Q(session_hash="") | Q(pk=work)
    )


def shortfalls(study: Study) -> Preview:
    """What each person lacks to the target wage, over their approved work whose time is known.

    Bonuses count as earned, also those that are ordered. The bonus is for the last piece of work
    without one, rounded up, so that nobody stays a cent below.
    """
    rows = _approved(study).select_related("assignment__worker").order_by("assignment")
    rows = rows.only(*SHOWN)
    times = active_times(study)
    per_person: defaultdict[int, list[LedgerEntry]] = defaultdict(list)
    for row in rows:
        if row.assignment_id in times and times[row.assignment_id].seconds > 0:
            per_person[row.worker_id].append(row)
    bonuses, counts, open_for = _bonuses(study)
    dues = []
    for person, works in per_person.items():
        hours = sum(times[row.assignment_id].seconds for row in works) / 3600
        earned = sum(row.amount for row in works) + bonuses.get(person, 0)
        lacking = ceil(round(float(study.hourly_wage) * 100 * hours, 6)) - earned
        free = [
            row.assignment
            for row in works
            if row.assignment_id not in open_for
            and (row.assignment.external_id or not is_by_platform(study))
        ]
        if lacking > 0 and free:
            last = free[-1]
            dues.append(Due(last, lacking, counts.get(last.pk, 0), hours, earned))
    return Preview(study, dues)


def _bonuses(study: Study) -> tuple[dict[int, int], dict[int, int], set[int]]:
    """Of each person: the bonuses that they got or will; of each piece of work: how many were ever
    ordered; the work for which one is ordered now."""
    rows = Payment.objects.filter(study=study, kind=Payment.Kind.BONUS).order_by()
    given = rows.exclude(state=Payment.State.REFUSED).values_list("worker")
    counts: defaultdict[int, int] = defaultdict(int)
    on_the_way = set()
    for work, state in rows.values_list("assignment", "state"):
        counts[work] += 1
        if state in Payment.OPEN:
            on_the_way.add(work)
    return dict(given.annotate(Sum("amount"))), dict(counts), on_the_way


def _approved(study: Study) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(study=study, kind=LedgerEntry.Kind.APPROVED, reversal=None)
