"""The tasks of a study that a worker may get now. Only reads, and asks for a locked worker.

A study may require onboarding: `Study.onboarding_tasks` accepted tasks of onboarding batches come
before any other. Rejected work does not count, onboarding does not count towards the cap, and work
accepted in an earlier version of the study counts. Decisions lock the worker, too, so that none
comes between the answer and the place.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace

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
    """Return the refusal of a study without an open batch: planned, paused or closed."""
    states = set(study.batches.values_list("state", flat=True))
    if Batch.State.PAUSED in states or {Batch.State.DRAFT, Batch.State.CLOSED} <= states:
        return StudyNotOpen("paused")
    return StudyNotOpen("closed" if Batch.State.CLOSED in states else "planned")


@dataclass(frozen=True)
class OnboardingSubmission:
    """An onboarding task that was submitted at least once, with its last decision."""

    assignment: Assignment
    last: ReviewDecision | None

    @property
    def state(self) -> str:
        """One of "waiting", "accepted", "rejected" and "redo", or the state of other work."""
        if self.assignment.state == State.SUBMITTED:
            return "waiting"
        given_back = self.last and self.last.decision == ReviewDecision.Decision.REDO
        may_go_on = self.assignment.is_live or self.assignment.state == State.EXPIRED
        return "redo" if given_back and may_go_on else str(self.assignment.state)

    @property
    def feedback(self) -> str:
        """The reason of the last decision, unless newer work waits for one."""
        return self.last.reason if self.last and self.state != "waiting" else ""


@dataclass(frozen=True)
class OnboardingProgress:
    """A worker's progress in the onboarding of a study."""

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
    """The tasks a worker may get, and late work that they may resume.

    Both are of onboarding batches or both of the others. `left` is how many tasks they may still do
    there, however many are free.
    """

    onboarding: bool
    tasks: QuerySet[Task]
    late: QuerySet[Assignment]
    left: int

    def in_arm(self, arm: str) -> "Eligibility":
        """Return a copy that is limited to tasks of an arm."""
        return replace(self, tasks=self.tasks.filter(arm=arm))

    @property
    def nothing_free(self) -> NoTaskLeft | NothingNew:
        """The refusal if none of the tasks has a free place."""
        # Onboarding is only offered while it can still be passed, so that there are tasks.
        return NoTaskLeft() if self.onboarding or self.tasks.exists() else NothingNew()


def onboarding_progress(
    *, study: Study, worker: Worker, only: Q | None = None
) -> OnboardingProgress:
    """Return the worker's submitted onboarding work, oldest first.

    `only` narrows it to what an unproved person may see.
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
    """Return the tasks for the worker: onboarding until it is passed, then the others.

    `owned` is the work that an unproved person has shown to be theirs. Raises BeingRead,
    OnboardingOver, NoTaskLeft or StudyNotOpen in the onboarding, otherwise CapReached,
    DoneInOtherSession or NothingOpenYet.
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
    """Return the work that counts towards the cap, with rejected and withdrawn work.

    Work that was released before released work was set apart does not count.
    """
    counted = Assignment.objects.filter(study=study, worker=worker, task__batch__onboarding=False)
    counted = counted.exclude(state__in=[State.RETURNED, State.EXPIRED])
    closed = [State.REJECTED, State.WITHDRAWN]
    released = Q(held_up__released_at__isnull=False, set_apart=None)
    return counted.exclude(released, state__in=closed)


def _open_tasks(*, study: Study, worker: Worker, onboarding: bool) -> QuerySet[Task]:
    """Return tasks of open batches that show nothing the worker has met or written.

    What the worker has met and written is read first. As subqueries, PostgreSQL would read them for
    each unit of each task as long as it takes their tables for empty.
    """
    # By slug: a new version of a study is the same study to its workers.
    exposures = Exposure.objects.filter(study__slug=study.slug, worker=worker)
    met = list(exposures.values_list("unit", flat=True))
    written = list(Response.objects.filter(author=worker).values_list("pk", flat=True))
    return (
        Task.objects.filter(
            batch__study=study, batch__state=Batch.State.OPEN, batch__onboarding=onboarding
        )
        .exclude(Exists(Assignment.objects.filter(task=OuterRef("pk"), worker=worker)))
        .exclude(Exists(TaskExposure.objects.filter(task=OuterRef("pk"), unit__in=met)))
        .exclude(
            Exists(Task.shows.through.objects.filter(task=OuterRef("pk"), response__in=written))
        )
    )


def _late(*, study: Study, worker: Worker, onboarding: bool) -> QuerySet[Assignment]:
    """Return late work of open batches that was not ended because it held somebody up."""
    return Assignment.objects.filter(
        study=study,
        worker=worker,
        state=State.EXPIRED,
        task__batch__state=Batch.State.OPEN,
        task__batch__onboarding=onboarding,
        held_up__released_at=None,
    )


def _onboarding(progress: OnboardingProgress, worker: Worker) -> Eligibility:
    """Return the onboarding tasks for a worker who has not passed yet.

    1. A worker who has submitted enough waits for the decision.
    2. A worker who can no longer pass gets no work in vain.
    3. A worker begins only where enough tasks have a place that no earlier worker needs: otherwise
       latecomers would take the second and third task of those who have begun.
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
    """Return how many of these tasks one worker can do without meeting a unit twice.

    Exact where a task has at most one unit, an upper bound where tasks share some of many.
    """
    showing = Exists(TaskExposure.objects.filter(task=OuterRef("pk")))
    units = TaskExposure.objects.filter(task__in=tasks.values("pk")).values("unit").distinct()
    return tasks.exclude(showing).count() + min(tasks.filter(showing).count(), units.count())


def most_tasks(study: Study) -> int:
    """Return how many tasks besides the onboarding one person may do; one on Prolific."""
    if study.tasks_per_worker == 1 or study.recruitment == Study.Recruitment.PROLIFIC:
        return 1
    tasks = Task.objects.filter(batch__study=study, batch__onboarding=False)
    arms = tasks.order_by().values_list("arm", flat=True).distinct()
    possible = max((at_most(tasks.filter(arm=arm)) for arm in arms), default=0)
    return min(study.tasks_per_worker, possible or study.tasks_per_worker)  # none: it is imagined


def _spare(study: Study, worker: Worker) -> set[int]:
    """Return open onboarding tasks with a place that no other worker in onboarding needs.

    A worker is in onboarding who has begun, has not passed and still can, and needs each task that
    they have not been on or may come back to.
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
