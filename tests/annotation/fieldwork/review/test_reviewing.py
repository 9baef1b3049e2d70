"""Decisions about submitted work."""

import pytest

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NothingNew
from annotation.models import Assignment, Place, ReviewDecision
from tests.cast import HOUR, NOW, begun, bob, charlie, small_study, submitted
from tests.coded_errors import raises

Decision = ReviewDecision.Decision
State = Assignment.State
pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def decide(assignment, decision, reason="Every answer is the first option."):
    return reviewing.decide(
        assignment=assignment, decision=decision, reviewer="rita", reason=reason, now=NOW + HOUR
    )


def test_accepted_work_keeps_its_place():
    assignment = submitted(small_study(), bob())
    decide(assignment, Decision.ACCEPT, reason="")
    assert (assignment.state, assignment.ended_at) == (State.ACCEPTED, NOW + HOUR)
    assert Place.objects.get().assignment == assignment


@pytest.mark.parametrize("decision", [Decision.REJECT, Decision.REJECT_BUT_PAY])
def test_rejected_work_is_done_again_by_somebody_else(decision):
    study = small_study(batch={"closes_when_full": False})
    assignment = submitted(study, bob())
    decide(assignment, decision)
    assert assignment.state == State.REJECTED
    assert assigning.claim(study=study, worker=charlie(), now=NOW).task == assignment.task


def test_rejected_work_is_not_done_again_by_the_same_person():
    study = small_study(cap=5, batch={"closes_when_full": False})
    decide(submitted(study, bob()), Decision.REJECT)
    with pytest.raises(NothingNew):
        assigning.claim(study=study, worker=bob(), now=NOW)


def test_a_decision_is_written_down_with_its_reason_and_reviewer():
    decision = decide(submitted(small_study(), bob()), Decision.REJECT)
    assert (decision.reviewer, decision.decided_at) == ("rita", NOW + HOUR)
    assert decision.reason == "Every answer is the first option."


@pytest.mark.parametrize("decision", [Decision.REJECT, Decision.REJECT_BUT_PAY, Decision.REDO])
def test_whoever_gets_bad_news_is_told_why(decision):
    assignment = submitted(small_study(), bob())
    with raises(CannotReview, "no_message"):
        decide(assignment, decision, reason="  ")
    assignment.refresh_from_db()
    assert assignment.state == State.SUBMITTED


def test_the_same_is_not_decided_twice():
    assignment = submitted(small_study(), bob())
    decide(assignment, Decision.ACCEPT)
    with raises(CannotReview, "already_decided"):
        decide(assignment, Decision.ACCEPT)
    assert ReviewDecision.objects.count() == 1


def test_a_decision_is_undone_by_another_one():
    assignment = submitted(small_study(batch={"closes_when_full": False}), bob())
    for decision in (Decision.ACCEPT, Decision.REJECT, Decision.REJECT_BUT_PAY, Decision.ACCEPT):
        decide(assignment, decision)
    assert assignment.state == State.ACCEPTED
    assert Place.objects.get().assignment == assignment
    assert ReviewDecision.objects.count() == 4


def test_rejected_work_is_not_accepted_when_its_place_is_taken():
    study = small_study(batch={"closes_when_full": False})
    assignment = submitted(study, bob())
    decide(assignment, Decision.REJECT)
    assigning.claim(study=study, worker=charlie(), now=NOW)
    with raises(CannotReview, "place_taken"):
        decide(assignment, Decision.ACCEPT)
    assignment.refresh_from_db()
    assert assignment.state == State.REJECTED


def test_work_to_be_redone_goes_back_to_its_worker_who_keeps_the_place():
    study = small_study(batch={"closes_when_full": False})
    assignment = submitted(study, bob())
    decide(assignment, Decision.REDO, reason="Please say where it comes from.")
    assert (assignment.state, assignment.submitted_at) == (State.ACTIVE, None)
    assert assignment.expires_at > NOW + HOUR
    assert Place.objects.get().assignment == assignment
    assert assigning.claim(study=study, worker=bob(), now=NOW + HOUR) == assignment


def test_accepted_work_is_not_given_back():
    assignment = submitted(small_study(), bob())
    decide(assignment, Decision.ACCEPT)
    with raises(CannotReview, "not_submitted"):
        decide(assignment, Decision.REDO)


def test_work_that_was_not_submitted_is_not_decided_on():
    with raises(CannotReview, "not_decidable"):
        decide(begun(small_study(), bob()), Decision.ACCEPT)


def test_it_refuses_a_decision_that_leads_nowhere():
    assignment = submitted(small_study(), bob())
    with raises(CannotReview, "unknown_decision"):
        decide(assignment, "praise")
    assignment.refresh_from_db()
    assert assignment.state == State.SUBMITTED
