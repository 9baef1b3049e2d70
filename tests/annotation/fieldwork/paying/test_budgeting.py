"""A budget at which recruiting pauses."""

from decimal import Decimal

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.fieldwork.paying import budgeting, ordering, orders
from annotation.fieldwork.paying.budgets import budgets_of
from annotation.fieldwork.recruiting.arriving import Arrival, take_part
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work.refusals import StudyNotOpen
from annotation.models import AuditEntry, Batch
from annotation.studies import batch_acts
from annotation.studies.batch_acts import ActNotConfirmed
from annotation.studies.waiting_notices import waiting_in
from tests.cast import NOW, rita, small_study, submitted, worker
from tests.coded_errors import command_ends
from tests.hooks import numbers
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def study_with(budget, **more):
    study = small_study(items=1, quota=9, pay="3.00", **more)
    budgeting.set_budget(study=study, amount=Decimal(budget), user=None, now=NOW)
    return study


def came(study, name):
    return take_part(study=study, arrival=Arrival("link", name), now=NOW)


@pytest.mark.parametrize(("budget", "places"), [("6.00", 2), ("8.99", 2), ("9.00", 3)])
def test_recruiting_pauses_before_the_study_costs_more(budget, places):
    study = study_with(budget)
    for n in range(places):
        came(study, str(n))
    assert study.batches.get().state == Batch.State.PAUSED
    with pytest.raises(StudyNotOpen):
        came(study, "one more")
    entry = AuditEntry.objects.get(act="paused a batch")
    assert entry.name == budgeting.RULE


def test_the_fee_of_the_platform_counts():
    """Two places of 3.00 cost 8.00 with a third on top."""
    study = study_with("7.99", recruitment="prolific")
    came(study, "1")
    assert study.batches.get().state == Batch.State.PAUSED
    assert budgets_of([study])[study.pk].promised == 400


def test_the_overview_says_so_and_leads_to_the_budget():
    study, client = study_with("3.00"), Client()
    came(study, "1")
    client.force_login(rita())
    page = client.get(study.get_absolute_url()).text
    (notice,) = [
        notice
        for notice in waiting_in([study], {}, now=timezone.now())[study.pk]
        if reverse("money", args=[study.slug, study.version]) in notice.address
    ]
    assert numbers(notice.sentence) == [3, 3]
    assert notice.sentence in page
    address = reverse("money_budget", args=[study.slug, study.version])
    client.post(address, {"budget": "30"})
    study.refresh_from_db()
    assert (study.budget, budgets_of([study])[study.pk].is_spent) == (30, False)
    client.post(address, {"budget": ""})
    study.refresh_from_db()
    assert study.budget is None


@pytest.fixture
def planned():
    """Return a planned batch of nine places of 3.00, with a budget for five of them."""
    study = study_with("15.00")
    batch = study.batches.get()
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.DRAFT, opened_at=None)
    return study, Batch.objects.get(pk=batch.pk)


def test_opening_a_batch_above_the_budget_asks(planned):
    study, batch = planned
    preview = batch_acts.preview(act=batch_acts.ACTS["open"], batch=batch, now=NOW)
    assert len(preview.asks) == 1
    assert "27.00 USD" in preview.asks[0]
    assert "15.00 USD" in preview.asks[0]
    with pytest.raises(batch_acts.ActNotConfirmed):
        batch_acts.perform(act=batch_acts.ACTS["open"], batch=batch, user=None, now=NOW)
    batch.refresh_from_db()
    assert batch.state == Batch.State.DRAFT
    batch_acts.perform(act=batch_acts.ACTS["open"], batch=batch, user=None, now=NOW, confirmed=True)
    assert study.batches.get().state == Batch.State.OPEN


def test_the_page_asks_before_it_opens_a_batch_above_the_budget(planned):
    study, batch = planned
    client = Client()
    client.force_login(rita())
    address = reverse("batch_act", args=[study.slug, study.version, batch.number, "open"])
    looked = client.get(address)
    assert "data-asks" in looked.text
    sent = {"stamp": looked.context["stamp"]}
    refused = client.post(address, sent)
    assert (refused.status_code, Batch.objects.get().state) == (422, "draft")
    assert 'id="confirmed-fault"' in refused.text
    assert client.post(address, sent | {"confirmed": "yes"}).status_code == 302
    assert Batch.objects.get().state == "open"


def test_a_program_and_a_command_are_asked_as_well(planned):
    study, batch = planned
    with command_ends(ActNotConfirmed, "not_confirmed"):
        call_command("batch", study.slug, str(batch.number), "open", "--yes")
    assert Batch.objects.get().state == "draft"
    call_command("batch", study.slug, str(batch.number), "open", "--yes", "--confirmed")
    assert Batch.objects.get().state == "open"


def test_extending_above_the_budget_asks_and_within_it_does_not():
    study = study_with("36.00")
    batch = study.batches.get()
    for votes, asks in ((1, 0), (4, 1)):
        said = {"votes": votes}
        effect = batch_acts.preview(act=batch_acts.ACTS["extend"], batch=batch, now=NOW, said=said)
        assert len(effect.asks) == asks


def test_one_study_s_overpayment_does_not_hide_what_it_owes():
    """What was paid to one person and is not owed any more comes on top of what others are owed."""
    study = study_with("30.00")
    works = [submitted(study, worker(name)) for name in ("bob", "charlie")]
    reviewing.decide(assignment=works[0], decision="accept", reviewer="r", now=NOW)
    ordering.pay(study=study, stamp=orders.payable(study).stamp, user=None, now=NOW)
    assert budgets_of([study])[study.pk].promised == 600


@pytest.mark.parametrize("amount", ["0", "-1", "100000000"])
def test_a_budget_is_an_amount(amount):
    with refused("BudgetRange"):
        study_with(amount)


def test_the_sweep_pauses_what_several_at_once_have_used_up():
    study = study_with("30.00")
    type(study).objects.update(budget=2)
    assert (budgeting.pause_spent(), budgeting.pause_spent()) == (1, 0)
