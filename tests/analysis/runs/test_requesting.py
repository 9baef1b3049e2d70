"""Asking for an analysis: noted at once, answered by a worker, never lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from analysis import tasks
from analysis.models import AnalysisRequest, AnalysisRun
from analysis.runs import requesting
from analysis.runs.heartbeat import STALE
from analysis.runs.running import NothingToAnalyse
from annotation.studies import batching
from tests.analysis.runs.polls import poll, vote
from tests.coded_errors import raises

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_analyses")]

LATER = STALE + timedelta(seconds=5)


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    """Return the jobs that were sent, by name."""
    names = []
    monkeypatch.setattr("annotation.jobs.send", lambda task, *_: names.append(task.name))
    return names


def answer(study):
    return requesting.answer(study=study, enqueue=lambda pk: None)


def test_asked_twice_it_is_one_run():
    study = poll()
    for _ in range(2):
        requesting.ask(study=study)
    assert answer(study)
    assert not answer(study)
    assert AnalysisRun.objects.count() == 1


def test_request_during_an_analysis_is_answered_too(monkeypatch):
    study, start = poll(), requesting.start

    def meanwhile(**how):
        run = start(**how)
        vote(study, "gina", "bbb")
        requesting.ask(study=study)
        return run

    requesting.ask(study=study)
    monkeypatch.setattr(requesting, "start", meanwhile)
    answer(study)
    assert requesting.is_waiting(study)
    monkeypatch.setattr(requesting, "start", start)
    answer(study)
    assert not requesting.is_waiting(study)
    assert AnalysisRun.objects.count() == 2


def test_batch_without_answers_requests_nothing():
    study = poll({})
    with raises(NothingToAnalyse, "no_submissions"):
        requesting.ask(study=study)
    assert not AnalysisRequest.objects.exists()


def test_a_request_whose_message_was_lost_is_sent_again_once(sent):
    study = poll()
    requesting.ask(study=study)
    now = timezone.now()
    assert requesting.forgotten(now=now) == []
    assert requesting.forgotten(now=now + LATER) == [study.pk]
    assert requesting.forgotten(now=now + LATER) == []
    AnalysisRequest.objects.update(touched_at=now - LATER)
    tasks.sweep()
    assert tasks.answer_request.name in sent


def test_closing_a_batch_queues_its_analysis(sent):
    study = poll()
    batching.close_batch(batch=study.batches.get(), now=timezone.now())
    assert requesting.is_waiting(study)
    assert sent == [tasks.answer_request.name]


def test_a_batch_that_nobody_answered_waits_for_nothing():
    study = poll({})
    batching.close_batch(batch=study.batches.get(), now=timezone.now())
    assert answer(study)
    assert not requesting.is_waiting(study)
    assert not AnalysisRun.objects.exists()
