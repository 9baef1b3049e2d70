"""Offered work and its cost, and the effect of an act on a batch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.db import transaction
from django.db.models import Count, Q

from annotation.models import Assignment, Batch, Place, Study, Task
from annotation.studies.measured_time import measured_minutes
from annotation.studies.wages import TaskTerms

# What a platform takes on top of what people get, as a share of it. Prolific: what universities
# and non-profits pay (a third); companies pay more.
FEES = {Study.Recruitment.PROLIFIC.value: Decimal(1) / 3}
CENT = Decimal("0.01")


@dataclass(frozen=True)
class Money:
    """Pay of workers and fee of their platform, in one currency."""

    pay: Decimal
    fees: Decimal
    currency: str

    @property
    def total(self) -> Decimal:
        return self.pay + self.fees


def price(*, places: int, pay: Decimal, platform: str, currency: str) -> Money:
    wages = places * pay
    share = FEES.get(platform, Decimal(0))
    return Money(wages, (wages * share).quantize(CENT, ROUND_HALF_UP), currency)


@dataclass(frozen=True)
class BatchTerms:
    """The work of a batch: its tasks, its places and who holds them, the terms of one task."""

    batch: Batch
    study: Study
    tasks: int
    places: int
    done: int
    at_work: int
    pay: Decimal
    minutes: int

    @property
    def free(self) -> int:
        return self.places - self.done - self.at_work

    @property
    def votes(self) -> int:
        """Workers for each task."""
        return round(self.places / self.tasks) if self.tasks else 0

    @property
    def fewest(self) -> int:
        """People, where each does as many tasks as they may."""
        most = min(self.study.tasks_per_worker, self.tasks)
        return -(-self.places // most) if most else 0

    @property
    def hours(self) -> float:
        return self.places * self.minutes / 60

    @property
    def expected(self) -> TaskTerms:
        measured = None if self.batch.onboarding else measured_minutes(self.study)
        return TaskTerms(
            pay=float(self.pay),
            minutes=self.minutes,
            careful=self.batch.careful_minutes,
            target=float(self.study.hourly_wage),
            currency=self.study.currency,
            measured=measured.mean if measured else None,
        )

    @property
    def cost(self) -> Money:
        """Cost if every place is taken."""
        return self._price(self.places)

    @property
    def left(self) -> Money:
        """Cost of the free places."""
        return self._price(self.free)

    def _price(self, places: int) -> Money:
        study = self.study
        return price(
            places=places, pay=self.pay, platform=study.recruitment, currency=study.currency
        )

    @property
    def people(self) -> str:
        """For people: at most as many as there are places."""
        if self.fewest == self.places:
            return f"{self.places:,}"
        return f"{self.fewest:,} to {self.places:,}"


def terms_of(batch: Batch) -> BatchTerms:
    return terms_of_batches([batch])[0]


def terms_of_batches(batches: Sequence[Batch]) -> list[BatchTerms]:
    """Return the terms of batches of a study at hand, in two queries."""
    tasks = Task.objects.filter(batch__in=batches).order_by().values_list("batch")
    of_tasks = dict(tasks.annotate(n=Count("pk")))
    places = Place.objects.filter(task__batch__in=batches).order_by().values("task__batch")
    counted = places.annotate(
        places=Count("pk"),
        done=Count("pk", Q(assignment__state__in=Assignment.COUNTING)),
        at_work=Count("pk", Q(assignment__state__in=Assignment.LIVE)),
    )
    counts = {row.pop("task__batch"): row for row in counted}
    nothing = {"places": 0, "done": 0, "at_work": 0}
    return [
        _offer(batch, of_tasks.get(batch.pk, 0), counts.get(batch.pk, nothing)) for batch in batches
    ]


def _offer(batch: Batch, tasks: int, counts: Mapping[str, int]) -> BatchTerms:
    pay, minutes = batch.terms_in(batch.study)
    return BatchTerms(batch, batch.study, tasks=tasks, pay=pay, minutes=minutes, **counts)


@dataclass(frozen=True)
class ActEffect:
    """A batch before something is done and after it; `before` is None where it makes one.

    `asks` are reasons to think again, which the user has to confirm. `cells` counts the entries
    that are asked about a text.
    """

    before: BatchTerms | None
    after: BatchTerms
    asks: tuple[str, ...] = ()
    cells: int = 0
    items: int = 0
    undecided: int = 0

    @property
    def added(self) -> BatchTerms:
        """The places that come to what there was."""
        if self.before is None:
            return self.after
        return BatchTerms(
            batch=self.after.batch,
            study=self.after.study,
            tasks=self.after.tasks,
            places=self.after.places - self.before.places,
            done=0,
            at_work=0,
            pay=self.after.pay,
            minutes=self.after.minutes,
        )


def rehearse(do: Callable[[], Batch], *, batch: Batch | None) -> ActEffect:
    """Do it, see what came of it, and leave everything as it was. Raises what it raises.

    `batch` is the one that it is done with, None where a new one is made.
    """
    with transaction.atomic():
        before = terms_of(batch) if batch is not None else None
        effect = ActEffect(before, terms_of(do()))
        transaction.set_rollback(True)
    return effect
