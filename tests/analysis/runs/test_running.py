"""Runs: the same question has one answer, and a step is done once."""

import threading
import time
from datetime import timedelta

import pandas as pd
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from analysis.inputs import run_data, step_input
from analysis.inputs.analysis_input import table_of
from analysis.inputs.settings import complete
from analysis.models import AnalysisRun, AnalysisStep, Result
from analysis.runs import findings, running
from analysis.stats.errors import CannotCompute
from judging.instruments.schema import QuestionSpec
from tests.analysis.runs.polls import EVERYBODY_DIFFERENT, analysed, answered, poll
from tests.analysis.runs.started import at_once, extra_step, start, stored
from tests.cast import small_study, submitted, tiny_instrument, worker
from tests.coded_errors import raises

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.storage,
    pytest.mark.usefixtures("few_analyses"),
]


# -- One question, one answer -----------------------------------------------------------------


def test_a_run_says_what_it_was_made_of():
    run = analysed(poll(seed=7, analysis={"draws": 50}))
    assert run.state == AnalysisRun.State.DONE
    assert (run.seed, run.parameters) == (7, complete({"draws": 50, "sequential": True}))
    assert run.version == settings.VERSION
    assert len(run.digest) == len(run.inputs["better"]) == 64
    assert run.created_at < run.finished_at


def test_every_analysis_is_a_step_of_the_questions_it_reads():
    run = analysed(poll(analysis={"draws": 50}))
    steps = set(run.steps.values_list("stage", "analysis", "question", "state"))
    assert steps == {
        (1, "agreement", "better", "done"),
        (1, "competence", "better", "done"),
        (2, "grades", "better", "done"),
    }


def test_a_later_stage_waits_for_the_one_before():
    run, queue = start(poll())
    assert run.steps.get(stage=2).state == AnalysisStep.State.WAITING
    running.perform(pk=queue.pop(), enqueue=queue.append)
    assert run.steps.get(stage=2).state == AnalysisStep.State.WAITING
    running.perform(pk=queue.pop(), enqueue=queue.append)
    assert queue == [run.steps.get(stage=2).pk]


def test_asked_again_it_answers_with_the_same_run():
    study = poll()
    first = analysed(study)
    before = stored()
    again, queue = start(study)
    assert (again.pk, again.state, queue) == (first.pk, AnalysisRun.State.DONE, [])
    assert stored() == before
    assert again.asked_at > first.asked_at


def test_asked_again_while_it_runs_it_queues_nothing_twice():
    study = poll()
    first, queue = start(study)
    again, more = start(study)
    assert again == first
    assert (len(queue), more) == (2, [])


@pytest.mark.parametrize("how", [{"seed": 2}, {"parameters": {"draws": 60}}, {"batch": 1}])
def test_another_question_is_another_run(how):
    study = poll(analysis={"draws": 50})
    if "batch" in how:
        how = {"batch": study.batches.get()}
    assert analysed(study).pk != analysed(study, **how).pk


def test_asked_by_two_at_once_it_is_one_run():
    study = poll()
    queue = []
    ask = [lambda: running.start(study=study, enqueue=queue.append).pk] * 4
    assert len(set(at_once(*ask))) == 1
    assert sorted(queue) == sorted(
        AnalysisStep.objects.filter(stage=1).values_list("pk", flat=True)
    )
    assert AnalysisStep.objects.count() == 3


def test_the_same_votes_and_seed_give_the_same_bytes():
    study = poll(analysis={"draws": 50, "restarts": 5})
    analysed(study)
    before = stored()
    AnalysisRun.objects.all().delete()
    analysed(study)
    assert stored() == before
    AnalysisRun.objects.all().delete()
    analysed(study, seed=99)
    assert stored() != before


# -- A step is done once ----------------------------------------------------------------------


def test_a_step_that_many_take_at_once_is_done_once(offer):
    done = []
    offer(lambda asked: done.append(1) or time.sleep(0.3) or {})
    start(poll())
    pk = extra_step().pk
    mine = at_once(*[lambda: running.perform(pk=pk, enqueue=print)] * 4)
    assert sorted(mine) == [False, False, False, True]
    assert done == [1]


def test_a_step_that_is_done_is_not_done_again():
    run = analysed(poll())
    before = stored()
    for pk in run.steps.values_list("pk", flat=True):
        assert not running.perform(pk=pk, enqueue=print)
    assert stored() == before


def test_the_last_steps_of_a_stage_done_at_once_start_the_next():
    run, queue = start(poll())
    later = []
    first, second = queue
    at_once(
        lambda: running.perform(pk=first, enqueue=later.append),
        lambda: running.perform(pk=second, enqueue=later.append),
    )
    assert later == [run.steps.get(stage=2).pk]


def test_late_step_stores_nothing_twice(offer):
    """It was taken for dead, another one did the step meanwhile, and then it woke up."""
    calls = []

    def slow(asked):
        calls.append(1)
        if len(calls) == 1:
            AnalysisStep.objects.filter(pk=pk).update(
                touched_at=timezone.now() - timedelta(hours=1)
            )
            again = []
            running.sweep(now=timezone.now(), enqueue=again.append)
            assert again == [pk]
            assert at_once(lambda: running.perform(pk=pk, enqueue=print)) == [True]
        return {"extra": {"columns": ["call"], "rows": [[len(calls)]]}}

    offer(slow)
    start(poll())
    pk = extra_step().pk
    assert not running.perform(pk=pk, enqueue=print)
    assert Result.objects.get(step=pk).data["extra"]["rows"] == [[2]]


# -- When it goes wrong -----------------------------------------------------------------------


def test_a_step_that_fails_three_times_fails_its_run_loudly(offer):
    offer(lambda asked: {"extra": 1 / 0})
    run, queue = start(poll())
    pk = extra_step().pk
    for attempt in (1, 2, 3):
        assert pk in queue
        queue.remove(pk)
        with pytest.raises(ZeroDivisionError):
            running.perform(pk=pk, enqueue=queue.append)
        assert extra_step().attempts == attempt
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.FAILED
    assert run.finished_at
    assert pk not in queue
    assert extra_step().state == AnalysisStep.State.FAILED
    assert extra_step().error == "ZeroDivisionError: division by zero"


def test_a_failed_run_is_tried_again_when_somebody_asks(offer):
    offer(lambda asked: {"extra": 1 / 0})
    study = poll()
    run, queue = start(study)
    while queue:
        try:
            running.perform(pk=queue.pop(), enqueue=queue.append)
        except ZeroDivisionError:
            continue
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.FAILED
    kept = Result.objects.get(step__analysis="agreement").pk
    offer(lambda asked: {})
    again = analysed(study)
    assert (again.pk, again.state) == (run.pk, AnalysisRun.State.DONE)
    assert Result.objects.get(step__analysis="agreement").pk == kept
    assert (extra_step().attempts, extra_step().error) == (0, "")


def test_a_failure_while_the_run_is_tried_again_fails_it_again(monkeypatch):
    study = poll(analysis={"draws": 20})
    run, _ = start(study)
    run.steps.filter(analysis="agreement").update(state="failed")
    run.steps.filter(analysis="competence").update(state="running", attempts=running.ATTEMPTS - 1)
    AnalysisRun.objects.filter(pk=run.pk).update(state="failed", finished_at=timezone.now())
    again, failing = running._again, []

    def fail():
        running._failed(run.steps.get(analysis="competence"), ValueError("late"), print)
        connection.close()

    def interrupted(run):
        again(run)
        failing.append(threading.Thread(target=fail))
        failing[0].start()
        failing[0].join(0.3)  # it waits for us, or would be over by then

    monkeypatch.setattr(running, "_again", interrupted)
    start(study)
    failing[0].join()
    run.refresh_from_db()
    assert run.steps.get(analysis="competence").state == AnalysisStep.State.FAILED
    assert run.state == AnalysisRun.State.FAILED


def test_a_step_that_fails_once_is_done_at_the_second_attempt(offer):
    calls = []
    offer(lambda asked: calls.append(1) or {"extra": table_of(["n"], [[1 / (len(calls) - 1)]])})
    run, queue = start(poll())
    with pytest.raises(ZeroDivisionError):
        running.perform(pk=extra_step().pk, enqueue=queue.append)
    while queue:
        running.perform(pk=queue.pop(0), enqueue=queue.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE
    assert (extra_step().attempts, extra_step().error) == (1, "")


def test_uncomputable_step_stores_a_reason_and_no_failure(offer):
    def nothing(asked):
        raise CannotCompute("unknown", "Nobody knows.")

    offer(nothing)
    run = analysed(poll())
    assert run.state == AnalysisRun.State.DONE
    result = Result.objects.get(step__analysis="extra")
    assert (result.data, result.missing) == ({}, "Nobody knows.")


def test_questions_that_are_answered_alike_are_not_taken_for_each_other(offer):
    offer(lambda asked: {"extra": {"columns": ["q"], "rows": [[asked.frame["question"].iloc[0]]]}})
    study = poll(
        {"bob": "aab", "dora": "abn"},
        analysis={"draws": 20},
        instrument=tiny_instrument(
            questions=[
                QuestionSpec(key, "better", "preference", f"Which text is {key}?")
                for key in ("better", "clearer")
            ]
        ),
    )
    run = analysed(study)
    assert run.inputs["better"] == run.inputs["clearer"]
    found = Result.objects.filter(step__analysis="extra").values_list("step__question", "data")
    assert {key: data["extra"]["rows"] for key, data in found} == {
        "better": [["better"]],
        "clearer": [["clearer"]],
    }


def test_votes_of_several_questions_are_kept_as_long_as_they_are_few(monkeypatch):
    monkeypatch.setattr(run_data, "KEPT_VOTES", 10)
    monkeypatch.setattr(run_data, "_kept", {})
    for name, votes in (("first", 4), ("second", 6), ("third", 5), ("large", 11)):
        run_data._keep((name, "digest"), pd.DataFrame({"item": range(votes)}))
        assert sum(map(len, run_data._kept.values())) <= 10 or len(run_data._kept) == 1
        assert (name, "digest") in run_data._kept
        assert (("second", "digest") in run_data._kept) == (name == "second")


def test_votes_that_go_after_the_start_fail_the_run_with_a_sentence():
    study = poll()
    run, queue = start(study)
    study.assignments.first().judgments.all().delete()
    with pytest.raises(running.DataChanged) as change:
        running.perform(pk=queue[0], enqueue=queue.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.FAILED
    step = AnalysisStep.objects.get(pk=queue[0])
    assert step.error == str(change.value)
    assert queue.count(step.pk) == 1  # another attempt would end alike
    again = analysed(study)
    assert again.pk != run.pk
    assert again.state == AnalysisRun.State.DONE


@pytest.mark.parametrize("study", [lambda: poll({}), lambda: begun_only()])
def test_nothing_handed_in_is_nothing_to_analyse(study):
    with raises(running.NothingToAnalyse, "no_submissions"):
        start(study())
    assert not AnalysisRun.objects.exists()


def begun_only():
    study = poll({})
    answered(study, "bob", "aab")
    return study


# -- Parts ------------------------------------------------------------------------------------


def test_topics_in_parts_are_graded_as_all_at_once(monkeypatch):
    votes = {name: letters * 3 for name, letters in EVERYBODY_DIFFERENT.items()}
    # Votes are ranked all together, since their tie parameter is estimated; labels in parts.
    study = poll(votes, analysis={"draws": 50, "compat": "gienapp2025"}, topics=3)
    whole = findings.tables(analysed(study), "grades", "grades")
    monkeypatch.setattr(step_input, "TOPICS_A_PART", 2)
    parted = analysed(study, parameters={"draws": 51, "compat": "gienapp2025"})
    assert parted.steps.filter(analysis="grades").count() == 2
    frame = findings.tables(parted, "grades", "grades")
    assert len(frame) == len(whole) == 9
    columns = ["question", "topic", "response", "merit", "grade", "compared"]
    pd.testing.assert_frame_equal(frame[columns], whole[columns])


def test_topics_without_votes_are_no_part_without_grades(monkeypatch):
    monkeypatch.setattr(step_input, "TOPICS_A_PART", 1)
    study = poll({}, topics=2, analysis={"draws": 20})
    first = study.corpus.topics.latest("pk")
    for name in ("bob", "dora"):
        work = submitted(study, worker(name))
        work.judgments.exclude(item__topic=first).delete()
    run = analysed(study)
    assert run.steps.filter(analysis="grades").count() == 1
    assert findings.missing(run) == []
    assert set(findings.tables(run, "grades", "grades")["topic"]) == {first.key}


def test_scores_are_averaged_and_not_graded():
    study = small_study(instrument="crowdrag-pointwise", responses=2, quota=9)
    for name in ("bob", "dora"):
        submitted(study, worker(name))
    run = analysed(study, parameters={"draws": 20})
    assert set(run.steps.values_list("analysis", flat=True)) == {
        "agreement",
        "competence",
        "means",
    }
    assert run.state == AnalysisRun.State.DONE
