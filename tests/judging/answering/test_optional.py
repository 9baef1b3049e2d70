"""Questions that may be left out: no work waits for them, and what was typed can be taken back."""

import pytest

from annotation.fieldwork.work.refusals import Incomplete, NotAnAnswer
from annotation.models import Assignment
from judging.answering import page_layout, progress, recording
from judging.answering.recording import GivenAnswer
from judging.answering.saved_answers import answers_of
from judging.instruments.files import BadInstrument, check
from judging.instruments.schema import QuestionSpec, ScaleSpec
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from judging.raters.pools import Pool
from tests.cast import MINUTE, NOW, PREFERENCE, begun, bob, small_study, tiny_instrument
from tests.coded_errors import raises

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

WORDS = ScaleSpec("words", "text")
WHY = QuestionSpec("why", "better", "words", "Why, in your words?", optional=True)
BETTER = QuestionSpec("better", "better", "preference", "Which text is better?")


@pytest.fixture
def at_work():
    instrument = tiny_instrument(scales=[PREFERENCE, WORDS], questions=[BETTER, WHY])
    assignment = begun(small_study(instrument=instrument), bob())
    draw_presentations(assignment=assignment)
    return assignment


def save(assignment, *answers):
    return recording.record(assignment=assignment, answers=answers, now=NOW).late


def state_of(assignment):
    presentations = list(draw_presentations(assignment=assignment))
    questions = recording.questions_of(assignment.study_id)
    counts = answers_of(assignment=assignment, presentations=presentations).counts
    wanted = progress.wanted_of(presentations=presentations, questions=questions)
    (dot,) = progress.dots_of(
        pages=page_layout.pages_of(presentations, study=assignment.study),
        counts=counts,
        wanted=wanted,
        token=assignment.token,
    )
    return dot.state


def test_work_is_done_without_them(at_work):
    assert state_of(at_work) == "open"
    save(at_work, GivenAnswer(1, "better", "a"))
    assert state_of(at_work) == "done"
    done = recording.submit(assignment=at_work, now=NOW + 10 * MINUTE)
    assert done.state == Assignment.State.SUBMITTED


def test_they_do_not_stand_for_those_that_are_asked(at_work):
    save(at_work, GivenAnswer(1, "why", "It is shorter."))
    assert state_of(at_work) == "open"
    with pytest.raises(Incomplete):
        recording.submit(assignment=at_work, now=NOW + 10 * MINUTE)


def test_an_answer_that_was_taken_back_is_none_and_stays_so(at_work):
    save(
        at_work,
        GivenAnswer(1, "better", "a", number=1),
        GivenAnswer(1, "why", "It is shorter.", number=2),
    )
    save(at_work, GivenAnswer(1, "why", " ", number=4))
    assert save(at_work, GivenAnswer(1, "why", "It is sh", number=3)) == [3]
    recording.submit(assignment=at_work, now=NOW + 10 * MINUTE)
    assert Judgment.objects.get(question__key="why").raw == ""
    read = Pool().judgments(study=at_work.study)
    assert list(read.values_list("question__key", flat=True)) == ["better"]


def test_others_cannot_be_taken_back(at_work):
    with pytest.raises(NotAnAnswer):
        save(at_work, GivenAnswer(1, "better", ""))


def test_an_instrument_asks_something_that_is_answered():
    asked = tiny_instrument(scales=[WORDS], questions=[WHY])
    with raises(BadInstrument, "faults") as refused:
        check(asked, name="tiny.json")
    assert [fault.path for fault in refused.value.faults] == ["questions"]
