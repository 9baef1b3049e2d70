"""Nothing gets lost: what a worker left, what was cancelled, batches that nobody analysed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from analysis.models import AnalysisRun, AnalysisStep, Result
from analysis.runs import heartbeat, renewing, running
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Batch, ReviewDecision
from annotation.studies import batching
from judging.answering import recording
from tests.analysis.runs.polls import analysed, answered, poll, wait_for
from tests.analysis.runs.started import at_once, extra_step, start, stored, sweep

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.storage,
    pytest.mark.usefixtures("few_analyses"),
]

LATER = heartbeat.STALE + timedelta(seconds=5)


# -- Picking up -------------------------------------------------------------------------------


def test_the_sweep_leaves_fresh_steps_alone():
    start(poll())
    AnalysisStep.objects.filter(analysis="agreement").update(state="running")
    assert sweep() == (0, [])


def test_the_sweep_hands_out_a_step_whose_message_was_lost():
    _, queue = start(poll())
    count, again = sweep(LATER)
    assert (count, sorted(again)) == (2, sorted(queue))
    assert sweep(LATER) == (0, [])  # once in a while, not at every sweep


def test_the_sweep_hands_out_a_step_whose_worker_is_gone():
    run, queue = start(poll())
    AnalysisStep.objects.filter(pk=queue[0]).update(state="running")
    _, again = sweep(LATER)
    assert queue[0] in again
    while again:
        running.perform(pk=again.pop(0), enqueue=again.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE


def test_a_step_that_kills_three_workers_fails_its_run():
    run, queue = start(poll())
    for _ in range(3):
        AnalysisStep.objects.filter(pk=queue[0], state="queued").update(
            state="running", touched_at=timezone.now() - LATER
        )
        _, again = sweep()
    assert again == []
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.FAILED
    error = AnalysisStep.objects.get(pk=queue[0]).error
    assert error == str(running.WorkerGone())


def test_two_sweeps_at_once_hand_out_a_step_once():
    _, queue = start(poll())
    AnalysisStep.objects.update(touched_at=timezone.now() - LATER)
    AnalysisStep.objects.filter(pk=queue[0]).update(state="running")
    answers = at_once(*[sweep] * 4)
    again = sorted(pk for _, some in answers for pk in some)
    assert again == sorted(queue)
    assert AnalysisStep.objects.get(pk=queue[0]).attempts == 1


def test_a_step_under_way_is_touched_again_and_again(offer, monkeypatch):
    monkeypatch.setattr(heartbeat, "HEARTBEAT", timedelta(seconds=0.05))
    touched = []

    def slow(asked):
        for _ in range(4):
            touched.append(wait_for(lambda: touched_since(touched)))
        return {}

    def touched_since(earlier):
        at = extra_step().touched_at
        return at if at not in earlier else None

    offer(slow)
    start(poll())
    running.perform(pk=extra_step().pk, enqueue=print)
    assert len(set(touched)) == 4
    assert touched == sorted(touched)


def test_the_sweep_starts_a_stage_that_nobody_started():
    """The worker was killed after it had done the last step of a stage."""
    run, _ = start(poll())
    AnalysisStep.objects.filter(stage=1).update(state="done")
    count, again = sweep()
    assert (count, again) == (0, [run.steps.get(stage=2).pk])


def test_the_sweep_finishes_a_run_that_nobody_finished():
    run = analysed(poll())
    AnalysisRun.objects.update(state="running", finished_at=None)
    sweep()
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE
    assert run.finished_at


def test_the_sweep_leaves_finished_and_failed_runs_alone():
    run = analysed(poll())
    other, _ = start(poll(slug="candles", corpus=run.study.corpus))
    other.steps.update(state="failed")
    AnalysisRun.objects.filter(pk=other.pk).update(state="failed", finished_at=timezone.now())
    before = list(AnalysisRun.objects.order_by("pk").values())
    assert sweep(LATER) == (0, [])
    assert list(AnalysisRun.objects.order_by("pk").values()) == before


# -- Cancelling -------------------------------------------------------------------------------


def test_a_cancelled_run_does_nothing_more():
    run, queue = start(poll())
    assert running.cancel(run=run)
    assert run.state == AnalysisRun.State.CANCELLED
    assert not running.perform(pk=queue[0], enqueue=queue.append)
    assert sweep(LATER) == (0, [])
    assert not Result.objects.exists()
    assert not running.cancel(run=run)


def test_steps_under_way_are_discarded_when_a_run_is_cancelled(offer):
    def cancels(asked):
        running.cancel(run=AnalysisRun.objects.get())
        return {}

    offer(cancels)
    run, queue = start(poll())
    assert not running.perform(pk=extra_step().pk, enqueue=queue.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.CANCELLED
    assert not Result.objects.exists()


def test_a_cancelled_run_that_is_asked_for_again_keeps_what_was_done():
    study = poll(analysis={"draws": 50})
    run, queue = start(study)
    running.perform(pk=queue[0], enqueue=queue.append)
    done = stored()
    running.cancel(run=run)
    again = analysed(study)
    assert (again.pk, again.state) == (run.pk, AnalysisRun.State.DONE)
    assert done.items() <= stored().items()
    assert len(done) == 1


def test_a_finished_run_cannot_be_cancelled():
    run = analysed(poll(analysis={"draws": 50}))
    assert not running.cancel(run=run)
    assert run.state == AnalysisRun.State.DONE


# -- Batches that nobody analysed -------------------------------------------------------------
# In a transaction that is undone, so that no worker of another test hears of the closing.


def close(study):
    return batching.close_batch(batch=study.batches.get(), now=timezone.now())


def unanalysed(*, later=timedelta(0)):
    return renewing.unanalysed(now=timezone.now() + later)


@pytest.mark.django_db
def test_a_closed_batch_with_answers_waits_for_its_analysis():
    study = poll()
    assert unanalysed() == []
    batch = close(study)
    assert unanalysed() == [batch]
    start(study)
    assert unanalysed() == []


@pytest.mark.django_db
def test_an_analysis_before_the_closing_is_not_the_one_of_the_batch():
    study = poll()
    start(study)
    batch = close(study)
    assert unanalysed() == [batch]


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["withdrawn", "submitted late", "changes requested"])
def test_a_change_after_the_analysis_is_analysed_once_it_has_come_to_rest(change):
    study = poll({"bob": "aab", "dora": "abn"})
    late = answered(study, "emil", "nnn")
    batch = close(study)
    start(study)
    if change == "withdrawn":
        assigning.withdraw(assignment=study.assignments.first(), now=timezone.now())
    elif change == "changes requested":
        reviewing.decide(
            assignment=study.assignments.first(),
            decision=ReviewDecision.Decision.REDO,
            reviewer="rita",
            now=timezone.now(),
            reason="Too fast.",
        )
    else:
        recording.submit(assignment=late, now=timezone.now())
    assert unanalysed() == []
    assert unanalysed(later=renewing.SETTLED) == [batch]
    start(study)
    assert unanalysed(later=renewing.SETTLED) == []


@pytest.mark.django_db
def test_a_change_while_the_votes_are_read_asks_for_another_analysis(monkeypatch):
    study = poll({"bob": "aab", "dora": "abn"})
    batch = close(study)
    digests = running.digests

    def interrupted(**how):
        digest_by_name = digests(**how)
        assigning.withdraw(assignment=study.assignments.first(), now=timezone.now())
        return digest_by_name

    monkeypatch.setattr(running, "digests", interrupted)
    start(study)
    assert unanalysed(later=renewing.SETTLED) == [batch]


@pytest.mark.django_db
def test_a_closed_batch_without_answers_needs_no_analysis():
    close(poll({}))
    assert Batch.objects.get().state == Batch.State.CLOSED
    assert unanalysed() == []
