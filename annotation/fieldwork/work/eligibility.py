"""Which tasks of a study a worker may get now. Changes nothing.

A study may ask for onboarding: `Study.onboarding_tasks` accepted tasks of onboarding batches come
before any other task. Rejected work does not count, and onboarding does not count towards the
cap. What was accepted in an earlier version of the study counts: it is the same study to its
workers.

Ask while the worker is locked. Decisions take that lock too, so that none comes between the
answer and the place.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.fieldwork.work.refusals import (
    BeingRead,
    CapReached,
    DoneInOtherSession,
    NoTaskLeft,
    NothingNew,
    NothingOpenYet,
    OnboardingOver,
    StudyNotOpen,
)
from annotation.models import (
    Assignment,
    Batch,
    Exposure,
    Place,
    Response,
    ReviewDecision,
    Study,
    Task,
    TaskExposure,
    Worker,
)

State = Assignment.State
BEGUN = Assignment.BEGUN


def not_open(study: Study) -> StudyNotOpen:
    """What to raise where no batch is open: none was yet, one may open again, or all are over."""
    states = set(study.batches.values_list("state", flat=True))
    if Batch.State.PAUSED in states or {Batch.State.DRAFT, Batch.State.CLOSED} <= states:
        return StudyNotOpen("paused")
    return StudyNotOpen("closed" if Batch.State.CLOSED in states else "planned")


@dataclass(frozen=True)
class OnboardingSubmission:
    """A task of the onboarding that was handed in at least once, and what a reviewer says of it."""

    assignment: Assignment
    last: ReviewDecision | None

    @property
    def state(self) -> str:
        """ "waiting", "accepted", "rejected", "redo", or how it ended otherwise."""
        if self.assignment.state == State.SUBMITTED:
            return "waiting"
        given_back = self.last and self.last.decision == ReviewDecision.Decision.REDO
        may_go_on = self.assignment.is_live or self.assignment.state == State.EXPIRED
        return "redo" if given_back and may_go_on else str(self.assignment.state)

    @property
    def feedback(self) -> str:
        """What the last decision says; nothing while newer work waits to be read."""
        return self.last.reason if self.last and self.state != "waiting" else ""


@dataclass(frozen=True)
class OnboardingProgress:
    """How far a worker is in the onboarding of a study."""

    study: Study
    submissions: tuple[OnboardingSubmission, ...] = ()

    @property
    def accepted(self) -> int:
        return sum(work.state == "accepted" for work in self.submissions)

    @property
    def waiting(self) -> int:
        return sum(work.state == "waiting" for work in self.submissions)

    @property
    def passed(self) -> bool:
        return self.accepted >= self.study.onboarding_tasks


@dataclass(frozen=True)
class Eligibility:
    """The tasks a worker may get, and their work that ran out of time and may go on.

    Both are of onboarding batches or both of the others. `left` is how many tasks they may still
    do there, however many are free.
    """

    onboarding: bool
    tasks: QuerySet[Task]
    late: QuerySet[Assignment]
    left: int

    @property
    def nothing_free(self) -> NoTaskLeft | NothingNew:
        """What to tell a worker if none of the tasks has a free place."""
        # Onboarding is only offered while it can still be passed, so that there are tasks.
        return NoTaskLeft() if self.onboarding or self.tasks.exists() else NothingNew()


def onboarding_progress(
    *, study: Study, worker: Worker, only: Q | None = None
) -> OnboardingProgress:
    """The onboarding work that the worker handed in, the oldest first.

    Where a person is not known to be the worker, `only` is what they may see.
    """
    if not study.onboarding_tasks:
        return OnboardingProgress(study)
    rows = Assignment.objects.filter(
        only or Q(),
        Q(submitted_at__isnull=False)
        | Exists(ReviewDecision.objects.filter(assignment=OuterRef("pk"))),
        study__slug=study.slug,
        worker=worker,
        task__batch__onboarding=True,
    ).exclude(state=State.WITHDRAWN)
    rows = rows.select_related("task", "study").prefetch_related("decisions").order_by("pk")
    return OnboardingProgress(
        study, tuple(OnboardingSubmission(row, _last_decision(row)) for row in rows)
    )


def _last_decision(assignment: Assignment) -> ReviewDecision | None:
    decisions = list(assignment.decisions.all())  # prefetched
    return decisions[-1] if decisions else None


def eligibility_of(*, study: Study, worker: Worker, owned: Q | None = None) -> Eligibility:
    """What the worker may get now: onboarding until enough of it is accepted, then the others.

    Where a person is not known to be the worker, `owned` is what they have shown to be theirs.
    Raises BeingRead, OnboardingOver, NoTaskLeft or StudyNotOpen for a worker in onboarding,
    CapReached, DoneInOtherSession or NothingOpenYet for the others.
    """
    progress = onboarding_progress(study=study, worker=worker)
    if not progress.passed:
        return _onboarding(progress, worker)
    counted = _counted_to_cap(study, worker)
    left = study.tasks_per_worker - counted.count()
    if left <= 0:
        others = counted.exclude(owned).last() if owned else None
        raise DoneInOtherSession(others.pk) if others else CapReached(study.tasks_per_worker)
    if study.onboarding_tasks and not study.batches.open().filter(onboarding=False).exists():
        raise NothingOpenYet
    tasks = _open_tasks(study=study, worker=worker, onboarding=False)
    late = _late(study=study, worker=worker, onboarding=False)
    return Eligibility(False, tasks, late, left)


def _counted_to_cap(study: Study, worker: Worker) -> QuerySet[Assignment]:
    """Rejected and withdrawn work count. Before such work was set apart, it did not where a
    researcher had found that somebody else did it under the id (recruiting.letting_in)."""
    counted = Assignment.objects.filter(study=study, worker=worker, task__batch__onboarding=False)
    counted = counted.exclude(state__in=[State.RETURNED, State.EXPIRED])
    closed = [State.REJECTED, State.WITHDRAWN]
    released = Q(held_up__released_at__isnull=False, set_apart=None)
    return counted.exclude(released, state__in=closed)


def _open_tasks(*, study: Study, worker: Worker, onboarding: bool) -> QuerySet[Task]:
    """Tasks of open batches that show nothing the worker has met or written."""
    # By slug: a new version of a study is the same study to its workers.
    met = Exposure.objects.filter(study__slug=study.slug, worker=worker).values("unit")
    own = Response.objects.filter(author=worker)
    return (
        Task.objects.filter(
            batch__study=study, batch__state=Batch.State.OPEN, batch__onboarding=onboarding
        )
        .exclude(Exists(Assignment.objects.filter(task=OuterRef("pk"), worker=worker)))
        .exclude(Exists(TaskExposure.objects.filter(task=OuterRef("pk"), unit__in=met)))
        .exclude(Exists(Task.shows.through.objects.filter(task=OuterRef("pk"), response__in=own)))
    )


def _late(*, study: Study, worker: Worker, onboarding: bool) -> QuerySet[Assignment]:
    """Work of open batches whose time ran out; it goes on if a place of its task is free, unless it
    was ended because it was in somebody's way."""
    return Assignment.objects.filter(
        study=study,
        worker=worker,
        state=State.EXPIRED,
        task__batch__state=Batch.State.OPEN,
        task__batch__onboarding=onboarding,
        held_up__released_at=None,
    )


def _onboarding(progress: OnboardingProgress, worker: Worker) -> Eligibility:
    """The onboarding tasks for a worker who has not passed yet.

    1. A worker who has handed in enough waits until it is read.
    2. A worker who can no longer pass is not given work in vain.
    3. A worker begins only where enough tasks have a place that no worker before them needs:
       otherwise latecomers would take the second and third task of those who have begun.
    """
    study = progress.study
    needed = study.onboarding_tasks - progress.accepted - progress.waiting
    if needed <= 0:
        raise BeingRead
    # Two beginners at once would both see the last place: the second waits for the first here.
    waves = Batch.objects.open().filter(study=study, onboarding=True)
    if not list(waves.select_for_update(no_key=True)) and not progress.submissions:
        raise not_open(study)
    tasks = _open_tasks(study=study, worker=worker, onboarding=True)
    late = _late(study=study, worker=worker, onboarding=True)
    if late.count() + at_most(tasks) < needed:
        raise OnboardingOver(study.onboarding_tasks)
    if not Assignment.objects.filter(task__batch__in=waves, worker=worker, state__in=BEGUN):
        spare = _spare(study, worker)
        tasks, late = tasks.filter(pk__in=spare), late.filter(task__in=spare)
        if late.count() + at_most(tasks) < needed:
            raise NoTaskLeft
    return Eligibility(True, tasks, late, needed)


def at_most(tasks: QuerySet[Task]) -> int:
    """How many of these tasks one worker can do without meeting a unit twice.

    Exact where a task has one unit or none; an upper bound where tasks share some of many.
    """
    showing = Exists(TaskExposure.objects.filter(task=OuterRef("pk")))
    units = TaskExposure.objects.filter(task__in=tasks.values("pk")).values("unit").distinct()
    return tasks.exclude(showing).count() + min(tasks.filter(showing).count(), units.count())


def most_tasks(study: Study) -> int:
    """How many tasks one person may do there, besides the onboarding. On Prolific that is for the
    platform to say, which gives out one place at a time."""
    if study.tasks_per_worker == 1 or study.recruitment == Study.Recruitment.PROLIFIC:
        return 1
    there = at_most(Task.objects.filter(batch__study=study, batch__onboarding=False))
    return min(study.tasks_per_worker, there or study.tasks_per_worker)  # none: it is imagined


def _spare(study: Study, worker: Worker) -> set[int]:
    """Open onboarding tasks with a place that no other worker in onboarding needs.

    A worker is in onboarding who has begun, has not passed and still can. Such a worker needs
    each task that they have not been on, and each that they may come back to.
    """
    open_waves = {"task__batch__study": study, "task__batch__onboarding": True}
    open_waves["task__batch__state"] = Batch.State.OPEN
    places = Place.objects.filter(**open_waves).values_list("task")
    free = dict(places.annotate(n=Count("pk", Q(assignment=None))))
    others = Assignment.objects.filter(**open_waves).exclude(worker=worker)
    states: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for person, task, state in others.values_list("worker", "task", "state"):
        if state != State.EXPIRED:
            states[person][task] = state
    needed: Counter[int] = Counter()
    for been in states.values():
        good = sum(state in Assignment.HOLDING for state in been.values())
        passed = Counter(been.values())[State.ACCEPTED] >= study.onboarding_tasks
        may_still = good + len(free) - len(been) >= study.onboarding_tasks
        if not passed and may_still and any(state in BEGUN for state in been.values()):
            needed.update(task for task in free if task not in been)
    return {task for task, places_left in free.items() if places_left > needed[task]}
