"""A budget at which recruiting pauses."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Batch
from annotation.paying import budgeting
from annotation.paying.budgeting import BadBudget
from annotation.paying.budgets import budgets_of
from annotation.recruiting.arriving import Arrival, take_part
from annotation.work.refusals import StudyNotOpen
from tests.cast import NOW, rita, small_study

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
    assert entry.name == "the rule of the budget"


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
    said = client.get(study.get_absolute_url()).text
    assert "Recruiting is paused: 3.00 of the budget of 3.00 USD" in said
    address = reverse("money_budget", args=[study.slug, study.version])
    client.post(address, {"budget": "30"})
    study.refresh_from_db()
    assert (study.budget, budgets_of([study])[study.pk].is_spent) == (30, False)
    client.post(address, {"budget": ""})
    study.refresh_from_db()
    assert study.budget is None


@pytest.mark.parametrize("amount", ["0", "-1", "100000000"])
def test_a_budget_is_an_amount(amount):
    with pytest.raises(BadBudget):
        study_with(amount)


def test_the_sweep_pauses_what_several_at_once_have_used_up():
    study = study_with("30.00")
    type(study).objects.update(budget=2)
    assert (budgeting.pause_spent(), budgeting.pause_spent()) == (1, 0)
