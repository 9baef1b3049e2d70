"""A Celery worker is killed in the middle of a step; another one finishes the run."""

import pytest
from django.utils import timezone

from analysis import tasks
from analysis.models import AnalysisRun, AnalysisStep, Result
from analysis.runs import heartbeat, running
from annotation.studies import batching
from judging.simulation.simulating import crowd, simulate
from tests.analysis.runs.polls import finished_run, wait_for
from tests.cast import small_study
from tests.services.worker import UNACKNOWLEDGED

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]

State = AnalysisStep.State
# Random starts make the step long enough to be killed in: some seconds, in honest work.
RESTARTS = 600


def simulated_study(**of_study):
    study = small_study(responses=6, quota=20, batch={"closes_when_full": False}, **of_study)
    workers = crowd(workers=20, spammers=0.2, seed=1)
    assert len(list(simulate(study=study, workers=workers, now=timezone.now()))) == 20
    return study


def under_way():
    return AnalysisStep.objects.filter(state=State.RUNNING, analysis="competence").first()


def sweep_later():
    """Run the sweep after the killed worker's step has been idle for long enough."""
    later = timezone.now() + heartbeat.STALE
    return running.sweep(now=later, enqueue=tasks.enqueue)


def test_another_worker_finishes_what_a_killed_one_began(celery_worker):
    study = simulated_study(analysis={"restarts": RESTARTS, "draws": 50})
    batching.close_batch(batch=study.batches.get(), now=timezone.now())
    step = wait_for(under_way)
    killed_at = timezone.now()
    celery_worker.kill()
    # Redis would deliver its message again in an hour; until then only the sweep helps.
    celery_worker.redis.delete(*UNACKNOWLEDGED)
    run = step.run
    assert under_way() == step, "it was done before it could be killed"
    assert not Result.objects.filter(step=step).exists()

    celery_worker.start()
    assert running.sweep(now=killed_at, enqueue=tasks.enqueue) == 0  # too early to know
    assert sweep_later() >= 1
    assert finished_run() == run
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE
    assert set(run.steps.values_list("state", flat=True)) == {State.DONE}
    assert Result.objects.count() == run.steps.count()
    step.refresh_from_db()
    assert (step.attempts, step.error) == (1, "")
