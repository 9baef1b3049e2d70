"""A study that goes on while it is analysed, and people who withdraw from what was analysed."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from analysis import tasks
from analysis.exports import exporting
from analysis.inputs.frozen_work import FrozenWork
from analysis.models import AnalysisRun, Result
from analysis.pages.results.sections import PARTS
from analysis.runs import findings, renewing, running
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, ReviewDecision
from annotation.studies import batching
from tests.analysis.runs.polls import analysed, poll, vote, wait_for
from tests.analysis.runs.started import start
from tests.cast import NOW, rita, worker
from tests.hooks import elements, values, without_tokens

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.storage,
    pytest.mark.usefixtures("few_analyses"),
]


def withdraw(study, name, *, now=None):
    work = study.assignments.get(worker__pseudonym=name)
    return assigning.withdraw(assignment=work, now=now or timezone.now())


def renewed(study):
    """Run a Celery worker's job after a withdrawal, in this process."""
    queue = []
    renewing.renew(study=study, enqueue=queue.append)
    while queue:
        running.perform(pk=queue.pop(0), enqueue=queue.append)
    renewing.renew(study=study, enqueue=queue.append)
    return study.runs.newest_finished()


def competent(run):
    """Pseudonyms in the table of workers, as it is stored, whoever may see it."""
    data = Result.objects.get(step__run=run, step__analysis="competence").data["competence"]
    return {row[data["columns"].index("worker")] for row in data["rows"]}


# -- Work that comes meanwhile ------------------------------------------------------------------


def test_votes_that_come_after_the_start_do_not_fail_the_run():
    study = poll()
    run, queue = start(study)
    vote(study, "gus", "bbb")
    while queue:
        running.perform(pk=queue.pop(0), enqueue=queue.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE
    assert competent(run) == {"bob", "dora", "emil", "fay"}
    assert competent(analysed(study)) == {"bob", "dora", "emil", "fay", "gus"}


def test_work_that_is_rejected_under_a_run_counts_in_it_and_not_in_the_next():
    study = poll()
    run, queue = start(study)
    reviewing.decide(
        assignment=study.assignments.get(worker__pseudonym="bob"),
        decision=ReviewDecision.Decision.REJECT,
        reviewer="rita",
        reason="The same key.",
        now=timezone.now(),
    )
    while queue:
        running.perform(pk=queue.pop(0), enqueue=queue.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE
    assert "bob" in competent(run)
    assert "bob" not in set(findings.tables(run, "competence", "competence")["worker"])
    assert competent(analysed(study)) == {"dora", "emil", "fay"}


def test_an_open_study_is_analysed_while_questionnaires_are_handed_in(celery_worker):
    """One every tenth of a second, from before the start until the run is over."""
    study = poll(analysis={"restarts": 400, "draws": 100}, quota=200)
    handed_in, over = [], threading.Event()

    def judges():
        try:
            for number in range(190):
                if over.wait(0.1):
                    return
                vote(study, f"judge{number}", "aab" if number % 3 else "nba")
                handed_in.append(number)
        finally:
            connection.close()

    arriving = threading.Thread(target=judges)
    arriving.start()
    try:
        wait_for(lambda: len(handed_in) >= 3)
        tasks.analyse_study.delay(study.pk)
        run = wait_for(AnalysisRun.objects.exclude(finished_at=None).first)
        meanwhile = len(handed_in) + 4 - len(FrozenWork.of(run.frozen).counting)
    finally:
        over.set()
        arriving.join()
    assert run.state == AnalysisRun.State.DONE
    assert meanwhile >= 3
    assert len(competent(run)) == len(FrozenWork.of(run.frozen).counting)
    assert AnalysisRun.objects.count() == 1


# -- Withdrawals --------------------------------------------------------------------------------


def test_a_withdrawal_under_a_run_starts_another_one_without_them(celery_worker):
    study = poll(analysis={"restarts": 400, "draws": 50})
    tasks.analyse_study.delay(study.pk)
    first = wait_for(AnalysisRun.objects.filter(state="running").first)
    withdraw(study, "bob")
    first.refresh_from_db()
    assert (first.state, first.overtaken) == (AnalysisRun.State.CANCELLED, True)
    second = wait_for(AnalysisRun.objects.filter(state="done").first)
    assert competent(second) == {"dora", "emil", "fay"}
    assert not second.overtaken
    tasks.sweep.delay()
    wait_for(lambda: AnalysisRun.objects.count() == 1)


def test_withdrawn_worker_is_on_no_page_in_no_json_and_in_no_file(client, tmp_path):
    study = poll(analysis={"draws": 50})
    run = analysed(study)
    withdraw(study, "bob")
    client.force_login(rita())
    place = [study.slug, study.version]
    pages = [
        reverse("results", args=place),
        *(reverse("results_part", args=[*place, part]) for part in PARTS),
        reverse("results_table", args=[*place, "competence-competence.csv"]),
        reverse("api_findings", args=place),
    ]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert "bob" not in without_tokens(answer.content.decode())
    manifest = exporting.write_bundle(study=study, out=tmp_path)
    for file in tmp_path.rglob("*.*"):
        assert b"bob" not in file.read_bytes(), file
    assert any(f"{run.pk}" in note for note in manifest.notes)
    assert elements(client.get(pages[0]).content.decode(), "data-overtaken")
    assert json.loads(client.get(pages[-1]).content)["run"]["overtaken"]


def test_an_analysis_that_counts_a_withdrawn_person_is_erased_after_the_next(client):
    study = poll(analysis={"draws": 50})
    old = analysed(study, seed=7)
    withdraw(study, "bob")
    new = renewed(study)
    assert (new.seed, new.overtaken) == (7, False)
    assert list(AnalysisRun.objects.all()) == [new]
    assert not Result.objects.filter(step__run=old.pk).exists()
    client.force_login(rita())
    page = client.get(reverse("results", args=[study.slug, study.version])).content.decode()
    assert elements(page, "data-overtaken") == []
    assert values(page, "data-without") == ["1"]
    assert (old.without, new.without) == (0, 1)


def test_when_everybody_withdrew_nothing_of_the_analysis_is_left():
    study = poll({"bob": "aab"}, analysis={"draws": 50})
    analysed(study)
    withdraw(study, "bob")
    assert renewed(study) is None
    assert not AnalysisRun.objects.exists()


def test_a_withdrawal_while_the_votes_are_read_is_known_to_the_run(monkeypatch):
    study = poll()
    digests = running.digests

    def interrupted(**how):
        digest_by_name = digests(**how)
        withdraw(study, "bob")
        return digest_by_name

    monkeypatch.setattr(running, "digests", interrupted)
    run, _ = start(study)
    assert run.overtaken
    assert renewing.overtaken_studies() == [study.pk]


def test_withdrawal_before_submission_overtakes_no_run():
    study = poll()
    run = analysed(study)
    work = assigning.claim(study=study, worker=worker("gus"), now=NOW)
    assigning.withdraw(assignment=work, now=timezone.now())
    run.refresh_from_db()
    assert not run.overtaken


# -- Clocks that jump ---------------------------------------------------------------------------


def closed_and_analysed():
    study = poll(analysis={"draws": 50})
    batching.close_batch(batch=study.batches.get(), now=timezone.now())
    return study, analysed(study)


@pytest.mark.parametrize("jump", [timedelta(hours=1), -timedelta(hours=1)], ids=["on", "back"])
def test_a_clock_that_jumps_hides_no_withdrawal(jump):
    study, run = closed_and_analysed()
    now = timezone.now() + jump
    withdraw(study, "bob", now=now)
    run.refresh_from_db()
    assert run.overtaken
    assert renewing.unanalysed(now=timezone.now() + renewing.SETTLED) == list(study.batches.all())


@pytest.mark.parametrize("jump", [timedelta(hours=1), -timedelta(hours=1)], ids=["on", "back"])
def test_a_clock_that_jumps_hides_no_decision(jump):
    study, _ = closed_and_analysed()
    reviewing.decide(
        assignment=study.assignments.get(worker__pseudonym="bob"),
        decision=ReviewDecision.Decision.REJECT,
        reviewer="rita",
        reason="The same key.",
        now=timezone.now() + jump,
    )
    assert renewing.unanalysed(now=timezone.now() + renewing.SETTLED) == list(study.batches.all())
    analysed(study)
    assert renewing.unanalysed(now=timezone.now() + renewing.SETTLED) == []


def test_the_results_are_those_asked_for_last_whatever_the_clock_said():
    study = poll(analysis={"draws": 50})
    first = analysed(study)
    AnalysisRun.objects.update(asked_at=timezone.now() + timedelta(hours=1))
    vote(study, "gus", "bbb")
    second = analysed(study)
    assert study.runs.newest_finished() == second != first


def test_a_closing_whose_clock_was_behind_is_analysed():
    study = poll(analysis={"draws": 50})
    analysed(study)
    batch = batching.close_batch(batch=study.batches.get(), now=timezone.now() - timedelta(hours=1))
    assert renewing.unanalysed(now=timezone.now()) == [batch]


def test_work_that_was_redone_is_not_taken_for_what_it_was():
    study, _ = closed_and_analysed()
    work = study.assignments.get(worker__pseudonym="bob")
    before = FrozenWork.now(study).standing
    Assignment.objects.filter(pk=work.pk).update(submitted_at=timezone.now())
    assert FrozenWork.now(study).standing != before
