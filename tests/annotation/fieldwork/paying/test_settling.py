"""Rewards that Prolific cannot approve: they are paid as bonuses, once, and then are settled."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.paying import ordering, orders, totals
from annotation.fieldwork.paying.dues import Due
from annotation.fieldwork.review import reviewing, undoing
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.models import Assignment, Payment, ReviewAct
from annotation.people.pseudonyms import encrypted
from tests.annotation.fieldwork.paying.desk import Desk
from tests.annotation.fieldwork.paying.ordered import (
    LATER,
    State,
    at_prolific,
    bonus,
    decided,
    go_on,
    ledger,
    order,
    settle,
    states,
)
from tests.cast import NOW, rita, small_corpus, small_study, submitted
from tests.coded_errors import raises
from tests.refusals import refused

pytestmark = pytest.mark.django_db
GONE = ("TIMED-OUT", "RETURNED", "REJECTED")


def timed_out(status="TIMED-OUT"):
    """Return a study with accepted work whose submission has ended there without pay."""
    study = decided(["bob"])
    at_prolific(Assignment.objects.get(), status)
    return study, Desk(statuses={"of bob": status})


@pytest.mark.parametrize("status", GONE)
def test_work_that_prolific_cannot_approve_is_not_offered_for_approval(status):
    study, desk = timed_out(status)
    assert orders.payable(study).dues == []
    with refused("OrderChanged"):
        order(study)
    assert orders.settleable(study).people == 1
    settle(study)
    go_on(desk)
    assert (desk.paid, desk.bonuses) == ({}, {"of bob": [300]})
    assert ledger(study) == {"paid": 300, "fee": 100}
    assert (totals.sums_of(study).due, totals.sums_of(study).bonus) == (0, 0)
    assert orders.settleable(study).dues == []


def test_an_order_that_prolific_refused_because_it_timed_out_can_be_settled():
    study, desk = decided(["bob"]), Desk(statuses={"of bob": "TIMED-OUT"})
    order(study)  # Prolific has not told us yet
    go_on(desk)
    assert states() == {State.REFUSED}
    at_prolific(Assignment.objects.get(), "TIMED-OUT")
    assert orders.payable(study).dues == []
    settle(study)
    go_on(desk)
    assert ledger(study)["paid"] == 300


@pytest.mark.parametrize("call", ["list", "pay"])
@pytest.mark.parametrize("trouble", ["killed", "unknown", "lost", "away", "refused"])
def test_a_settlement_is_paid_at_most_once_whatever_becomes_of_the_answer(call, trouble):
    study, desk = timed_out()
    desk.trouble[call] = trouble
    settle(study)
    for minutes in (0, 6, 12, 18):
        go_on(desk, NOW + timedelta(minutes=minutes))
    paid = desk.bonuses.get("of bob", [])
    assert paid in ([], [300])
    assert ledger(study).get("paid", 0) == sum(paid)


def test_the_same_click_twice_settles_once():
    study, desk = timed_out()
    stamp = orders.settleable(study).stamp
    ordering.settle(study=study, stamp=stamp, user=None, now=NOW)
    with refused("OrderChanged"):
        ordering.settle(study=study, stamp=stamp, user=None, now=NOW)
    payment = Payment.objects.get()
    payment.pk, payment.key, payment.way = None, "again", "platform"
    with pytest.raises(IntegrityError), transaction.atomic():
        payment.save()
    go_on(desk)
    assert desk.bonuses == {"of bob": [300]}


@pytest.mark.parametrize("status", ["APPROVED", "AWAITING REVIEW"])
def test_what_can_be_approved_by_then_is_not_paid_as_a_bonus(status):
    study, desk = timed_out()
    settle(study)
    desk.statuses["of bob"] = status
    go_on(desk)
    assert (desk.bonuses, states()) == ({}, {State.REFUSED})


def test_a_settlement_whose_decision_is_taken_back_before_it_is_listed_is_not_paid():
    study, desk = timed_out()
    bonus(study, "3.00")  # of the same amount, so that the two could be mixed up
    go_on(desk)
    settle(study)
    work = Assignment.objects.get()
    reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    go_on(desk, LATER)
    assert desk.bonuses == {"of bob": [300]}
    assert ledger(study)["bonus"] == 300
    assert "paid" not in ledger(study)


def test_two_bonuses_of_one_amount_for_one_submission_wait_for_each_other():
    study, desk = decided(["bob"]), Desk(trouble={"pay": "lost"})
    first = Assignment.objects.get()
    corpus = small_corpus(slug="other")
    other = small_study(
        items=1, slug="second", corpus=corpus, recruitment="prolific", pay="3.00", currency="GBP"
    )
    second = submitted(other, first.worker)
    Assignment.objects.update(session_hash="one", external_id=encrypted("of bob"))
    reviewing.decide(assignment=second, decision="accept", reviewer="r", now=NOW)
    bonus(study, "3.00")
    go_on(desk)  # not paid, and nobody knows
    order(study)
    go_on(desk, LATER)
    settle(other)
    for minutes in (12, 18):
        go_on(desk, NOW + timedelta(minutes=minutes))
    assert desk.bonuses == {}  # a bonus shown now would be taken for the first
    unknown, settled = Payment.objects.get(kind="bonus"), Payment.objects.get(way="bonus")
    ordering.say(payment=unknown, was_paid=False, user=rita(), now=LATER)
    go_on(desk, NOW + timedelta(minutes=24))
    settled.refresh_from_db()
    assert (desk.bonuses, settled.state) == ({"of bob": [300]}, State.PAID)


def test_what_waits_adds_up_to_what_is_due():
    study = decided(["bob", "charlie", "dora", "emil"])
    bob, charlie, dora, _ = Assignment.objects.order_by("pk")
    at_prolific(bob, "RETURNED")
    at_prolific(charlie, "PARTIALLY APPROVED")
    Assignment.objects.filter(pk=dora.pk).update(external_id=b"")
    waiting = orders.waiting_of(study)
    assert {due: one.n for due, one in waiting.items() if one.n} == {
        Due.PAYABLE: 1,
        Due.SETTLED_BY_BONUS: 1,
        Due.PARTLY: 1,
        Due.NO_SUBMISSION: 1,
    }
    assert sum(one.amount for one in waiting.values()) == totals.sums_of(study).due


@pytest.mark.parametrize("status", [*GONE, "APPROVED"])
def test_prolific_is_not_told_of_a_rejection_that_it_would_refuse(status):
    study = decided(["bob"], "reject")
    assert orders.rejectable(study).count() == 1
    at_prolific(Assignment.objects.get(), status)
    assert orders.rejectable(study).count() == 0


def test_paid_work_is_not_rejected_without_pay():
    study, desk = decided(["bob"]), Desk()
    order(study)
    go_on(desk)
    work, spent = Assignment.objects.get(), totals.sums_of(study).spent
    with raises(CannotReview, "already_paid"):
        reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    reviewing.decide(
        assignment=work, decision="reject_but_pay", reviewer="r", reason="So.", now=NOW
    )
    assert totals.sums_of(study).spent == spent


def test_undoing_does_not_make_paid_work_rejected_without_pay():
    study, desk = decided(["bob"], "reject"), Desk()
    work = Assignment.objects.get()
    reviewing.decide(assignment=work, decision="accept", reviewer="r", now=NOW)
    order(study)
    go_on(desk)
    with raises(CannotReview, "already_paid"):
        undoing.undo(act=ReviewAct.objects.latest("pk"), reviewer="r", now=NOW)


def test_money_offers_to_pay_as_bonuses_and_says_why():
    study, _ = timed_out()
    client = Client()
    client.force_login(rita())
    text = client.get(reverse("money", args=[study.slug, study.version])).text
    address = reverse("money_order", args=[study.slug, study.version, "settle"])
    assert "data-settleable" in text
    assert address in text
    assert reverse("money_order", args=[study.slug, study.version, "pay"]) not in text
    preview = client.get(address)
    assert 'data-money="order">3.00 GBP' in preview.text
    sent = client.post(address, {"stamp": preview.context["preview"].stamp})
    assert sent.status_code == 302
    assert Payment.objects.get().way == Payment.Way.BONUS
