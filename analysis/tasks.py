"""Jobs of analyses. One job is one step; the database has the state (runs.running)."""

from contextlib import suppress

from celery import shared_task

from analysis.inputs.run_data import DataChanged
from analysis.models import AnalysisRun, AnalysisStep
from analysis.pages.planning import simulating
from analysis.pages.results import preparing
from analysis.pages.review import comparing
from analysis.runs import renewing, requesting, running
from annotation import jobs
from annotation.clock import database_now
from annotation.models import Study, WorkNotice
from annotation.people import notifying
from judging.raters.pools import UnknownPool


def enqueue(pk: int) -> None:
    jobs.send(step, pk)


@shared_task
def step(pk: int) -> None:
    """Do one step of a run. Done twice, or by two workers, it is done once."""
    try:
        done = running.perform(pk=pk, enqueue=enqueue)
    except DataChanged:
        jobs.send(replace_run, AnalysisStep.objects.values_list("run", flat=True).get(pk=pk))
        raise
    finished = AnalysisRun.objects.finished().filter(steps=pk) if done else ()
    for run in finished:
        jobs.send(prepare, run.pk)


@shared_task
def prepare(pk: int) -> None:
    """Prepare the pages of a finished run; if the message is lost, they do it themselves."""
    for run in AnalysisRun.objects.finished().filter(pk=pk).select_related("study", "batch"):
        preparing.prepare(run=run)


def enqueue_forecast(pk: int) -> None:
    jobs.send(forecast, pk)


@shared_task
def forecast(pk: int) -> None:
    """Simulate the precision of the result of a draft; two workers at once do it once."""
    simulating.work_on(pk=pk)


@shared_task
def replace_run(pk: int) -> None:
    """Start a run of the current data where something was erased or redone under another one."""
    for run in AnalysisRun.objects.filter(pk=pk):
        with suppress(running.NothingToAnalyse, UnknownPool):
            renewing.replace(run=run, enqueue=enqueue)


@shared_task
def renew_study(pk: int) -> None:
    """Analyse without those who withdrew; erase the analyses that count them."""
    for study in Study.every.filter(pk=pk):
        renewing.renew(study=study, enqueue=enqueue)


@shared_task
def analyse_study(pk: int) -> None:
    """Start the analysis of a study, all its batches together."""
    try:
        running.start(study=Study.every.get(pk=pk), enqueue=enqueue)
    except running.NothingToAnalyse:
        return  # a batch was closed before anybody judged


@shared_task
def answer_request(pk: int) -> None:
    """Start the analysis that somebody asked for, unless another worker has."""
    for study in Study.every.filter(pk=pk):
        requesting.answer(study=study, enqueue=enqueue)


@shared_task
def analyse_changed(pk: int) -> None:
    """Analyse changed studies for a sweep; a busy worker gets several messages for the same."""
    if pk in {batch.study_id for batch in renewing.unanalysed(now=database_now())}:
        analyse_study(pk)


@shared_task
def compare(task: int) -> None:
    """Compute the agreement of a questionnaire with others, for those who review it."""
    comparing.compare(task=task, now=database_now())


@shared_task
def sweep() -> None:
    """Hand out work left by killed workers or lost messages; analyse changed studies."""
    now = database_now()
    simulating.forget(now=now)
    running.sweep(now=now, enqueue=enqueue)
    for study in requesting.forgotten(now=now):
        jobs.send(answer_request, study)
    for study in {batch.study_id for batch in renewing.unanalysed(now=now)}:
        jobs.send(analyse_changed, study)
    for study in renewing.overtaken_studies():
        jobs.send(renew_study, study)
    for task in comparing.uncompared():
        jobs.send(compare, task)
    notifying.follow(kind=WorkNotice.Kind.ANALYSIS, end_of=requesting.end_of, now=now)
