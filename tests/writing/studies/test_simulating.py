"""Simulated writers: the same every time, and taken by the same doors as a browser's log."""

import pytest

from annotation.fieldwork.work.refusals import CapReached
from annotation.models import Assignment
from tests.cast import HOUR, NOW, writing_study
from writing.log.collecting import events_of
from writing.log.eventlog import Paste, encode
from writing.models import LogChunk, Writing
from writing.process.process import process_of
from writing.process.provenance import Passages
from writing.process.replay import rebuilt
from writing.studies.simulating import ELSEWHERE, SimulatedWriter, simulate, write

PASSAGES = [
    "Lamps shine. They need oil, gas or wires. Oil was the first of them.",
    "A mantle glows in the flame. It gives a white light.",
]


def log(*, seed=1, words=40, **writer):
    return write(SimulatedWriter("w", **writer), PASSAGES, words=words, style="essay", seed=seed)


def test_the_same_seed_is_the_same_log_and_another_seed_another():
    assert encode(log().events) == encode(log().events)
    assert encode(log().events) != encode(log(seed=2).events)


@pytest.mark.parametrize("style", ["bullet", "essay", "news"])
def test_the_log_rebuilds_the_text(style):
    hands = write(SimulatedWriter("w"), PASSAGES, words=30, style=style, seed=1)
    assert rebuilt(hands.events) == hands.text
    assert hands.text.startswith("- ") == (style == "bullet")


def test_a_writer_types_pastes_and_brings_as_they_are_told():
    typist = process_of(log(pastes=0).events, Passages(PASSAGES))
    assert typist.typed_share > 0.9
    assert typist.paste_ratio == 0
    paster = log(pastes=1)
    assert {event.source for event in paster.events if isinstance(event, Paste)} == {"passage"}
    assert process_of(paster.events, Passages(PASSAGES)).typed_share < 0.3
    bringer = log(pastes=0, foreign=True, words=30)
    assert ELSEWHERE in bringer.text
    long_insertions = process_of(bringer.events, Passages(PASSAGES)).long_insertions
    assert [insertion.kind for insertion in long_insertions] == ["foreign"]


def test_a_slow_writer_takes_longer_for_the_same_keys():
    slow, fast = log(gap=240, pastes=0, mistypes=0), log(gap=80, pastes=0, mistypes=0)
    assert slow.text == fast.text
    assert slow.ms > fast.ms


@pytest.mark.django_db
def test_a_task_is_done_from_the_link_to_the_submission():
    study = writing_study(topics=2)
    work = simulate(study=study, writer=SimulatedWriter("w"), arrived=NOW, words=20)
    writing = Writing.objects.get(assignment=work)
    assert work.state == Assignment.State.SUBMITTED
    assert work.submitted_at > work.started_at
    assert writing.verdict == "equal"
    assert rebuilt(events_of(work)) == writing.text
    assert set(work.entry_answers) == {question["key"] for question in study.entry_form}
    with pytest.raises(CapReached):
        simulate(study=study, writer=SimulatedWriter("w"), arrived=NOW + HOUR)


@pytest.mark.django_db
def test_work_that_was_cut_off_is_finished():
    """A demo that was stopped in the middle goes on: chunks that are here are acknowledged."""
    study, writer = writing_study(), SimulatedWriter("w")
    work = simulate(study=study, writer=writer, arrived=NOW, words=20)
    text = Writing.objects.get(assignment=work).text
    Assignment.objects.filter(pk=work.pk).update(state="active", submitted_at=None)
    LogChunk.objects.filter(assignment=work).order_by("-number")[0].delete()
    again = simulate(study=study, writer=writer, arrived=NOW, words=20)
    assert again.pk == work.pk
    assert Writing.objects.get(assignment=work).verdict == "equal"
    assert Writing.objects.get(assignment=work).text == text
