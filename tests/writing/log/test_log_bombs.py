"""A log takes memory in the order of its size, ends somewhere, and ends a worker a few times."""

import re
import subprocess
import sys

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.urls import reverse

from annotation import jobs
from tests.cast import HOUR, NOW, alice, rita, writing_study
from tests.services.children import ROOT
from tests.writing.log.log_bombs import LONG_TEXT, bomb
from tests.writing.process.test_measuring import handed_in, redo
from writing import tasks
from writing.log.snapshots import encoded
from writing.models import LogChunk, ProcessRecord
from writing.process import measured, measures, measuring
from writing.process.provenance import MOST_REMEMBERED, Memory
from writing.process.replay import Replay


@pytest.mark.parametrize("inserted", [1, 100])
def test_a_log_of_a_megabyte_does_not_take_a_gigabyte(inserted):
    command = [sys.executable, "-m", "tests.writing.log.log_bombs", "1000000", str(inserted)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    measuring_it, playing_it, page = map(float, done.stdout.split())
    assert measuring_it < 60  # MB, of which no more than 32 for what the text was
    assert playing_it < 90
    assert page < 5  # MB of JSON in the reviewer's request


def test_earlier_states_of_a_long_text_have_a_limit_together():
    memory, text = Memory(), encoded("x" * 150_000)
    for n in range(200):
        memory.before(text, n * 100, 1, 1)
    assert 0 < memory._size <= MOST_REMEMBERED
    kept = memory._size
    memory.holds("y", "")  # decodes them
    assert kept == memory._size == sum(map(len, memory._states))


def test_too_much_looking_finds_nothing_more_instead_of_going_on():
    memory = Memory()
    memory.before(encoded("lamps shine"), 0, 1, 1)
    assert memory.holds("lamps", "")
    assert not memory.may_look_at(10**12)
    assert not memory.holds("lamps", "lamps")


def test_keyframes_together_are_no_larger_than_the_log():
    events = bomb(size=500_000)
    frames = Replay(events).keyframes
    assert len(frames) > 1
    assert sum(len(frame.codes) for frame in frames) < 3 * len(LONG_TEXT)


# -- Attempts ---------------------------------------------------------------------------------


@pytest.fixture
def deadly(monkeypatch):
    """Measuring that takes too long, and what the sweep hands out."""
    begun = []

    def never_ends(*args):
        begun.append(args)
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(measuring, "_measured", never_ends)
    return begun


def sweep(monkeypatch):
    handed_out = []
    monkeypatch.setattr(jobs, "send", lambda task, *given: handed_out.extend(given))
    tasks.sweep()
    for pk in handed_out:
        with pytest.raises(SoftTimeLimitExceeded):
            tasks.pack(pk)
    return handed_out


@pytest.mark.django_db
def test_a_log_that_ends_the_worker_is_not_tried_for_ever(monkeypatch, deadly, client):
    study = writing_study()
    work = handed_in(study, alice())
    assert [sweep(monkeypatch) for _ in range(5)] == [[work.pk]] * 3 + [[]] * 2
    tasks.pack(work.pk)  # a message that came again does nothing either
    assert len(deadly) == 3
    assert not LogChunk.objects.exists()
    client.force_login(rita())
    address = reverse("review_evidence", args=[study.slug, study.version, work.pk])
    [why] = re.findall(r"data-no-record>([^<]*)", client.get(address).content.decode())
    assert re.findall(r"\d+", why) == ["3", "3"]
    assert len(deadly) == 3
    assert measured.ranks_of(study) == {}


@pytest.mark.django_db
def test_a_log_that_cannot_even_be_packed_is_not_tried_for_ever(monkeypatch):
    work = handed_in(writing_study(), alice())
    monkeypatch.setattr(
        measuring, "pack_log", lambda **_: (_ for _ in ()).throw(SoftTimeLimitExceeded)
    )
    assert [sweep(monkeypatch) for _ in range(4)] == [[work.pk]] * 3 + [[]]
    assert LogChunk.objects.exists()  # nothing is lost by giving up


@pytest.mark.django_db
def test_another_submission_or_other_measures_are_tried_again(monkeypatch, deadly):
    work = handed_in(writing_study(), alice())
    for _ in range(4):
        sweep(monkeypatch)
    redo(work)
    assert sweep(monkeypatch) == [work.pk]
    monkeypatch.undo()
    monkeypatch.setattr(jobs, "send", lambda task, *given: task(*given))
    tasks.sweep()
    record = ProcessRecord.objects.get()
    assert (record.attempts, record.fault) == (0, "")
    monkeypatch.setattr(measuring, "VERSION", measures.VERSION + 1)
    assert list(measuring.outdated()) == [work]


@pytest.mark.django_db
def test_a_page_does_not_measure_a_long_log_while_somebody_waits(monkeypatch, deadly, client):
    study = writing_study()
    work = handed_in(study, alice())
    monkeypatch.setattr(measuring, "AT_ONCE", 10)
    record = measuring.measure_now(assignment=work, now=NOW + HOUR)
    assert "in the background" in record.fault
    assert (deadly, ProcessRecord.objects.count()) == ([], 0)


def test_tasks_on_logs_have_limits():
    assert 0 < tasks.pack.soft_time_limit < tasks.pack.time_limit <= 600
