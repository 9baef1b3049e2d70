"""Previews of payments that could be ordered. Only reads."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256
from math import ceil

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from annotation.fieldwork.paying.amounts import major
from annotation.fieldwork.paying.dues import Due, dues_of, is_by_platform, submissions_of
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.models import Assignment, LedgerEntry, Payment, PlatformSubmission, Study
from annotation.studies.act_effects import FEES
from annotation.studies.active_time import active_times

ON_THE_WAY = ("reward", "rejection")


@dataclass(frozen=True)
class OrderAmount:
    """An amount for an assignment, in minor units.

    `before` counts earlier orders of the kind; `hours` and `earned` explain a bonus to the target
    wage. Work and worker are IDs: an order is of thousands, of which a page shows a few
    (`works_of`).
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
class OrderPreview:
    """The payments of an order, which is confirmed by the `stamp` of its preview."""

    study: Study
    dues: Sequence[OrderAmount]

    @property
    def amount(self) -> Decimal:
        return major(sum(due.amount for due in self.dues))

    @property
    def fees(self) -> Decimal:
        return major(sum(fee_of(self.study, due.amount) for due in self.dues))

    @property
    def total(self) -> Decimal:
        return self.amount + self.fees

    @property
    def people(self) -> int:
        return len({due.worker for due in self.dues})

    @property
    def stamp(self) -> str:
        amounts = ",".join(f"{due.work}:{due.amount}:{due.before}" for due in self.dues)
        return sha256(amounts.encode()).hexdigest()


def fee_of(study: Study, amount: int) -> int:
    """Return the platform's fee for an amount, in minor units."""
    share = FEES.get(study.recruitment, Decimal(0))
    return int((amount * share).quantize(Decimal(1), ROUND_HALF_UP))


@dataclass(frozen=True)
class UnpaidWork:
    """The number and amount of unpaid approved work that waits for the same thing."""

    due: Due
    n: int
    amount: Decimal
    fees: Decimal

    @property
    def total(self) -> Decimal:
        return self.amount + self.fees


def waiting_of(study: Study) -> dict[str, UnpaidWork]:
    """Return what unpaid approved work waits for; the amounts add up to `Sums.due`."""
    amounts: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    rows = dues_of(study).order_by().values_list("waits_for", "amount").annotate(Count("pk"))
    for waits_for, amount, n in rows:
        amounts[waits_for].append((amount, n))
    return {
        due.value: UnpaidWork(
            due=due,
            n=sum(n for _, n in amounts[due]),
            amount=major(sum(amount * n for amount, n in amounts[due])),
            fees=major(sum(fee_of(study, amount) * n for amount, n in amounts[due])),
        )
        for due in Due
    }


def payable(study: Study) -> OrderPreview:
    """Return approved work that no order to pay is for, and that its platform can approve."""
    return _preview(study, Due.PAYABLE)


def settleable(study: Study) -> OrderPreview:
    """Return approved work that its platform can only pay as a bonus.

    Its submission timed out, was returned or rejected there, or pays for other work.
    """
    return _preview(study, Due.SETTLED_BY_BONUS)


def _preview(study: Study, due: Due) -> OrderPreview:
    rows = dues_of(study).filter(waits_for=due.value).order_by("assignment")
    amounts = rows.values_list("assignment", "worker", "amount")
    return OrderPreview(study, [OrderAmount(*row) for row in amounts])


def works_of(dues: Sequence[OrderAmount]) -> list[tuple[OrderAmount, Assignment]]:
    """Return amounts with their assignments, for the few that a page shows."""
    rows = Assignment.objects.select_related("worker").only("worker__pseudonym")
    works = rows.in_bulk([due.work for due in dues])
    return [(due, works[due.work]) for due in dues]


def rejectable(study: Study) -> QuerySet[Assignment]:
    """Return rejected work that the platform can be told of.

    Left out is work whose submission has other work that may still be paid, because the platform
    rejects the whole submission, and work whose submission is over there.
    """
    orders = Payment.objects.filter(assignment=OuterRef("pk"), kind__in=ON_THE_WAY)
    rows = Assignment.objects.filter(study=study, state=Assignment.State.REJECTED)
    approved = _approved(study).filter(assignment=OuterRef("pk"))
    rows = rows.exclude(Exists(other_work_of(OuterRef("session_hash"), OuterRef("pk"))))
    ended = submissions_of("pk", "session_hash").filter(status__in=PlatformSubmission.ENDED)
    rows = rows.exclude(Exists(ended))
    return (
        rows.exclude(Exists(orders.exclude(state=Payment.State.REFUSED)))
        .exclude(Exists(approved))
        .exclude(external_id=b"")
        .select_related("worker")
        .prefetch_related("decisions")
    )


def other_work_of(session: OuterRef, work: OuterRef) -> QuerySet[Assignment]:
    """Return other work of the same submission that is not rejected without pay."""
    approved = LedgerEntry.objects.filter(
        assignment=OuterRef("pk"), kind=LedgerEntry.Kind.APPROVED, reversal=None
    )
    paid = Q(state__in=Assignment.HOLDING) | Exists(approved)
    return Assignment.objects.filter(paid, session_hash=session).exclude(
        Q(session_hash="") | Q(pk=work)
    )


def shortfalls(study: Study) -> OrderPreview:
    """Return what each person lacks to the target wage, over approved work of known time.

    Bonuses count as earned, also ordered ones. The bonus is for the last work without one, and is
    rounded up.
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
            dues.append(OrderAmount(last, person, lacking, counts.get(last, 0), hours, earned))
    return OrderPreview(study, dues)


def adjustments(study: Study) -> OrderPreview:
    """Return what each approved submission lacks to the planned reward an hour of median time.

    The platform's reward of a published study can't be raised, so the difference is a bonus, the
    same for everybody. Bonuses of a submission count as paid, and so does what a person's other
    submissions got beyond the planned rate.
    """
    rows = Payment.objects.filter(study=study, kind=Payment.Kind.BONUS).order_by()
    paid = dict(
        rows.exclude(state=Payment.State.REFUSED).values_list("assignment").annotate(Sum("amount"))
    )
    bonuses, counts, on_the_way = _bonuses(study)
    lacking: list[OrderAmount] = []
    for at in study.platform_studies.all():
        if not at.is_slower:
            continue
        hours = at.median_minutes / 60
        wanted = ceil(round(float(at.planned_wage) * 100 * hours, 6))
        approved = _approved(study).filter(assignment__platform_submissions__platform_study=at)
        for work, worker, amount in (
            approved.exclude(assignment__external_id=b"")
            .exclude(assignment__outcome=Outcome.SCREENED_OUT)
            .order_by("assignment")
            .values_list("assignment", "worker", "amount")
            .distinct()
        ):
            earned = amount + paid.get(work, 0)
            used = min(paid.get(work, 0), max(wanted - amount, 0))
            bonuses[worker] = bonuses.get(worker, 0) - used
            if wanted > earned and work not in on_the_way:
                due = wanted - earned
                lacking.append(OrderAmount(work, worker, due, counts.get(work, 0), hours, earned))
    return OrderPreview(study, list(_less(lacking, bonuses)))


def _less(dues: Sequence[OrderAmount], spare: Mapping[int, int]) -> Iterator[OrderAmount]:
    """Yield the amounts less what each person has to spare; those that become 0 are left out."""
    left = dict(spare)
    for due in dues:
        taken = min(left.get(due.worker, 0), due.amount)
        left[due.worker] = left.get(due.worker, 0) - taken
        if due.amount > taken:
            yield replace(due, amount=due.amount - taken, earned=due.earned + taken)


def _bonuses(study: Study) -> tuple[dict[int, int], dict[int, int], set[int]]:
    """Return bonuses by person, numbers of bonuses by work, and work with a bonus under way."""
    rows = Payment.objects.filter(study=study, kind=Payment.Kind.BONUS).order_by()
    bonuses = rows.exclude(state=Payment.State.REFUSED).values_list("worker")
    counts: defaultdict[int, int] = defaultdict(int)
    on_the_way = set()
    for work, state in rows.values_list("assignment", "state"):
        counts[work] += 1
        if state in Payment.OPEN:
            on_the_way.add(work)
    return dict(bonuses.annotate(Sum("amount"))), dict(counts), on_the_way


def _approved(study: Study) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(study=study, kind=LedgerEntry.Kind.APPROVED, reversal=None)
