"""Close -> analyse: closing a batch asks for its analysis, and a worker does it."""

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from analysis import tasks
from analysis.inputs.settings import complete
from analysis.models import AnalysisRun
from annotation.models import Batch
from annotation.studies import batching
from judging.answering import recording
from tests.analysis.runs.polls import answered, finished_run, poll, wait_for
from tests.cast import MINUTE, NOW, begun, bob, rita, small_study, submitted, worker
from tests.hooks import elements
from tests.services.worker import QUEUE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


def close(study):
    return batching.close_batch(batch=study.batches.get(), now=timezone.now())


def text_of(client, study):
    client.force_login(rita())
    page = client.get(reverse("results", args=[study.slug, study.version]))
    assert page.status_code == 200
    return page.content.decode()


def test_closing_a_batch_ends_with_its_results_on_the_page(celery_worker, client):
    study = poll({"bob": "aab", "dora": "abn", "emil": "aab"}, analysis={"draws": 50})
    close(study)
    run = finished_run()
    assert run.state == AnalysisRun.State.DONE
    assert (run.study, run.seed, run.parameters) == (study, study.seed, complete({"draws": 50}))
    text = text_of(client, study)
    assert f'data-run="{run.pk}"' in text
    assert run.digest[:12] in text
    assert "Better" in text
    assert not elements(text, "data-results", "none")


def test_the_last_submission_closes_a_batch_and_so_analyses_it(celery_worker):
    study = small_study(responses=3, quota=2, analysis={"draws": 50})
    submitted(study, bob())
    assert not AnalysisRun.objects.exists()
    submitted(study, worker("dora"))
    assert study.batches.get().state == Batch.State.CLOSED
    assert finished_run().state == AnalysisRun.State.DONE


def test_a_batch_whose_date_has_come_is_analysed(celery_worker):
    study = poll(analysis={"draws": 50}, batch={"closes_at": NOW + MINUTE})
    assert batching.close_due(now=NOW + 2 * MINUTE) == 1
    assert finished_run(study=study).state == AnalysisRun.State.DONE


def test_nothing_is_asked_for_before_the_closing_is_committed(celery_worker):
    celery_worker.stop()  # so that what is asked for stays in the queue
    study = poll()
    with transaction.atomic():
        close(study)
        transaction.set_rollback(True)
    assert study.batches.get().state == Batch.State.OPEN
    assert celery_worker.redis.llen(QUEUE) == 0
    with transaction.atomic():
        close(study)
        assert celery_worker.redis.llen(QUEUE) == 0
    assert celery_worker.redis.llen(QUEUE) == 1
    celery_worker.redis.delete(QUEUE)


def test_the_sweep_analyses_a_batch_whose_message_was_lost(celery_worker):
    celery_worker.stop()
    close(poll(analysis={"draws": 50}))
    celery_worker.redis.delete(QUEUE)
    celery_worker.start()
    celery_worker.wait_until_idle()
    assert not AnalysisRun.objects.exists()
    tasks.sweep.delay()
    assert finished_run().state == AnalysisRun.State.DONE
    tasks.sweep.delay()
    celery_worker.wait_until_idle()
    assert AnalysisRun.objects.count() == 1


def test_a_batch_that_nobody_answered_is_closed_without_an_analysis(celery_worker):
    close(poll({}))
    celery_worker.wait_until_idle()
    assert not AnalysisRun.objects.exists()
    assert "Traceback" not in celery_worker.log.read_text()


def test_work_that_came_after_the_closing_is_in_the_next_analysis(celery_worker, client):
    study = poll({"bob": "aab", "dora": "abn"}, analysis={"draws": 50})
    late = answered(study, "emil", "nnn")
    close(study)
    first = finished_run()
    recording.submit(assignment=late, now=timezone.now())
    client.force_login(rita())
    client.post(reverse("analyse", args=[study.slug, study.version]))
    second = wait_for(AnalysisRun.objects.filter(state="done").exclude(pk=first.pk).first)
    assert second.digest != first.digest


def test_closing_while_somebody_is_at_work_analyses_what_is_there(celery_worker):
    study = poll({"bob": "aab", "dora": "abn"}, analysis={"draws": 50})
    begun(study, worker("emil"))
    close(study)
    run = finished_run()
    assert run.state == AnalysisRun.State.DONE


def test_sweeps_while_the_worker_is_busy_do_not_start_an_analysis_each(celery_worker, monkeypatch):
    celery_worker.stop()
    close(poll(analysis={"draws": 50}))
    celery_worker.redis.delete(QUEUE)
    started, asked, start = [], [], tasks.running.start
    monkeypatch.setattr(
        tasks.jobs, "send", lambda job, pk: job is tasks.analyse_changed and asked.append(pk)
    )
    monkeypatch.setattr(tasks.running, "start", lambda **how: started.append(how) or start(**how))
    for _ in range(5):
        tasks.sweep()
    assert len(asked) == 5
    for pk in asked:
        tasks.analyse_changed(pk)
    assert len(started) == 1
    celery_worker.redis.delete(QUEUE)
