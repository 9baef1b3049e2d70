"""Orders to pay: each is done once, whatever happens between their answer and our record."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import transaction
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation import signals
from annotation.fieldwork.paying import (
    ordering,
    orders,
    recording_platform_payments,
    sending,
    totals,
)
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.work import ending
from annotation.models import (
    Assignment,
    AuditEntry,
    LedgerEntry,
    Payment,
    PlatformStudy,
    PlatformSubmission,
    ReviewDecision,
)
from annotation.people.pseudonyms import encrypted
from tests.annotation.fieldwork.paying.desk import Desk
from tests.annotation.fieldwork.paying.ordered import (
    LATER,
    WHY,
    State,
    at_prolific,
    bonus,
    decided,
    go_on,
    ledger,
    order,
    states,
)
from tests.cast import NOW, begun, rita, small_study, submitted, worker
from tests.refusals import refused, suppressed

pytestmark = pytest.mark.django_db


# -- Rewards ------------------------------------------------------------------------------------


def test_what_is_approved_is_paid_once_with_the_fee_of_the_platform():
    study, desk = decided(), Desk()
    preview = orders.payable(study)
    assert (preview.people, preview.amount, preview.fees) == (3, Decimal(9), Decimal(3))
    order(study)
    assert ledger(study) == {}
    go_on(desk)
    go_on(desk, LATER)
    assert set(desk.paid.values()) == {1}
    assert ledger(study) == {"paid": 900, "fee": 300}
    assert orders.payable(study).dues == []


def test_the_same_click_twice_orders_once():
    study = decided()
    stamp = orders.payable(study).stamp
    ordering.pay(study=study, stamp=stamp, user=rita(), now=NOW)
    with refused("OrderChanged"):
        ordering.pay(study=study, stamp=stamp, user=None, now=NOW)
    assert Payment.objects.count() == 3
    assert AuditEntry.objects.get(act="ordered payment").what == "3 rewards, 9.00 GBP"


def test_many_are_approved_together_and_what_prolific_shows_is_booked():
    people = [f"person{n}" for n in range(7)]
    study, desk = decided(people), Desk()
    order(study)
    go_on(desk)
    assert (desk.calls, states(), ledger(study)) == (["bulk"], {State.SENT}, {})
    go_on(desk, LATER)
    assert (desk.calls, states()) == (["bulk"], {State.PAID})
    assert ledger(study)["paid"] == 2100


def test_one_that_cannot_be_approved_keeps_no_other_back():
    people = [f"person{n}" for n in range(7)]
    study, desk = decided(people), Desk(statuses={"of person3": "RETURNED"})
    order(study)
    go_on(desk)
    assert ledger(study)["paid"] == 1800
    assert Payment.objects.get(state=State.REFUSED).worker.pseudonym == "person3"
    assert orders.payable(study).people == 1  # it can be ordered again


@pytest.mark.parametrize("trouble", ["killed", "unknown", "lost", "away"])
def test_a_reward_is_paid_once_whatever_becomes_of_the_answer(trouble):
    study, desk = decided(["bob"]), Desk(trouble={"approve": trouble})
    order(study)
    go_on(desk)
    assert ledger(study) == {}
    for minutes in (6, 12):
        go_on(desk, NOW + timedelta(minutes=minutes))
    assert desk.paid == {"of bob": 1}
    assert ledger(study) == {"paid": 300, "fee": 100}


def test_what_was_approved_at_prolific_itself_is_booked_and_not_paid_again():
    study, desk = decided(["bob"]), Desk(statuses={"of bob": "APPROVED"})
    order(study)
    go_on(desk)
    assert (states(), desk.paid) == ({State.PAID}, {})
    assert ledger(study)["paid"] == 300


def test_in_a_dry_run_the_orders_wait(settings):
    settings.PROLIFIC_TOKEN, settings.RECRUITING_DRY_RUN = "t", True
    assert not sending.is_on()
    settings.RECRUITING_DRY_RUN = False
    assert sending.is_on()


def test_by_hand_it_is_paid_as_soon_as_it_is_noted_and_without_a_fee():
    study = decided(recruitment="link")
    order(study)
    assert states() == {State.PAID}
    assert ledger(study) == {"paid": 900}


# -- Rejections ---------------------------------------------------------------------------------


def test_a_rejection_is_told_with_its_category_and_message():
    study, desk = decided(["bob"], ReviewDecision.Decision.REJECT), Desk()
    (work,) = orders.rejectable(study)
    ordering.reject(work=work, category="LOW_EFFORT", message=WHY, user=None, now=NOW)
    go_on(desk)
    assert desk.statuses == {"of bob": "REJECTED"}
    assert (states(), ledger(study)) == ({State.PAID}, {})
    assert not orders.rejectable(study).exists()


@pytest.mark.parametrize(
    ("category", "message", "code"),
    [("LOW_EFFORT", "Too fast.", "RejectionTooShort"), ("RUDE", WHY, "UnknownCategory")],
)
def test_a_rejection_is_checked_before_it_is_told(category, message, code):
    (work,) = orders.rejectable(decided(["bob"], ReviewDecision.Decision.REJECT))
    with refused(code):
        ordering.reject(work=work, category=category, message=message, user=None, now=NOW)


def test_who_is_rejected_but_paid_is_not_rejected_at_prolific():
    study = decided(["bob"], ReviewDecision.Decision.REJECT_BUT_PAY)
    assert not orders.rejectable(study).exists()
    assert orders.payable(study).people == 1


# -- Bonuses ------------------------------------------------------------------------------------


def test_a_bonus_is_listed_and_paid_once():
    study, desk = decided(["bob"]), Desk()
    bonus(study)
    for minutes in (0, 6, 12):
        go_on(desk, NOW + timedelta(minutes=minutes))
    assert desk.calls == ["list", "pay"]
    assert (desk.bonuses, ledger(study)) == ({"of bob": [50]}, {"bonus": 50, "fee": 17})


@pytest.mark.parametrize("trouble", ["killed", "unknown"])
def test_a_bonus_that_was_paid_before_we_knew_is_found_and_not_paid_again(trouble):
    study, desk = decided(["bob"]), Desk(trouble={"pay": trouble}, bonuses={"of bob": [50]})
    bonus(study)
    go_on(desk)
    assert ledger(study) == {}
    go_on(desk, LATER)
    assert desk.bonuses == {"of bob": [50, 50]}
    assert (desk.calls.count("pay"), ledger(study)["bonus"]) == (1, 50)


def test_a_bonus_of_which_nothing_is_known_stays_unknown_until_a_person_says():
    study, desk = decided(["bob"]), Desk(trouble={"pay": "lost"})
    payment = bonus(study)
    for minutes in (0, 6, 12):
        go_on(desk, NOW + timedelta(minutes=minutes))
    assert (states(), desk.calls.count("pay")) == ({State.UNKNOWN}, 1)
    with refused("OrderChanged"):
        bonus(study, number=1)  # none beside one of which nothing is known
    user = rita()
    payment.refresh_from_db()
    ordering.say(payment=payment, was_paid=False, user=user, now=NOW)
    with refused("OrderChanged"):
        ordering.say(payment=payment, was_paid=True, user=user, now=NOW)
    bonus(study, number=1)
    go_on(desk, NOW + timedelta(minutes=18))
    assert (desk.bonuses, ledger(study)["bonus"]) == ({"of bob": [50]}, 50)


@pytest.mark.parametrize("trouble", ["killed", "unknown", "lost", "away"])
def test_a_list_that_nobody_paid_is_made_again(trouble):
    study, desk = decided(["bob"]), Desk(trouble={"list": trouble})
    bonus(study)
    go_on(desk)
    go_on(desk, LATER)
    assert (desk.bonuses, ledger(study)["bonus"]) == ({"of bob": [50]}, 50)


@pytest.mark.parametrize("amount", ["0", "1000.01"])
def test_a_bonus_has_a_sensible_amount(amount):
    with refused("BonusRange"):
        bonus(decided(["bob"]), amount)


# -- The target wage ----------------------------------------------------------------------------


def test_everybody_under_the_target_is_lifted_to_it_and_once():
    """Ten minutes for 3.00 are 18.00 an hour: a target of 24.00 lacks 1.00."""
    study, desk = decided(hourly_wage="24.00"), Desk()
    preview = orders.shortfalls(study)
    assert [due.amount for due in preview.dues] == [100, 100, 100]
    ordering.lift(study=study, stamp=preview.stamp, user=None, now=NOW)
    assert orders.shortfalls(study).dues == []  # they are on their way
    with refused("OrderChanged"):
        ordering.lift(study=study, stamp=preview.stamp, user=None, now=NOW)
    go_on(desk)
    assert (desk.spent, ledger(study)["bonus"]) == (300, 300)
    assert {round(account.wage, 2) for account in totals.accounts_of(study)} == {24.0}


def test_nobody_over_the_target_is_lifted():
    assert orders.shortfalls(decided(hourly_wage="18.00")).dues == []


def test_work_that_nobody_decided_on_lifts_nobody():
    study = small_study(pay="1.00", recruitment="prolific", items=1, hourly_wage="24.00")
    submitted(study, worker("bob"))
    assert orders.shortfalls(study).dues == []


# -- The planned reward an hour -------------------------------------------------------------------


def slower(study, *, minutes=10, median=15, works=None):
    """Let the works of a study come by one on Prolific that takes longer than planned."""
    for work in works or study.assignments.all():
        at = at_prolific(work, "APPROVED")
    PlatformStudy.objects.filter(pk=at.platform_study_id).update(
        minutes=minutes, median_seconds=60 * median
    )


def test_pay_is_raised_to_the_planned_rate_once_for_everybody():
    """3.00 for 10 min, 15 at the median: 1.50 each."""
    study, desk = decided(), Desk()
    slower(study)
    preview = orders.adjustments(study)
    assert [due.amount for due in preview.dues] == [150, 150, 150]
    assert (preview.amount, preview.fees) == (Decimal("4.50"), Decimal("1.50"))
    ordering.adjust(study=study, stamp=preview.stamp, user=None, now=NOW)
    assert orders.adjustments(study).dues == []
    with refused("OrderChanged"):
        ordering.adjust(study=study, stamp=preview.stamp, user=None, now=NOW)
    go_on(desk)
    assert (desk.spent, ledger(study)["bonus"]) == (450, 450)
    assert orders.adjustments(study).dues == []


def test_a_longer_median_raises_pay_by_the_rest():
    study, desk = decided(["bob"]), Desk()
    slower(study)
    ordering.adjust(study=study, stamp=orders.adjustments(study).stamp, user=None, now=NOW)
    go_on(desk)
    slower(study, median=20)
    assert [due.amount for due in orders.adjustments(study).dues] == [150]


def test_bonuses_count_and_screen_outs_do_not():
    study, desk = decided(["bob"], screening={"reward": "0.20"}), Desk()
    bob = study.assignments.get()
    out = begun(study, worker("charlie"))
    ending.end(assignment=out, outcome=Outcome.SCREENED_OUT, now=NOW)
    signals.screened_out.send(sender=Assignment, assignment=out)
    Assignment.objects.filter(pk=out.pk).update(external_id=encrypted("of charlie"))
    slower(study)
    bonus(study)
    go_on(desk)
    assert [(due.work, due.amount) for due in orders.adjustments(study).dues] == [(bob.pk, 100)]


def test_a_bonus_for_other_work_of_a_person_counts():
    """Bob's two works lack 1.50 each; his bonus of 4.00 for one of them leaves 2.50 too much."""
    study = decided(["bob", "bob"], responses=3, cap=2)
    slower(study)
    bonus(study, "4.00")
    assert orders.adjustments(study).dues == []
    Payment.objects.update(amount=200)
    assert [due.amount for due in orders.adjustments(study).dues] == [100]


def test_nothing_is_raised_where_the_median_is_as_planned_or_unknown():
    study = decided()
    slower(study, median=10)
    assert orders.adjustments(study).dues == []
    PlatformStudy.objects.update(median_seconds=None)
    assert orders.adjustments(study).dues == []


def test_the_page_shows_median_cost_and_button(client):
    study = decided()
    slower(study)
    client.force_login(rita())
    page = client.get(reverse("money_order", args=[study.slug, study.version, "adjust"]))
    assert [due.amount for due, _ in page.context["shown"]] == [150, 150, 150]
    assert [at.median_minutes for at in page.context["slower"]] == [15]


# -- Whatever the order of events ---------------------------------------------------------------

TROUBLE = st.sampled_from(["", "refused", "away", "lost", "killed", "unknown"])
CALLS = st.sampled_from(["approve", "bulk", "list", "pay"])
STEPS = st.lists(
    st.tuples(st.sampled_from(["pay", "lift", "go on", "later"]), CALLS, TROUBLE), max_size=14
)


@settings(max_examples=10)
@given(steps=STEPS)
def test_the_ledger_is_what_was_paid_whatever_the_order_of_events(steps):
    with transaction.atomic():
        study, desk, now = decided(["bob", "charlie"], hourly_wage="24.00"), Desk(), NOW
        for step, name, trouble in steps:
            if trouble:
                desk.trouble[name] = trouble
            with suppressed("OrderChanged"):
                if step == "pay":
                    order(study)
                elif step == "lift":
                    stamp = orders.shortfalls(study).stamp
                    ordering.lift(study=study, stamp=stamp, user=None, now=now)
            now += timedelta(minutes=6 if step == "later" else 0)
            if step in ("go on", "later"):
                go_on(desk, now)
        desk.trouble.clear()
        for _ in range(3):
            now += timedelta(minutes=6)
            go_on(desk, now)
        sums = ledger(study)
        assert set(desk.paid.values()) <= {1}
        assert sums.get("paid", 0) == 300 * desk.paid.total()
        assert sums.get("bonus", 0) == desk.spent <= 200
        lost = Payment.objects.exclude(state__in=[State.PAID, State.REFUSED])
        # Only a bonus of which Prolific shows nothing stays unknown.
        assert set(lost.values_list("kind", "state")) <= {("bonus", State.UNKNOWN)}
        keys = LedgerEntry.objects.values_list("key", flat=True)
        assert len(keys) == len(set(keys))
        transaction.set_rollback(True)


# -- Screen-outs ------------------------------------------------------------------------------


def test_a_screen_out_is_paid_by_prolific_itself_and_never_approved_on_top():
    """Its code pays the reward of the screening; approving would pay that of the whole work."""
    study = small_study(recruitment="prolific", pay="3.00", screening={"reward": "0.20"})
    work = begun(study, worker("bob"))
    ending.end(assignment=work, outcome=Outcome.SCREENED_OUT, now=NOW)
    signals.screened_out.send(sender=Assignment, assignment=work)
    Assignment.objects.filter(pk=work.pk).update(external_id=encrypted("5" * 24))
    assert [totals.sums_of(study).minor(kind) for kind in ("owed", "approved")] == [20, 20]
    assert orders.payable(study).dues == []
    place = PlatformStudy.objects.create(
        platform="prolific", external_id="6" * 24, study=study, pay=3, minutes=9, created_at=NOW
    )
    output = PlatformSubmission.objects.create(
        platform_study=place,
        session_hash="a",
        assignment=work,
        status="ACTIVE",
        asked_at=NOW,
        changed_at=NOW,
    )
    recording_platform_payments.note_paid_there(now=NOW)
    assert ledger(study) == {}
    PlatformSubmission.objects.filter(pk=output.pk).update(status="SCREENED OUT")
    for _ in range(2):
        recording_platform_payments.note_paid_there(now=NOW)
    assert ledger(study)["paid"] == 20
    assert Payment.objects.get().state == Payment.State.PAID
