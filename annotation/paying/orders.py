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


@dataclass(frozen=True)
class Due:
    """An amount for a piece of work, in minor units; `before` is how many orders of the kind it
    has had; `hours` and `earned` say why, where it lifts somebody to the target.

    Work and worker are ids: an order is of thousands, of which a page shows a few (`works_of`).
    """

    work: int
    worker: int
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
        return len({each.worker for each in self.dues})

    @property
    def stamp(self) -> str:
        seen = ",".join(f"{each.work}:{each.amount}:{each.before}" for each in self.dues)
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
    rows = _payable(study).order_by("assignment").values_list("assignment", "worker", "amount")
    return Preview(study, [Due(*row) for row in rows])


def works_of(dues: Sequence[Due]) -> list[tuple[Due, Assignment]]:
    """Dues with their work, as a page shows a few of them."""
    rows = Assignment.objects.select_related("worker").only("worker__pseudonym")
    works = rows.in_bulk([each.work for each in dues])
    return [(each, works[each.work]) for each in dues]


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
    rows = (
        _approved(study)
        .order_by("assignment")
        .values_list("worker", "assignment", "amount", "assignment__external_id")
    )
    times, by_platform = active_times(study), is_by_platform(study)
    per_person: defaultdict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    for worker, work, amount, external_id in rows:
        if work in times and times[work].seconds > 0:
            can_have_one = bool(external_id) or not by_platform
            per_person[worker].append((work, amount, can_have_one))
    bonuses, counts, open_for = _bonuses(study)
    dues = []
    for person, works in per_person.items():
        hours = sum(times[work].seconds for work, *_ in works) / 3600
        earned = sum(amount for _, amount, _ in works) + bonuses.get(person, 0)
        lacking = ceil(round(float(study.hourly_wage) * 100 * hours, 6)) - earned
        free = [work for work, _, can in works if can and work not in open_for]
        if lacking > 0 and free:
            last = free[-1]
            dues.append(Due(last, person, lacking, counts.get(last, 0), hours, earned))
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
