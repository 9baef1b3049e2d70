"""The page Money and its statement."""

import csv
import re
from decimal import Decimal
from io import StringIO

import pytest
from django.test import Client
from django.urls import reverse

from annotation import signals
from annotation.fieldwork.paying import ordering, orders, totals
from annotation.fieldwork.paying.dues import Due
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.review import reviewing, undoing
from annotation.fieldwork.work import ending
from annotation.models import Assignment, AuditEntry, ReviewAct
from annotation.studies.active_time import earnings_of
from tests.cast import NOW, begun, rita, small_study, submitted, worker
from tests.hooks import element

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    made = small_study(pay="3.00", items=1, quota=5)
    work = submitted(made, worker("bob"))
    reviewing.decide(assignment=work, decision="accept", reviewer="rita", now=NOW)
    submitted(made, worker("=charlie"))
    return made


def page(study, name="money"):
    client = Client()
    client.force_login(rita())
    return client.get(reverse(name, args=[study.slug, study.version]))


def said_on(text: str, kind: str) -> str:
    """Return the amount of a kind, which leads to its entries of the ledger."""
    (said,) = re.findall(rf'data-money="{kind}"><a class="counted"[^>]*>([^<]+)</a>', text)
    return said


def test_it_says_what_waits_what_is_approved_and_who_is_owed(study):
    text = page(study).text
    assert said_on(text, "waiting") == "3.00 USD"
    assert said_on(text, "approved") == "3.00 USD"
    assert "bob" in text


def test_the_wage_is_all_pay_by_all_active_time(study):
    (bob,) = [account for account in totals.accounts_of(study) if account.worker.pseudonym == "bob"]
    # Ten minutes from beginning to handing in, where nothing else was recorded.
    assert (bob.works, bob.n, round(bob.hours, 3)) == (1, 1, 0.167)
    assert bob.wage == pytest.approx(18.0)


def test_accounts_of_some_people_are_as_in_those_of_all(study):
    everybody = totals.accounts_of(study)
    assert len(everybody) > 1
    for each in everybody:
        assert totals.accounts_of(study, only=[each.worker.pk]) == [each]
    assert totals.accounts_of(study, only=[]) == []


def test_the_overview_counts_bonuses_as_the_page_of_money_does(study):
    before, work = earnings_of(study), Assignment.objects.get(worker__pseudonym="bob")
    ordering.give_bonus(
        work=work, amount=Decimal("1.00"), reason="Good.", number=0, user=None, now=NOW
    )
    after = earnings_of(study)
    # Twice ten minutes of active time, 3.00 each.
    assert (before.wage, after.wage) == (pytest.approx(18), pytest.approx(21))
    assert (after.bonuses, after.paid) == (Decimal(1), before.paid)
    accounts = totals.accounts_of(study)
    over_all = sum(account.wage * account.hours for account in accounts) / sum(
        account.hours for account in accounts
    )
    assert over_all == pytest.approx(after.wage)
    text = page(study, "study").text
    assert element(text, "data-figure", "wage").attributes["data-bonuses"] == "1"
    # Two pieces of work of 3.00 each are owed, and 1.00 was paid on top.
    assert 'data-money="spent">7.00 USD' in text
    assert totals.sums_of(study).spent == Decimal(7)


def test_an_overpayment_of_one_person_does_not_pay_another():
    """One was paid and is not approved any more, another is approved and not paid."""
    study = small_study(pay="1.50", items=1, quota=5)
    paid, waiting = submitted(study, worker("bob")), submitted(study, worker("charlie"))
    reviewing.decide(assignment=paid, decision="accept", reviewer="rita", now=NOW)
    stamp = orders.payable(study).stamp
    ordering.pay(study=study, stamp=stamp, user=None, now=NOW)
    undoing.undo(act=ReviewAct.objects.get(), reviewer="rita", now=NOW)
    reviewing.decide(assignment=waiting, decision="accept", reviewer="rita", now=NOW)
    sums = totals.sums_of(study)
    assert (sums.due, sums.unapproved, sums.spent) == (Decimal("1.50"), Decimal("1.50"), Decimal(3))
    assert sums.due == orders.waiting_of(study)[Due.PAYABLE].amount
    text = page(study).text
    assert element(text, "data-money", "due").numbers == [1.5]
    assert 'kind=unapproved"' in text
    for account in totals.accounts_of(study):
        assert account.sums.due == (Decimal("1.50") if account.worker.pseudonym == "charlie" else 0)


def test_spent_is_what_was_paid_with_screening_rewards_and_bonuses():
    study = small_study(pay="3.00", items=1, quota=5, screening={"reward": "0.05"})
    for name in ("bob", "charlie"):
        work = submitted(study, worker(name))
        reviewing.decide(assignment=work, decision="accept", reviewer="rita", now=NOW)
    dora = begun(study, worker("dora"))
    ending.end(assignment=dora, outcome=Outcome.SCREENED_OUT, now=NOW)
    signals.screened_out.send(sender=Assignment, assignment=dora)
    ordering.pay(study=study, stamp=orders.payable(study).stamp, user=None, now=NOW)
    ordering.give_bonus(
        work=work, amount=Decimal("1.00"), reason="Good.", number=0, user=None, now=NOW
    )
    sums = totals.sums_of(study)
    assert (sums.spent, sums.paid + sums.bonus) == (Decimal("7.05"), Decimal("7.05"))
    overview = page(study, "study").text
    assert 'data-money="spent">7.05 USD' in overview
    spent = element(overview, "data-figure", "spent").attributes
    assert (spent["data-bonuses"], spent["data-screening"]) == ("1", "0.05")


def test_its_statement_is_noted(study):
    rows = list(csv.DictReader(StringIO(page(study, "money_statement").text)))
    assert [row["worker"] for row in rows] == ["=charlie", "bob"]
    assert [row["due"] for row in rows] == ["0.00", "3.00"]
    assert AuditEntry.objects.filter(act="downloaded the pay statement").exists()


def test_its_statement_for_excel_is_no_formula(study):
    address = reverse("money_statement", args=[study.slug, study.version])
    answer = client().get(address, {"excel": ""})
    assert answer["Content-Disposition"].endswith('-pay.excel.csv"')
    rows = list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["worker"] for row in rows] == ["'=charlie", "bob"]
    assert answer.content.startswith("\ufeff".encode())


def test_it_asks_the_database_as_often_for_many_people(study, django_assert_max_num_queries):
    for name in ("dora", "emil"):
        submitted(study, worker(name))
    client = Client()
    client.force_login(rita())
    with django_assert_max_num_queries(22):  # one of them for what was not examined yet
        client.get(reverse("money", args=[study.slug, study.version]))


# -- Orders -------------------------------------------------------------------------------------


def client():
    one = Client()
    one.force_login(rita())
    return one


def test_what_is_approved_is_noted_as_paid_after_a_look(study):
    rita_s = client()
    address = reverse("money_order", args=[study.slug, study.version, "pay"])
    looked = rita_s.get(address)
    assert 'data-money="order">3.00 USD' in looked.text
    stamp = looked.context["preview"].stamp
    assert rita_s.post(address, {"stamp": stamp}).status_code == 302
    assert said_on(page_of(rita_s, study), "paid") == "3.00 USD"
    again = rita_s.post(address, {"stamp": stamp})
    assert (again.status_code, totals.sums_of(study).minor("paid")) == (409, 300)


def test_a_bonus_is_given_with_a_reason_and_once_by_one_form(study):
    rita_s, work = client(), Assignment.objects.get(worker__pseudonym="bob")
    address = reverse("money_bonus", args=[study.slug, study.version, work.pk])
    for sent in ({"amount": "x", "reason": "Good."}, {"amount": "1.234", "reason": "Good."}):
        assert rita_s.post(address, sent | {"number": "0"}).status_code == 422
    sent = {"amount": "1,25", "reason": "A text that taught us much.", "number": "0"}
    assert [rita_s.post(address, sent).status_code for _ in range(2)] == [302, 422]
    assert totals.sums_of(study).minor("bonus") == 125
    assert said_on(page_of(rita_s, study), "bonus") == "1.25 USD"


@pytest.mark.parametrize("page", ["money_reject", "money_bonus"])
def test_a_form_that_could_only_be_refused_is_not_there(study, page):
    """A rejection of accepted work that is paid, a bonus for work that nobody handed in."""
    rita_s, work = client(), Assignment.objects.get(worker__pseudonym="bob")
    address = reverse(page, args=[study.slug, study.version, work.pk])
    if page == "money_bonus":
        assert "<textarea" in rita_s.get(address).text or "<input" in rita_s.get(address).text
        Assignment.objects.filter(pk=work.pk).update(
            state="active", submitted_at=None, ended_at=None
        )
    response = rita_s.get(address)
    assert response.status_code == 409
    assert 'name="reason"' not in response.text
    money = reverse("money", args=[study.slug, study.version])
    assert f'class="button" href="{money}"' in response.text


def page_of(rita_s, study):
    return rita_s.get(reverse("money", args=[study.slug, study.version])).text
