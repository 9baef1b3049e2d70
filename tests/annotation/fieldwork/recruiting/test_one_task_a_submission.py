"""Prolific pays a submission once: nobody gets a second task for it."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotation.fieldwork.paying import orders
from annotation.fieldwork.recruiting.arriving import Arrival, look, take_part
from annotation.fieldwork.review import accepting_late_work, reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NotLive, SubmissionUsed
from annotation.models import Assignment
from tests.cast import (
    NOW,
    begun,
    bob,
    charlie,
    handed_in,
    onboarding_study,
    prolific_id,
    prolific_link,
    proof,
    small_study,
)

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
AGREE = {"agree": "yes"}
BOB = prolific_link("bob")


@pytest.fixture
def study():
    """Three tasks of one pair, three of them for each person."""
    return small_study(responses=3, items=1, recruitment="prolific", cap=3, pay="3.00")


def token(response):
    return response["Location"].split("/")[2]


def test_who_opens_the_link_again_after_handing_in_gets_the_last_page(client, study):
    work = Assignment.objects.get(pk=begin_by_link(client))
    handed_in(work)
    assert token(client.get(BOB)) == work.token
    page = client.get(f"/w/{work.token}/", follow=True).content.decode()
    assert 'data-end="done"' in page
    assert study.completion_code in page
    assert Assignment.objects.count() == 1


def test_a_second_tab_that_agrees_afterwards_gets_it_too(client, study):
    work = Assignment.objects.get(pk=begin_by_link(client))
    handed_in(work)
    assert token(client.post(BOB, AGREE)) == work.token
    assert Assignment.objects.count() == 1


def begin_by_link(client):
    client.get(BOB)
    return Assignment.objects.addressed(token(client.post(BOB, AGREE))).get().pk


@pytest.mark.parametrize("decision", ["accept", "reject", "reject_but_pay"])
def test_a_decision_opens_no_further_task(study, decision):
    work = handed_in(begun(study, bob(), proof=proof("bob")))
    reviewing.decide(assignment=work, decision=decision, reviewer="r", reason="So.", now=NOW)
    with pytest.raises(SubmissionUsed):
        begun(study, bob(), proof=proof("bob"))


def test_a_new_submission_gets_a_further_task_and_so_does_who_returned_one(study):
    handed_in(begun(study, bob(), proof=proof("bob")))
    second = begun(study, bob(), proof=proof("bob", submission="second"))
    assigning.return_task(assignment=second, now=NOW)
    third = begun(study, bob(), proof=proof("bob", submission="second"))
    assert third.pk != second.pk


def test_nobody_takes_the_submission_of_another_person(study, client):
    handed_in(begun(study, bob(), proof=proof("bob")))
    theirs = re.search(r"SESSION_ID=\w+", BOB)[0]
    link = re.sub(r"SESSION_ID=\w+", theirs, prolific_link("charlie"))
    answer = client.post(link, AGREE)
    assert (answer.status_code, 'data-refusal="SubmissionUsed"' in answer.content.decode()) == (
        409,
        True,
    )
    assert Assignment.objects.count() == 1


def test_the_database_holds_it(study):
    begun(study, bob(), proof=proof("bob"))
    other = begun(study, charlie(), proof=proof("charlie"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=other.pk).update(session_hash=proof("bob").session)


def test_of_two_people_at_once_the_second_is_refused(study, monkeypatch):
    begun(study, bob(), proof=proof("bob"))
    # As if the look came before the other one's place was there.
    monkeypatch.setattr(type(Assignment.objects.all()), "spending", lambda self, _: self.none())
    with pytest.raises(SubmissionUsed):
        begun(study, charlie(), proof=proof("bob"))
    assert Assignment.objects.count() == 1


def test_late_work_does_not_come_back_beside_the_task_that_followed_it(study):
    late = begun(study, bob(), proof=proof("bob"))
    assigning.expire_due(now=NOW + timedelta(days=1))
    late.refresh_from_db()
    study.batches.get().tasks.filter(pk=late.task_id).update(quota=1)
    late.task.places.filter(assignment=None).delete()
    handed_in(begun(study, bob(), proof=proof("bob")))
    late.task.places.create(number=9)
    with pytest.raises(NotLive):
        assigning.revive(assignment=late, now=NOW)
    assert not accepting_late_work.receive_late(assignment=late, now=NOW)


def test_in_a_study_with_onboarding_people_come_back_with_their_link():
    study = onboarding_study(recruitment="prolific")
    assert not study.one_task_a_submission
    person = Arrival("prolific", prolific_id("bob"), prolific_id("first of bob"))
    work = take_part(study=study, arrival=person, now=NOW)
    assert not work.alone
    assert look(study=study, arrival=person) == work


# -- Where a submission had two, as before this rule --------------------------------------------


def test_a_rejection_waits_until_no_other_work_of_the_submission_may_be_paid(study):
    first = handed_in(begun(study, bob(), proof=proof("bob")))
    second = handed_in(begun(study, bob(), proof=proof("bob", submission="second")))
    Assignment.objects.filter(pk=second.pk).update(alone=False, session_hash=first.session_hash)
    Assignment.objects.update(external_id=b"sealed")
    reviewing.decide(assignment=first, decision="reject", reviewer="r", reason="So.", now=NOW)
    assert not orders.rejectable(study).exists()
    reviewing.decide(
        assignment=second, decision="reject_but_pay", reviewer="r", reason="So.", now=NOW
    )
    assert not orders.rejectable(study).exists()
    reviewing.decide(assignment=second, decision="reject", reviewer="r", reason="So.", now=NOW)
    assert set(orders.rejectable(study)) == {first, second}
