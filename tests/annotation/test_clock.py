"""A host whose clock is ten minutes wrong ends no work of others and loses none of its own."""

import os
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from analysis import tasks as analysis_tasks
from analysis.models import AnalysisStep
from analysis.runs import heartbeat
from annotation import clock, tasks
from annotation.models import Assignment
from judging import tasks as judging_tasks
from judging.models import MachineJudge
from tests.analysis.runs.polls import poll
from tests.analysis.runs.started import start
from tests.cast import begun, bob, small_study
from tests.judging.machines.cast import machine
from tests.services.children import PATIENCE, ROOT

pytestmark = pytest.mark.django_db(transaction=True)

SHIFTS = pytest.mark.parametrize("shift", [600, -600], ids=["ahead", "behind"])  # seconds
# Both clocks that our code and Django read, in a process of its own.
WRONG_HOST = """
import time, django
from datetime import UTC, datetime
from django.utils import timezone
true = time.time
time.time = lambda: true() + {shift}
timezone.now = lambda: datetime.fromtimestamp(time.time(), UTC)
django.setup()
from annotation import jobs
jobs.send = lambda task, *arguments: print("sent", task.name, *arguments)
{code}
"""
SWEEPS = """
from analysis import tasks as analysis_tasks
from annotation import tasks
from judging import tasks as judging_tasks
analysis_tasks.sweep.run()
tasks.expire.run()
judging_tasks.resume_judges.run()
"""


@pytest.fixture
def wrong_host(database_url):
    """Return a function that runs code on a host with a shifted clock, and what it printed."""

    def run(code, shift):
        ended = subprocess.run(
            [sys.executable, "-c", WRONG_HOST.format(shift=shift, code=code)],
            env={
                **os.environ,
                "DATABASE_URL": database_url,
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        return ended.stdout

    return run


@pytest.fixture
def unread(monkeypatch):
    """Forget the time that this process has read."""
    monkeypatch.setattr(clock, "_reading", None)


def shifted(monkeypatch, seconds):
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(seconds=seconds))


@SHIFTS
def test_time_is_that_of_the_database(unread, monkeypatch, shift):
    true = timezone.now()
    shifted(monkeypatch, shift)
    assert abs(clock.database_now() - true) < timedelta(seconds=30)
    assert clock.database_now() <= clock.database_now()


def test_time_is_read_twice_a_minute_and_counted_on_between(unread, monkeypatch):
    seconds, readings = [1000.0], []
    true = timezone.now()
    monkeypatch.setattr(time, "clock_gettime", lambda _: seconds[0])
    monkeypatch.setattr(clock, "_read", lambda: readings.append(1) or true)
    assert clock.database_now() == true
    seconds[0] += clock.READ_AGAIN
    assert clock.database_now() == true + timedelta(seconds=clock.READ_AGAIN)
    assert len(readings) == 1
    seconds[0] += 1
    assert clock.database_now() == true
    assert len(readings) == 2


def test_time_of_a_database_that_is_away_is_counted_on(unread, monkeypatch):
    before = clock.database_now()

    def away():
        raise OperationalError

    monkeypatch.setattr(clock, "_read", away)
    monkeypatch.setattr(clock, "READ_AGAIN", -1)
    assert clock.database_now() >= before
    monkeypatch.setattr(clock, "_reading", None)
    with pytest.raises(OperationalError):
        clock.database_now()


def test_time_moves_within_a_transaction(unread, monkeypatch):
    monkeypatch.setattr(clock, "READ_AGAIN", -1)
    with transaction.atomic():
        first = clock.database_now()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.01)")
        assert clock.database_now() > first


@SHIFTS
def test_steps_that_are_under_way_are_left_alone(wrong_host, shift):
    _, queue = start(poll())
    AnalysisStep.objects.filter(pk=queue[0]).update(
        # Later than now, as the other host may need longer to start than a step may be silent.
        state="running",
        touched_at=clock.database_now() + timedelta(minutes=5),
    )
    printed = wrong_host(SWEEPS, shift)
    assert "analysis.tasks.step" not in printed
    assert AnalysisStep.objects.get(pk=queue[0]).attempts == 0


@SHIFTS
def test_lost_steps_are_handed_out_again(wrong_host, shift):
    _, queue = start(poll())
    AnalysisStep.objects.filter(pk=queue[0]).update(
        state="running", touched_at=clock.database_now() - heartbeat.STALE
    )
    assert f"analysis.tasks.step {queue[0]}" in wrong_host(SWEEPS, shift)


@SHIFTS
def test_steps_of_that_host_are_left_alone(wrong_host, shift, monkeypatch):
    _, queue = start(poll())
    wrong_host(
        f"""
from analysis.models import AnalysisStep
from analysis.runs import heartbeat, running
from datetime import timedelta
heartbeat.HEARTBEAT = timedelta(seconds=0.05)
running._compute = lambda step: (time.sleep(0.5), 1 / 0)
try:
    running.perform(pk={queue[0]}, enqueue=print)
except ZeroDivisionError:
    AnalysisStep.objects.filter(pk={queue[0]}).update(state="running")
""",
        shift,
    )
    step = AnalysisStep.objects.get(pk=queue[0])
    assert abs(step.touched_at - clock.database_now()) < timedelta(seconds=heartbeat.STALE.seconds)
    analysis_tasks.sweep.run()
    step.refresh_from_db()
    assert (step.state, step.attempts) == ("running", 1)


@SHIFTS
def test_places_expire_at_their_time(wrong_host, shift):
    now = clock.database_now()
    work = begun(small_study(), bob(), now=now)
    for minutes, state in ((5, "active"), (-1, "expired")):
        Assignment.objects.filter(pk=work.pk).update(expires_at=now + timedelta(minutes=minutes))
        wrong_host(SWEEPS, shift)
        work.refresh_from_db()
        assert work.state == state


@SHIFTS
def test_places_given_by_that_host_last_as_long(wrong_host, shift):
    study = small_study()
    wrong_host(
        f"""
from annotation.clock import database_now
from annotation.fieldwork.work import assigning
from annotation.models import Study, Worker
from tests.cast import bob
assigning.claim(study=Study.objects.get(pk={study.pk}), worker=bob(), now=database_now())
""",
        shift,
    )
    work = study.assignments.get()
    left = work.expires_at - clock.database_now()
    assert abs(left - timedelta(minutes=15)) < timedelta(minutes=5)
    tasks.expire.run()
    work.refresh_from_db()
    assert work.state == "arrived"


@SHIFTS
def test_judges_that_another_host_works_on_are_left_alone(wrong_host, shift):
    judge = machine(small_study())
    for seconds, is_free in ((300, False), (-1, True)):
        MachineJudge.objects.filter(pk=judge.pk).update(
            state="running",
            held_by="another",
            held_until=clock.database_now() + timedelta(seconds=seconds),
        )
        assert (judging_tasks.rate.name in wrong_host(SWEEPS, shift)) == is_free
