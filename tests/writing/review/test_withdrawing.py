"""Withdrawing takes a text back everywhere, and the pages say so before and after."""

import pytest

from annotation.fieldwork.work import assigning
from annotation.models import Citation, Response, ReviewDecision, Segment
from judging.answering import recording
from judging.design.material import texts_of
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from tests.cast import HOUR, NOW, begun, bob, small_study, worker
from tests.hooks import values
from tests.writing.review.test_publishing import decide, judging_of, written
from writing.models import Writing

pytestmark = pytest.mark.django_db

Decision = ReviewDecision.Decision
WORDS = "Lamps shine"


def judged_text():
    """Alice's accepted text, and a study in which it is judged beside others."""
    assignment = written(f"{WORDS} [0]. They shine in colours [1].")
    decide(assignment, Decision.ACCEPT)
    return assignment, judging_of(Response.objects.get(writing__assignment=assignment))


def answer(assignment, positions):
    questions = recording.questions_of(assignment.study_id)
    for presentation in draw_presentations(assignment=assignment):
        if presentation.position in positions:
            given = [
                recording.GivenAnswer(
                    presentation.position, key, question.scale.spec["options"][0]["code"]
                )
                for key, question in questions[presentation.instrument_id].items()
            ]
            recording.record(assignment=assignment, answers=given, now=NOW)


def test_no_word_of_a_text_that_is_being_judged_stays():
    assignment, _ = judged_text()
    response = Response.objects.get(writing__assignment=assignment)
    assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    response.refresh_from_db()
    assert (response.text, response.words, response.author) == ("", 0, None)
    assert set(Segment.objects.values_list("text", flat=True)) <= {""}
    assert not Segment.cited.through.objects.exists()
    assert not Citation.objects.exists()
    assert not Writing.objects.exists()


def test_a_judge_is_asked_nothing_about_a_text_that_was_withdrawn(client):
    assignment, study = judged_text()
    judge = begun(study, bob())
    first = f"/w/{judge.token}/judging/1/"
    assert WORDS in client.get(first).content.decode()
    answer(judge, [])
    assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    page = client.get(first).content.decode()
    assert WORDS not in page
    assert "data-erased" in page
    assert "data-field" not in page.split("data-questions")[1].split("<footer")[0]
    assert recording.open_positions(assignment=judge) == []
    assert recording.submit(assignment=judge, now=NOW + HOUR).state == "submitted"


def test_the_judgments_of_others_stay_when_a_writer_withdraws():
    assignment, study = judged_text()
    judge = begun(study, bob())
    answer(judge, {presentation.position for presentation in draw_presentations(assignment=judge)})
    recording.submit(assignment=judge, now=NOW + HOUR)
    before = Judgment.objects.count()
    assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    assert Judgment.objects.count() == before > 0


def test_a_new_study_leaves_a_withdrawn_text_out():
    assignment, study = judged_text()
    before = len(texts_of(study.corpus))
    assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    assert len(texts_of(study.corpus)) == before - 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_pages_say_what_is_erased_and_what_stays(client, when):
    assignment, _ = judged_text()
    if when == "after":
        assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    path = "withdraw" if when == "before" else "done"
    page = client.get(f"/w/{assignment.token}/{path}/").content.decode()
    assert values(page, "data-erases") == ["texts"]
    assert values(page, "data-keeps") == ["payment"]


def test_a_judge_is_told_of_answers_and_not_of_texts(client):
    judge = begun(small_study(), worker("dora"))
    page = client.get(f"/w/{judge.token}/withdraw/").content.decode()
    assert values(page, "data-erases") == ["answers"]
    assert "your texts" not in page.lower()
