"""Practice before the work: told what is right, and counted nowhere."""

import re

import pytest

from annotation.models import Study
from judging.answering import recording
from judging.drafts.check_faults import check_faults
from judging.instruments.schema import AnswerSpec, KnownSpec
from judging.items.drawing import draw_presentations
from judging.models import ItemRole
from judging.raters.pools import EVERYBODY
from judging.review import examining
from tests.cast import (
    NOW,
    begun,
    bob,
)
from tests.hooks import elements, values
from tests.judging.review.checked import answer, checked, pages, study_with

pytestmark = pytest.mark.django_db


PRACTICE = KnownSpec(
    "practice", "t1d|t1a", [AnswerSpec("better", "a")], "The first one is **longer**."
)


def visit(client, assignment, position, what=""):
    return client.get(f"/w/{assignment.token}/judging/{position}/{what}")


def say(assignment, position, raw):
    given = [recording.GivenAnswer(position, "better", raw)]
    recording.record(assignment=assignment, answers=given, now=NOW)


def test_practice_comes_first_and_is_told_what_is_right(client):
    assignment = begun(study_with(checked(training=[PRACTICE])), bob())
    first, *others = draw_presentations(assignment=assignment)
    assert first.item.role == ItemRole.TRAINING
    assert ItemRole.TRAINING not in {other.item.role for other in others}
    assert visit(client, assignment, 2).url.endswith("/judging/1/")  # not before it is done
    page = visit(client, assignment, 1).content.decode()
    assert elements(page, "data-training")
    assert "/judging/1/feedback/" in page
    assert "longer" not in page
    early = visit(client, assignment, 1, "feedback/").content.decode()
    assert elements(early, "data-feedback") == []
    assert "longer" not in early
    left_is_right = first.order == "a,b"
    say(assignment, 1, "a" if left_is_right else "b")
    told = visit(client, assignment, 1, "feedback/").content.decode()
    assert values(told, "data-right") == ["yes"]
    assert "<strong>longer</strong>" in told
    say(assignment, 1, "b" if left_is_right else "a")
    told = visit(client, assignment, 1, "feedback/").content.decode()
    assert values(told, "data-right") == ["no"]
    answered, right = re.findall("<strong>(Left|Right)</strong>", told)
    assert (answered, right) == (("Right", "Left") if left_is_right else ("Left", "Right"))
    assert visit(client, assignment, 2).status_code == 200


def test_trial_shows_any_page_before_the_practice_is_done(client):
    assignment = begun(study_with(checked(training=[PRACTICE])), bob())
    assert visit(client, assignment, 2).status_code == 302
    Study.objects.update(purpose=Study.Purpose.TRIAL)
    assert visit(client, assignment, 2).status_code == 200


def test_nothing_is_told_about_other_pages(client):
    assignment = begun(study_with(checked(training=[PRACTICE])), bob())
    assert "/judging/2/feedback/" not in visit(client, assignment, 2).content.decode()
    answer_without_end(assignment)
    for position in range(2, len(draw_presentations(assignment=assignment)) + 1):
        assert visit(client, assignment, position, "feedback/").status_code == 302


def answer_without_end(assignment):
    for page in draw_presentations(assignment=assignment):
        say(assignment, page.position, "a")


def test_practice_comes_once_for_a_person_and_counts_nowhere():
    study = study_with(checked(training=[PRACTICE]), responses=4, quota=1, cap=2)
    first = begun(study, bob())
    answer(first)
    second = begun(study, bob())
    assert pages(first, ItemRole.TRAINING)
    assert not pages(second, ItemRole.TRAINING)
    answer(second)
    seen = examining.examine(pk=first.pk)
    assert not [mark for mark in seen.marks if mark["rule"] in ("attention", "gold")]
    assert EVERYBODY.judgments(study=study).count() == 6


def test_practice_without_a_reason_is_a_fault():
    silent = KnownSpec("practice", "t1d|t1a", PRACTICE.answers)
    (fault,) = check_faults(checked(attention=[], gold=[], training=[silent]), "")
    assert fault.path == "training/practice/explanation"


def test_feedback_shows_the_query_as_the_page_does(client):
    assignment = begun(study_with(checked(training=[PRACTICE])), bob())
    topic = draw_presentations(assignment=assignment)[0].item.topic
    topic.query = "**Why** is $x^2$ even?"
    topic.save()
    say(assignment, 1, "a")
    told = visit(client, assignment, 1, "feedback/").content.decode()
    assert "**Why**" not in told
    assert "<strong>Why</strong>" in told
    assert 'data-formula="inline"' in told
