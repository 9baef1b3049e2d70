"""What the calls of a judge will cost, before and while it runs."""

import pytest
from django.db.models import Sum
from django.urls import reverse

from judging.machines.forecasts import LEAST_ANSWERS, forecast_of
from judging.machines.preparing import prepare
from judging.models import MachineCall
from tests.cast import rita, small_study
from tests.config.askers import client_of
from tests.hooks import element, elements
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db
PRICES = {"price_in": 2, "price_out": 8}


@pytest.fixture
def study():
    return small_study(responses=6)


def test_the_cost_of_a_run_lies_in_the_range_before_it(study, endpoint):
    judge = machine(study, endpoint.url, terms=PRICES)
    before = forecast_of(judge)
    assert (before.items, before.calls, before.answers) == (15, 30, 0)
    assert not MachineCall.objects.exists()  # nothing is kept of it
    run(judge)
    cost = judge.calls.aggregate(cost=Sum("cost_micro"))["cost"] / 1e6
    assert before.low < cost < before.high
    assert forecast_of(judge) is None


def test_prepared_prompts_give_the_same_range_as_sampled_ones(study, endpoint):
    judge = machine(study, endpoint.url, terms=PRICES)
    sampled = forecast_of(judge)
    prepare(judge=judge)
    made = forecast_of(judge)
    assert (made.items, made.calls) == (sampled.items, sampled.calls)
    assert made.low == pytest.approx(sampled.low, rel=0.01)


def test_paid_answers_narrow_the_range(study, endpoint):
    judge = machine(study, endpoint.url, terms=PRICES)
    before = forecast_of(judge)
    run(judge, items=LEAST_ANSWERS // 2)
    judge.wanted = None
    after = forecast_of(judge)
    assert after.answers == LEAST_ANSWERS
    assert (after.items, after.calls) == (10, 20)
    assert after.high - after.low < before.high - before.low
    spent = judge.calls.aggregate(cost=Sum("cost_micro"))["cost"] / 1e6
    run(judge)
    whole = judge.calls.aggregate(cost=Sum("cost_micro"))["cost"] / 1e6
    assert after.low <= whole - spent <= after.high


def test_the_page_shows_the_range_before_the_run_and_what_is_missing_for_it(study, endpoint):
    client = client_of(rita())
    priced = machine(study, endpoint.url, terms=PRICES)
    free = machine(study, endpoint.url, model="left", name="free")

    def page(judge):
        return client.get(reverse("machine", args=[study.slug, 1, judge.pk])).text

    shown = element(page(priced), "data-forecast").attributes
    assert shown["data-calls"] == "30"
    assert float(shown["data-low"]) == pytest.approx(forecast_of(priced).low, abs=1e-6)
    assert forecast_of(free).low is None
    assert element(page(free), "data-forecast").numbers[0] == 30
    run(priced)
    assert elements(page(priced), "data-forecast") == []
