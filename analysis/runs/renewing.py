"""Analysing studies again: after a closing, after changes, and without those who withdrew.

Changes are seen by comparing the work itself with that of the newest run
(analysis.inputs.frozen_work), never by comparing times, because clocks jump.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.settings import PEOPLE, WITH_MACHINES, in_force
from analysis.models import AnalysisRun
from analysis.runs.running import Enqueue, NothingToAnalyse, cancel, lock_study, start
from annotation import wiping
from annotation.models import Assignment, Batch, ReviewDecision, Study
from judging.raters.pools import Pool, UnknownPool

SETTLED = timedelta(minutes=2)  # without a change of its work a study is analysed again
MATTERING = (*Assignment.COUNTING, Assignment.State.REJECTED, Assignment.State.WITHDRAWN)


def unanalysed(*, now: datetime) -> list[Batch]:
    """Return closed batches with answers that wait for an analysis.

    None was asked for since they were closed, or since the work of their study changed (submitted
    late, decided on, to be redone, withdrawn) and then came to rest: a reviewer of a hundred texts
    starts one analysis and not a hundred.
    """
    counting = Assignment.objects.counting().filter(task__batch=OuterRef("pk"))
    written = Q(study__kind=Study.Kind.WRITING) & Q(Exists(counting))
    answered = written | Q(Exists(counting.filter(judgments__isnull=False)))
    closed = Batch.objects.filter(answered, state=Batch.State.CLOSED).select_related("study")
    waiting: list[Batch] = []
    for study in {batch.study for batch in closed}:
        runs = AnalysisRun.objects.filter(study=study, batch=None).of_pool(PEOPLE)
        run = runs.newest_first().first()
        frozen = FrozenWork.of(run.frozen if run else {})
        batches = [batch for batch in closed if batch.study_id == study.pk]
        if any(batch.pk not in frozen.closed for batch in batches):
            waiting += [batch for batch in batches if batch.pk not in frozen.closed]
        elif frozen.standing != FrozenWork.now(study).standing and not _moving(study, now):
            waiting += batches
    return sorted(waiting, key=lambda batch: batch.pk)


def _moving(study: Study, now: datetime) -> bool:
    """Return whether its work changed a moment ago; times in the future are of a wrong clock."""
    just_now: dict[str, Any] = {"gt": now - SETTLED, "lte": now}
    work = Assignment.objects.filter(study=study, state__in=MATTERING)
    decisions = ReviewDecision.objects.filter(assignment__study=study)
    return (
        work.filter(_within("submitted_at", just_now) | _within("ended_at", just_now)).exists()
        or decisions.filter(_within("decided_at", just_now)).exists()
    )


def _within(field: str, span: dict[str, Any]) -> Q:
    return Q(**{f"{field}__{end}": at for end, at in span.items()})


@transaction.atomic
def overtake(*, assignment: Assignment) -> int:
    """Mark the runs that count the answers of somebody who withdrew, and stop those under way.

    Returns their number. Until another run is finished, pages and files show the marked one without
    the rows of this worker, and say that it is older; then it is erased (`renew`).
    """
    lock_study(assignment.study_id)
    marked = 0
    for run in AnalysisRun.objects.filter(study=assignment.study_id, overtaken=False):
        if assignment.pk in FrozenWork.of(run.frozen).counting:
            AnalysisRun.objects.filter(pk=run.pk).update(overtaken=True)
            cancel(run=run)
            marked += 1
    return marked


@transaction.atomic
def overtake_pools(*, study: Study, pools: Collection[str]) -> int:
    """Mark the runs of pools whose members or answers have changed; return their number."""
    lock_study(study.pk)
    theirs = Q(parameters__pool__in=list(pools))
    if MODELS in pools:
        theirs |= Q(**{f"parameters__{WITH_MACHINES}": True})
    runs = study.runs.filter(theirs, overtaken=False)
    for run in runs:
        AnalysisRun.objects.filter(pk=run.pk).update(overtaken=True)
        cancel(run=run)
    return len(runs)


def overtaken_studies() -> list[int]:
    """Return the ids of studies with a run that counts somebody who has withdrawn since."""
    runs = AnalysisRun.objects.filter(overtaken=True).order_by()
    return list(runs.values_list("study", flat=True).distinct())


def renew(*, study: Study, enqueue: Enqueue) -> None:
    """Analyse without those who withdrew, as it was asked for last, and erase what counts them.

    Each pool of raters is analysed by itself. An overtaken run is erased when a later one is
    finished, or when nothing is left to analyse.
    """
    for pool in {run.pool for run in study.runs.filter(overtaken=True).only("parameters")}:
        _renew(study, pool, enqueue)


def _renew(study: Study, pool: str, enqueue: Enqueue) -> None:
    runs = study.runs.of_pool(pool)
    newest = runs.newest_first().first()
    if newest is not None and newest.overtaken:
        try:
            _again(newest, enqueue)
        except (NothingToAnalyse, UnknownPool):
            _erase(runs.filter(overtaken=True))
    if (done := runs.finished().filter(overtaken=False).newest_first().first()) is not None:
        _erase(runs.filter(overtaken=True, asked__lt=done.asked, finished_at__isnull=False))


@transaction.atomic
def _erase(runs: "QuerySet[AnalysisRun]") -> None:
    if runs.delete()[0]:
        wiping.mark_erasure()


def replace(*, run: AnalysisRun, enqueue: Enqueue) -> None:
    """Start another run where the data of this one changed under it, unless there is one."""
    newest = run.study.runs.of_pool(run.pool).newest_first().first()
    if newest == run:
        _again(run, enqueue)


def _again(run: AnalysisRun, enqueue: Enqueue) -> AnalysisRun:
    parameters = in_force(run.parameters)
    if run.with_machines and not Pool(MODELS).judgments(study=run.study).exists():
        parameters.pop(WITH_MACHINES)  # their judgments were taken out
    return start(
        study=run.study,
        batch=run.batch,
        parameters=parameters,
        seed=run.seed,
        enqueue=enqueue,
        retry=run.overtaken,  # one that failed would fail again
    )
