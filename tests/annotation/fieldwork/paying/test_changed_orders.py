"""What was decided otherwise before an order to pay was sent, and what Prolific did without one."""

import pytest
from django.db import transaction

from annotation import signals
from annotation.fieldwork.consenting.erasing_study_data import still_owed
from annotation.fieldwork.paying import (
    ordering,
    orders,
    recording_platform_payments,
    sending,
    totals,
)
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import ending
from annotation.models import (
    Assignment,
    Payment,
    PlatformStudy,
    PlatformSubmission,
    ReviewDecision,
)
from annotation.people.pseudonyms import encrypted
from tests.annotation.fieldwork.paying.desk import Desk, Killed
from tests.annotation.fieldwork.paying.ordered import (
    LATER,
    WHY,
    State,
    bonus,
    decided,
    go_on,
    ledger,
    order,
    settle,
    states,
)
from tests.cast import NOW, begun, small_corpus, small_study, submitted, worker

pytestmark = pytest.mark.django_db


def test_an_order_whose_decision_was_taken_back_is_not_sent():
    study, desk = decided(["bob"]), Desk()
    order(study)
    work = Assignment.objects.get()
    reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    go_on(desk)
    assert (desk.paid, states()) == ({}, {State.REFUSED})
    assert ledger(study) == {}


def test_an_order_that_was_lost_is_not_sent_again_when_its_decision_was_taken_back():
    decided_study, desk = decided(["bob"]), Desk(trouble={"approve": "lost"})
    order(decided_study)
    go_on(desk)
    assert states() == {State.UNKNOWN}
    work = Assignment.objects.get()
    reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    go_on(desk, LATER)
    assert (desk.paid, states()) == ({}, {State.REFUSED})


def test_an_order_that_a_colleague_carried_out_is_booked_although_it_was_decided_otherwise():
    study, desk = decided(["bob"]), Desk()
    order(study)
    desk.approve("of bob")
    work = Assignment.objects.get()
    reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    go_on(desk)
    assert (states(), ledger(study)["paid"]) == ({State.PAID}, 300)


def test_an_order_is_sent_where_its_decision_stands_again():
    study, desk = decided(["bob"]), Desk()
    order(study)
    work = Assignment.objects.get()
    reviewing.decide(assignment=work, decision="reject", reviewer="r", reason="So.", now=NOW)
    sending.doubt_moot(desk=desk, now=NOW)
    assert states() == {State.UNKNOWN}
    reviewing.decide(assignment=work, decision="accept", reviewer="r", now=NOW)
    go_on(desk)
    assert (desk.paid, ledger(study)["paid"]) == ({"of bob": 1}, 300)


def test_what_was_approved_there_without_an_order_is_entered_once():
    """By a colleague, or by Prolific itself after three weeks."""
    study = decided(["bob"])
    work = Assignment.objects.get()
    place = PlatformStudy.objects.create(
        platform="prolific", external_id="6" * 24, study=study, pay=3, minutes=9, created_at=NOW
    )
    PlatformSubmission.objects.create(
        platform_study=place,
        session_hash="a",
        worker=work.worker,
        assignment=work,
        status="APPROVED",
        changed_at=NOW,
        asked_at=NOW,
        source="poll",
    )
    for _ in range(2):
        recording_platform_payments.note_paid_there(now=NOW)
    assert ledger(study)["paid"] == 300
    assert orders.payable(study).dues == []


def test_a_rejection_that_was_taken_back_is_not_told():
    study, desk = decided(["bob"], ReviewDecision.Decision.REJECT), Desk()
    (work,) = orders.rejectable(study)
    ordering.reject(work=work, category="LOW_EFFORT", message=WHY, user=None, now=NOW)
    reviewing.decide(
        assignment=work, decision="reject_but_pay", reviewer="r", reason="So.", now=NOW
    )
    go_on(desk)
    assert desk.statuses == {}
    order(study)
    go_on(desk)
    assert desk.paid == {"of bob": 1}


def test_a_submission_pays_once_and_other_work_by_it_is_said():
    """Approving pays a submission; a second task that was done by it is not booked as paid."""
    study, desk = decided(["bob"]), Desk()
    first = Assignment.objects.get()
    other = small_study(
        items=1,
        slug="second",
        corpus=small_corpus(slug="other"),
        recruitment="prolific",
        pay="3.00",
    )
    second = submitted(other, first.worker)
    for work in (first, second):
        Assignment.objects.filter(pk=work.pk).update(
            session_hash="s", external_id=encrypted("of bob")
        )
    reviewing.decide(assignment=second, decision="accept", reviewer="r", now=NOW)
    order(study)
    assert orders.payable(other).dues == []
    raced = {"study": other, "worker": first.worker, "assignment": second, "kind": "reward"}
    Payment.objects.create(**raced, way="platform", amount=300, key="raced", made_at=NOW)
    go_on(desk)
    assert desk.paid == {"of bob": 1}
    assert ledger(study)["paid"] == 300
    assert ledger(other) == {}
    assert "bonus" in Payment.objects.get(state=State.REFUSED).said
    settle(other)
    for now in (NOW, LATER):
        go_on(desk, now)
    assert (desk.paid, desk.bonuses) == ({"of bob": 1}, {"of bob": [300]})
    assert (ledger(other)["paid"], totals.sums_of(other).due) == (300, 0)


def test_a_part_that_was_paid_there_is_not_booked_as_all():
    study, desk = decided(["bob"]), Desk()
    order(study)
    desk.statuses["of bob"] = "PARTIALLY APPROVED"
    go_on(desk)
    assert (states(), ledger(study)) == ({State.REFUSED}, {})


def test_a_bonus_on_its_way_is_still_owed():
    study = decided(["bob"])
    order(study)
    go_on(Desk())
    assert still_owed(study) == ""
    bonus(study)
    assert "0.50 GBP" in still_owed(study)


def test_a_process_that_is_killed_while_a_screen_out_is_entered_leaves_nothing_half(monkeypatch):
    study = small_study(recruitment="prolific", pay="3.00", screening={"reward": "0.20"})
    work, there = screened_out(study)
    PlatformSubmission.objects.filter(pk=there.pk).update(status="SCREENED OUT")
    book = recording_platform_payments.book

    def killed(**_):
        raise Killed

    monkeypatch.setattr(recording_platform_payments, "book", killed)  # after the order is written
    with pytest.raises(Killed), transaction.atomic():
        recording_platform_payments.note_paid_there(now=NOW)
    assert not Payment.objects.exists()
    monkeypatch.setattr(recording_platform_payments, "book", book)
    for _ in range(2):
        recording_platform_payments.note_paid_there(now=NOW)
    assert ledger(study)["paid"] == 20
    assert Payment.objects.get().assignment == work


def screened_out(study):
    """Bob, who was screened out, and his submission at Prolific, where he is still at work."""
    work = begun(study, worker("bob"))
    ending.end(assignment=work, outcome=Outcome.SCREENED_OUT, now=NOW)
    signals.screened_out.send(sender=Assignment, assignment=work)
    place = PlatformStudy.objects.create(
        platform="prolific", external_id="6" * 24, study=study, pay=3, minutes=9, created_at=NOW
    )
    return work, PlatformSubmission.objects.create(
        platform_study=place,
        session_hash="a",
        assignment=work,
        status="ACTIVE",
        asked_at=NOW,
        changed_at=NOW,
    )


def test_a_rejection_is_not_told_where_other_work_of_its_submission_is_accepted_since():
    study, desk = decided(["bob", "charlie"], ReviewDecision.Decision.REJECT), Desk()
    first, second = Assignment.objects.order_by("pk")
    told = ordering.reject(work=first, category="LOW_EFFORT", message=WHY, user=None, now=NOW)
    Assignment.objects.update(session_hash="one", external_id=encrypted("of bob"))
    reviewing.decide(assignment=second, decision="accept", reviewer="r", now=NOW)
    go_on(desk)
    told.refresh_from_db()
    assert (told.state, desk.statuses) == (State.REFUSED, {})
    order(study)
    go_on(desk)
    assert desk.paid == {"of bob": 1}
