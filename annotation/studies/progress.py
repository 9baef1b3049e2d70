"""Progress of a study: places, funnel, times. Only reads; nothing is counted twice."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from statistics import median

from django.db.models import Count, F, Q
from django.utils.translation import gettext

from annotation.models import Arm, Assignment, Batch, Place, Study, Task

State = Assignment.State


COUNTS = {
    "places": Count("id"),
    "done": Count("id", Q(assignment__state__in=Assignment.COUNTING)),
    "working": Count("id", Q(assignment__state__in=Assignment.LIVE)),
}


@dataclass(frozen=True)
class BatchProgress:
    """Places of a batch: all, done (submitted or accepted), at work, free."""

    batch: Batch
    places: int
    done: int
    working: int
    tasks: int = 0  # whose places these are, where they were counted

    @property
    def free(self) -> int:
        return self.places - self.done - self.working

    @property
    def percent(self) -> float:
        return 100 * self.done / self.places if self.places else 0.0


@dataclass(frozen=True)
class ArmProgress:
    """Places of an arm in all batches: all, done (submitted or approved), at work."""

    arm: Arm
    places: int
    done: int
    working: int


@dataclass(frozen=True)
class Funnel:
    """Number of assignments that reached each step, and the ends of those that stopped."""

    agreed: int
    worked: int
    submitted: int
    accepted: int
    rejected: int
    returned: int
    expired: int
    withdrawn: int
    at_work: int = 0  # they have agreed, and may still hand in
    nothing_saved: int = 0  # at work, without a first answer or form

    @property
    def steps(self) -> list["FunnelStep"]:
        """Return the steps, with the number of assignments lost before each."""
        saved = _lost(self.agreed, self.worked + self.nothing_saved)
        handed_in = _lost(self.worked, self.submitted + self.at_work - self.nothing_saved)
        lost = (0.0, saved, handed_in, 0.0)
        counts = (self.agreed, self.worked, self.submitted, self.accepted)
        names = (
            gettext("Agreed"),
            gettext("Saved work"),
            gettext("Submitted"),
            gettext("Approved"),
        )
        states = ("", "saved", "handed-in", "accepted")
        return [FunnelStep(*step) for step in zip(names, counts, lost, states, strict=True)]

    @property
    def ends(self) -> list["FunnelStep"]:
        """Ways in which assignments ended without an accepted submission, those that occurred."""
        ends = (
            (gettext("rejected"), self.rejected, "rejected"),
            (gettext("returned"), self.returned, "returned"),
            (gettext("out of time"), self.expired, "expired"),
            (gettext("withdrawn"), self.withdrawn, "withdrawn"),
        )
        return [FunnelStep(name, n, 0.0, state) for name, n, state in ends if n]


def _lost(before: int, now: int) -> float:
    return (before - now) / before if before else 0.0


@dataclass(frozen=True)
class FunnelStep:
    """A step of the funnel.

    `lost` is the share of the step before that will not come here, without those still at work.
    """

    name: str
    n: int
    lost: float
    state: str  # by which the list of work is narrowed to them

    @property
    def percent_lost(self) -> int:
        return round(100 * self.lost)


@dataclass(frozen=True)
class Times:
    """Seconds from consent to submission. None where nobody has submitted."""

    n: int
    median: float | None
    low: float | None  # tenth percentile
    high: float | None  # ninetieth percentile
    too_fast: int  # under the study's minimum: marked for review, never a verdict


@dataclass(frozen=True)
class Newcomers:
    """Workers of a study with onboarding: how many passed it, and how many are still in it."""

    passed: int
    in_onboarding: int


def newcomers_of(study: Study) -> Newcomers:
    passed = passed_by(study).values()
    return Newcomers(sum(passed), len(passed) - sum(passed))


def passed_by(study: Study) -> dict[int, bool]:
    """Return for each worker in the onboarding whether they passed it, in any version."""
    workers = Assignment.objects.filter(study=study).values("worker")
    rows = Assignment.objects.filter(study__slug=study.slug, task__batch__onboarding=True)
    rows = rows.exclude(state__in=[State.WITHDRAWN, State.RETURNED, State.EXPIRED]).order_by()
    rows = rows.filter(worker__in=workers)
    accepted = rows.values("worker").annotate(n=Count("pk", Q(state=State.ACCEPTED)))
    return {row["worker"]: row["n"] >= study.onboarding_tasks for row in accepted}


def batches_of(study: Study) -> list[BatchProgress]:
    return batches_in([study])[study.pk]


def with_tasks(batches: list[BatchProgress], *, study: Study) -> list[BatchProgress]:
    """Return the batches annotated with their number of tasks."""
    rows = Task.objects.filter(batch__study=study).order_by().values("batch")
    tasks = dict(rows.annotate(n=Count("pk")).values_list("batch", "n"))
    return [replace(batch, tasks=tasks.get(batch.batch.pk, 0)) for batch in batches]


def arms_in(study: Study) -> list[ArmProgress]:
    """Return the arms of a study in order, or an empty list for a study without arms."""
    if study.arms == Study.Arms.ALL:
        return []
    rows = Place.objects.filter(task__batch__study=study).order_by().values_list("task__arm")
    counts = {arm: counted for arm, *counted in rows.annotate(**COUNTS)}
    return [ArmProgress(arm, *counts.get(arm.key, (0, 0, 0))) for arm in study.arm_rows.all()]


def batches_in(studies: Iterable[Study]) -> dict[int, list[BatchProgress]]:
    """Return the batches of each study by its primary key, in two queries."""
    progress_by_study: dict[int, list[BatchProgress]] = {study.pk: [] for study in studies}
    rows = (
        Place.objects.filter(task__batch__study__in=progress_by_study)
        .values("task__batch")
        .annotate(**COUNTS)
    )
    counts = {row.pop("task__batch"): row for row in rows}
    nothing = {"places": 0, "done": 0, "working": 0}
    for batch in Batch.objects.filter(study__in=progress_by_study).order_by("study", "number"):
        progress_by_study[batch.study_id].append(
            BatchProgress(batch, **counts.get(batch.pk, nothing))
        )
    return progress_by_study


def funnel_of(study: Study) -> Funnel:
    rows = Assignment.objects.filter(study=study)
    by_state = dict(rows.values_list("state").annotate(n=Count("id")))
    live, submitted = Q(state__in=Assignment.LIVE), Q(submitted_at__isnull=False)
    saved = Q(worked_at__isnull=False) | submitted
    steps = rows.aggregate(
        worked=Count("pk", saved),
        submitted=Count("pk", submitted),
        at_work=Count("pk", live),
        nothing_saved=Count("pk", live & ~saved),
    )
    return Funnel(
        agreed=sum(by_state.values()),
        accepted=by_state.get(State.ACCEPTED, 0),
        rejected=by_state.get(State.REJECTED, 0),
        returned=by_state.get(State.RETURNED, 0),
        expired=by_state.get(State.EXPIRED, 0),
        withdrawn=by_state.get(State.WITHDRAWN, 0),
        **steps,
    )


def participants_of(study: Study) -> int:
    """Return how many people have work that analyses read."""
    return Assignment.objects.filter(study=study).counting().values("worker").distinct().count()


def fewest_participants_of(study: Study) -> int:
    """Return the number of people with such work in the smallest arm, or in the whole study."""
    if study.arms == Study.Arms.ALL:
        return participants_of(study)
    counted = Assignment.objects.filter(study=study).counting().order_by().values_list("task__arm")
    people = dict(counted.annotate(n=Count("worker", distinct=True)))
    return min((people.get(arm.key, 0) for arm in study.arm_rows.all()), default=0)


def times_of(study: Study) -> Times:
    spans: list[timedelta] = list(
        Assignment.objects.filter(study=study)
        .counting()
        # Imported work of unknown length starts and ends at the same moment.
        .filter(submitted_at__gt=F("started_at"))
        .values_list(F("submitted_at") - F("started_at"), flat=True)
    )
    seconds = sorted(span.total_seconds() for span in spans)
    if not seconds:
        return Times(0, None, None, None, 0)
    last = len(seconds) - 1
    return Times(
        n=len(seconds),
        median=median(seconds),
        low=seconds[round(0.1 * last)],
        high=seconds[round(0.9 * last)],
        too_fast=sum(second < study.minimum_seconds for second in seconds),
    )
