"""Running analyses step by step, each step one job.

A run is idempotent (the same data, parameters, seed and code version are the same run) and survives
its workers: the database knows which steps wait, which run and which are done. A step is taken by a
guarded UPDATE; one that was not touched for a while is handed out again (`sweep`).
"""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.translation import gettext

from analysis.inputs.analysis_input import Tables
from analysis.inputs.definition import offered_analyses
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.interim import fixed_intervals_hidden
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.run_data import DataChanged, digests, measures_in
from analysis.inputs.settings import PEOPLE, SEQUENTIAL, WITH_MACHINES, complete, pool_name_of
from analysis.inputs.step_input import input_of, parts_of
from analysis.models import AnalysisRun, AnalysisStep, Result
from analysis.runs.applicability import remarks, subjects
from analysis.runs.heartbeat import STALE, heartbeat
from analysis.stats.errors import CannotCompute
from annotation import jobs
from annotation.clock import database_now
from annotation.models import Assignment, Batch, Study
from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import marked
from judging.raters.pools import Pool, pool_of
from writing.process.measuring import measure_study

log = structlog.get_logger(__name__)

ATTEMPTS = 3

Enqueue = Callable[[int], Any]  # hands the pk of a queued step to whoever works
State = AnalysisStep.State


class NothingToAnalyse(CodedError):
    """The study has nothing that an analysis could read; the message says why."""


class WorkerGone(RuntimeError):
    """The worker of a step never came back, perhaps for lack of memory."""

    def __init__(self) -> None:
        super().__init__(
            marked("The process stopped during this step. It may have run out of memory.")
        )


# -- Starting ----------------------------------------------------------------------------------


def start(
    *,
    study: Study,
    enqueue: Enqueue,
    batch: Batch | None = None,
    parameters: dict[str, Any] | None = None,
    seed: int | None = None,
    retry: bool = True,
    pool: str = "",
) -> AnalysisRun:
    """Start the analyses of a study, or return the run that has answered the same already.

    `pool` names the raters that it reads, by default people. The work that counts is fixed at the
    first moment. A run that failed or was cancelled is tried again, unless `retry` is False. Raises
    NothingToAnalyse or UnknownPool.
    """
    frozen = FrozenWork.now(study, batch)
    parameters = _parameters(study, parameters or {}, pool, batch, is_open=frozen.is_open)
    seed = study.seed if seed is None else seed
    if study.kind == Study.Kind.WRITING:
        measure_study(study=study, now=database_now())  # those that the worker has not come to yet
    read = Pool(pool_name_of(parameters))
    inputs = digests(
        study=study,
        batch=batch,
        votes_per_item=parameters.get("votes_per_item"),
        pool=read,
        frozen=frozen,
        with_machines=bool(parameters.get(WITH_MACHINES)),
    )
    require_work(study=study, batch=batch, frozen=frozen, pool=read)
    digest = _sha(inputs)
    key = _sha([study.pk, batch and batch.pk, digest, parameters, seed, settings.VERSION])
    with transaction.atomic():
        lock_study(study.pk)
        run, is_new = AnalysisRun.objects.get_or_create(
            key=key,
            defaults={
                "study": study,
                "batch": batch,
                "parameters": parameters,
                "seed": seed,
                "version": settings.VERSION,
                "asked_at": database_now(),
                "frozen": frozen.as_json(),
                "digest": digest,
                "inputs": inputs,
            },
        )
        _ask(run, frozen)
        if is_new:
            _plan(run)
        elif retry and run.state in (AnalysisRun.State.FAILED, AnalysisRun.State.CANCELLED):
            _again(run)
        _queue_stage(run, enqueue)
    run.refresh_from_db()
    return run


def lock_study(study: int) -> None:
    """Lock a study, so that starting runs and marking withdrawals follow one another."""
    Study.every.select_for_update(no_key=True).get(pk=study)


def _ask(run: AnalysisRun, frozen: FrozenWork) -> None:
    """Store that the run was requested last, and its work; somebody may have withdrawn already."""
    last = AnalysisRun.objects.filter(study=run.study_id).aggregate(last=Max("asked"))["last"]
    gone = Assignment.objects.filter(pk__in=frozen.counting, state=Assignment.State.WITHDRAWN)
    AnalysisRun.objects.filter(pk=run.pk).update(
        asked=last + 1,
        asked_at=database_now(),
        frozen=frozen.as_json(),
        overtaken=gone.exists(),
        without=_withdrawn(run),
    )
    run.refresh_from_db()


def _withdrawn(run: AnalysisRun) -> int:
    """Return the number of people who submitted work that it would have read, and withdrew."""
    if run.pool != PEOPLE:
        return 0
    rows = Assignment.objects.filter(study=run.study_id, state=Assignment.State.WITHDRAWN)
    if run.batch_id is not None:
        rows = rows.filter(task__batch=run.batch_id)
    return rows.filter(submitted_at__isnull=False).values("worker").distinct().count()


def _parameters(
    study: Study, given: dict[str, Any], pool: str, batch: Batch | None, *, is_open: bool
) -> dict[str, Any]:
    """Return every parameter of a run.

    A pool of people is not stored, as in older runs; the cap on the votes of an item does not apply
    to imported labels. While the study is open, intervals must hold at every look.
    """
    pool_name = pool or str(given.get("pool", PEOPLE))
    read = pool_of(name=pool_name, study=study)
    of_study: dict[str, Any] = study.analysis
    if not read.is_working:
        of_study = {name: of_study[name] for name in of_study if name != "votes_per_item"}
    parameters = complete(of_study, given)
    parameters.pop("pool", None)
    parameters.pop(SEQUENTIAL, None)
    parameters |= {SEQUENTIAL: True} if is_open else {}
    if parameters.pop(WITH_MACHINES, False) and read.name != MODELS:
        parameters[WITH_MACHINES] = True
        require_machines(study, batch)
    return parameters if read.name == PEOPLE else parameters | {"pool": read.name}


def require_machines(study: Study, batch: Batch | None) -> None:
    """Raise NothingToAnalyse unless a model has answered what the run reads."""
    models = Pool(MODELS)
    if models.judgments(study=study, batch=batch).exists():
        return
    if batch is not None and models.judgments(study=study).exists():
        raise NothingToAnalyse("batch", gettext("To include LLM judges, analyse the whole study."))
    raise NothingToAnalyse(
        "no_llm_labels",
        gettext("“{title}” has no labels from LLM judges.").format(title=study.title),
    )


def require_work(
    *, study: Study, pool: Pool, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> None:
    """Raise NothingToAnalyse unless somebody of the pool submitted something."""
    if has_work(study=study, pool=pool, batch=batch, frozen=frozen):
        return
    if study.kind == Study.Kind.WRITING:
        sentence = gettext("“{title}” has no submitted texts yet.").format(title=study.title)
    else:
        of = "" if pool.name == PEOPLE else f" of {pool}"
        sentence = gettext("“{title}” has no submitted judgments{of} yet.").format(
            title=study.title, of=of
        )
    raise NothingToAnalyse("no_submissions", sentence)


def has_work(
    *, study: Study, pool: Pool, batch: Batch | None = None, frozen: FrozenWork | None = None
) -> bool:
    """Return whether somebody of the pool submitted something.

    It is cheap: a page asks before it hands the rest to a worker.
    """
    if study.kind == Study.Kind.JUDGING:
        return pool.judgments(study=study, batch=batch, frozen=frozen).exists()
    if frozen is not None:
        return Assignment.objects.filter(pk__in=frozen.counting).exists()
    return Assignment.objects.counting().filter(study=study).exists()


def _sha(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _plan(run: AnalysisRun) -> None:
    """Create one step for each analysis, measure that it applies to, and part of the topics."""
    measures = measures_in(run)
    now = database_now()
    steps = [
        AnalysisStep(
            run=run,
            stage=analysis.stage,
            analysis=analysis.name,
            question=key,
            part=part,
            touched_at=now,
        )
        for analysis in offered_analyses().values()
        if (keys := subjects(analysis, run, measures))
        for part in range(parts_of(run, analysis.reads))
        for key in keys
    ]
    AnalysisRun.objects.filter(pk=run.pk).update(remarks=remarks(run))
    # Measure by measure: whoever does one after the other reads its votes once.
    AnalysisStep.objects.bulk_create(sorted(steps, key=lambda step: step.question))


def _again(run: AnalysisRun) -> None:
    """Reset the unfinished steps of a failed or cancelled run."""
    run.steps.filter(state__in=[State.FAILED, State.CANCELLED]).update(
        state=State.WAITING, attempts=0, error=""
    )
    AnalysisRun.objects.filter(pk=run.pk).update(state=AnalysisRun.State.QUEUED, finished_at=None)


@transaction.atomic
def cancel(*, run: AnalysisRun) -> bool:
    """Stop a run: no step starts any more, and the results of those under way are dropped.

    Finished steps stay, for when the run is requested again. Returns whether it was unfinished.
    """
    cancelled = AnalysisRun.objects.filter(pk=run.pk, finished_at=None).update(
        state=AnalysisRun.State.CANCELLED, finished_at=database_now()
    )
    if cancelled:
        run.steps.filter(state__in=[State.WAITING, State.QUEUED, State.RUNNING]).update(
            state=State.CANCELLED, touched_at=database_now()
        )
    run.refresh_from_db()
    return bool(cancelled)


def _queue_stage(run: AnalysisRun, enqueue: Enqueue) -> None:
    """Queue the waiting steps of the earliest unfinished stage; finish the run after the last.

    Several workers may call it at once: the UPDATEs are guarded. A cancelled or failed run stays.
    """
    _lock(run.pk)
    unfinished = run.steps.exclude(state=State.DONE)
    stage = unfinished.order_by("stage").values_list("stage", flat=True).first()
    if stage is None:
        AnalysisRun.objects.filter(pk=run.pk, finished_at=None).update(
            state=AnalysisRun.State.DONE, finished_at=database_now()
        )
        return
    waiting = run.steps.filter(stage=stage, state=State.WAITING)
    steps = list(waiting.order_by("pk").values_list("pk", flat=True))
    # All or none: whoever would finish the run, or move one of them, waits for our lock.
    if waiting.filter(pk__in=steps, run__finished_at=None).update(
        state=State.QUEUED, touched_at=database_now()
    ):
        for pk in steps:
            _enqueue(enqueue, pk)


def _lock(run: int) -> None:
    """Lock a run before its steps, so that no two workers wait for each other.

    The key is not locked: results and steps that refer to it can be written meanwhile.
    """
    rows = AnalysisRun.objects.select_for_update(no_key=True).filter(pk=run)
    rows.values_list("pk", flat=True).first()  # of all it says, nothing is read


def _enqueue(enqueue: Enqueue, pk: int) -> None:
    """Hand out a queued step once that is committed; without a broker the sweep does it."""
    jobs.after_commit(enqueue, pk)


# -- One step ----------------------------------------------------------------------------------


def perform(*, pk: int, enqueue: Enqueue) -> bool:
    """Do a queued step; return whether it was ours to do.

    1. Take it by a guarded UPDATE; another worker may have been faster.
    2. Compute, touching the step every few seconds.
    3. Store the result and mark the step done in one transaction, then queue the next stage.

    The sentence of CannotCompute is a result, too. Any other exception is raised after the step was
    put back, or marked failed at the last attempt.
    """
    taken = AnalysisStep.objects.filter(pk=pk, state=State.QUEUED).update(
        state=State.RUNNING, touched_at=database_now()
    )
    if not taken:
        return False
    step = AnalysisStep.objects.select_related("run__study", "run__batch").get(pk=pk)
    if step.run.state == AnalysisRun.State.QUEUED:
        AnalysisRun.objects.filter(pk=step.run_id, state=AnalysisRun.State.QUEUED).update(
            state=AnalysisRun.State.RUNNING
        )
    try:
        with heartbeat(AnalysisStep.objects.filter(pk=pk)):
            data, missing = _compute(step)
    except Exception as error:
        _failed(step, error, enqueue)
        raise
    with transaction.atomic():
        if not AnalysisStep.objects.filter(pk=pk, state=State.RUNNING).update(
            state=State.DONE, touched_at=database_now(), error=""
        ):
            return False
        Result.objects.bulk_create(  # one statement, also where it is done again
            [Result(step=step, data=data, missing=missing)],
            update_conflicts=True,
            unique_fields=["step"],
            update_fields=["data", "missing"],
        )
    # Whoever ends the last step of a stage sees all others done; nobody else needs the run.
    if not step.run.steps.filter(stage=step.stage).exclude(state=State.DONE).exists():
        with transaction.atomic():
            _queue_stage(step.run, enqueue)
    return True


def _compute(step: AnalysisStep) -> tuple[Tables, str]:
    try:
        analysis, data = offered_analyses()[step.analysis], input_of(step)
        tables = analysis.function(data)
        hidden = data.sequential and analysis.grows_with(step.run.study.kind)
        if hidden:
            tables = fixed_intervals_hidden(tables, analysis, as_published=data.as_published)
        return tables, ""
    except CannotCompute as reason:
        return {}, str(reason)


def _failed(step: AnalysisStep, error: Exception, enqueue: Enqueue, **as_known: Any) -> bool:
    """Put an unfinished step back; return whether it was still `as_known`.

    After the last attempt, or where another one would end alike, it has failed, and so has its run.
    """
    final = isinstance(error, DataChanged) or step.attempts + 1 >= ATTEMPTS
    log.error("analysis step failed", step=str(step), error=repr(error), final=final)
    is_final = isinstance(error, DataChanged | WorkerGone)
    with transaction.atomic():
        # The run before its step, as `start` and `cancel` do: a run that is just tried again
        # would not see this failure, and wait for the step for ever.
        _lock(step.run_id)
        moved = AnalysisStep.objects.filter(
            pk=step.pk, state=State.RUNNING, attempts=step.attempts, **as_known
        ).update(
            state=State.FAILED if final else State.QUEUED,
            attempts=step.attempts + 1,
            error=str(error) if is_final else f"{type(error).__name__}: {error}",
            touched_at=database_now(),
        )
        if moved and final:
            AnalysisRun.objects.filter(pk=step.run_id, finished_at=None).update(
                state=AnalysisRun.State.FAILED, finished_at=database_now()
            )
        elif moved:
            _enqueue(enqueue, step.pk)
    return bool(moved)


# -- Picking up --------------------------------------------------------------------------------


def sweep(*, now: datetime, enqueue: Enqueue) -> int:
    """Hand out lost steps again; return how many were left by a worker or a message.

    1. A step that was queued or begun and not touched for a while goes back; begun three times and
       never ended, it has failed, since its cause will kill the next worker, too.
    2. A run without queued or begun steps goes on: a worker died between two stages.
    """
    again = 0
    abandoned = now - STALE
    for step in AnalysisStep.objects.filter(
        state=State.RUNNING, touched_at__lt=abandoned
    ).select_related("run__study"):
        again += _failed(step, WorkerGone(), enqueue, touched_at=step.touched_at)
    for step in AnalysisStep.objects.filter(state=State.QUEUED, touched_at__lt=abandoned):
        if AnalysisStep.objects.filter(
            pk=step.pk, state=State.QUEUED, touched_at=step.touched_at
        ).update(touched_at=now):
            _enqueue(enqueue, step.pk)
            again += 1
    under_way = AnalysisStep.objects.filter(
        run=OuterRef("pk"), state__in=[State.QUEUED, State.RUNNING]
    )
    for run in AnalysisRun.objects.filter(~Exists(under_way), finished_at=None):
        with transaction.atomic():
            _queue_stage(run, enqueue)
    return again
