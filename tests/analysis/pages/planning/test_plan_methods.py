"""The methods of a corpus side by side on Plan."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.pages.planning.methods import answers_of, measured_minutes, method_plans
from analysis.stats.effects.method_sizes import t_difference
from annotation.studies import active_time
from annotation.studies.drafts import making
from annotation.studies.drafts.kinds import kind_of
from judging.instruments.files import load
from judging.simulation.simulating import crowd, simulate
from tests.analysis.analyses.test_methods_in_arms import METHODS, SYSTEMS, study_of_arms
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import rita, small_corpus
from tests.hooks import elements

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    corpus = small_corpus(responses=8)
    systems = [corpus.systems.create(key=key, name=key) for key in SYSTEMS]
    for n, response in enumerate(corpus.responses.order_by("key")):
        response.system = systems[n // 2]
        response.save()
    return corpus


@pytest.fixture
def researcher():
    return rita()


def plans(corpus, user, fee=0.0):
    found = method_plans(corpus, user, fee=fee, asked=["ab-comparison"])
    return {plan.key: plan for plan in found}


def test_answers_on_a_system_are_counted_by_the_items_of_a_method():
    """Eight texts of four systems, five raters: 80, 28 and 14 pages in the study of Popp et al."""
    grades, pairs, blocks = (
        load(name) for name in ("direct-quality", "ab-comparison", "best-worst-two")
    )
    assert answers_of(grades, judgments=8 * 10 * 5, systems=4) == 2 * 5
    assert answers_of(pairs, judgments=28 * 10 * 5, systems=4) == pytest.approx(28 * 5 / 6)
    each = answers_of(blocks, judgments=14 * 4 * 5, systems=4)
    assert each == 14 * 5  # each block shows four texts, of all systems on average
    assert answers_of(grades, judgments=400, systems=1) != answers_of(
        grades, judgments=400, systems=2
    )


def test_methods_of_the_draft_come_first_and_costs_have_fee_and_tax(corpus, researcher):
    without, taxed = plans(corpus, researcher), plans(corpus, researcher, fee=0.4)
    assert next(iter(without)) == "ab-comparison"
    assert {*METHODS} <= set(without)
    for key, plan in without.items():
        assert taxed[key].cost == pytest.approx(1.4 * plan.cost)
        assert plan.judgments > 0
        assert plan.measured is None
    grades = without["direct-quality"]
    assert f"{t_difference(grades.answers):.2f}" in grades.difference


def test_minutes_are_measured_in_studies_of_one_method_or_with_arms(researcher):
    study = study_of_arms(quota=3)
    list(simulate(study=study, workers=crowd(workers=12, spammers=0, seed=5), now=timezone.now()))
    found = measured_minutes(researcher, METHODS)
    assert {key: times.n for key, times in found.items()} == dict.fromkeys(METHODS, 3)
    times = [time.seconds / 60 for time in active_time.active_times(study).values()]
    assert all(min(times) <= one.minutes <= max(times) for one in found.values())
    stranger = User.objects.create_user("charlie")
    assert measured_minutes(stranger, METHODS) == {}


def test_the_page_has_a_row_for_each_method(corpus, researcher, client: Client):
    document = making.document_of_methods(
        kind="judging", instruments=[kind_of("judging").load("direct-quality")],
        title="Lamps compared", corpus=corpus,
    )  # fmt: skip
    draft = drafted(document)
    client.force_login(researcher)
    assert "data-compare" in client.get(reverse("draft_plan", args=[draft.pk])).content.decode()
    at = reverse("draft_plan_methods", args=[draft.pk])
    page = client.get(at, {"fee": "30", "vat": "20"}).content.decode()
    assert len(elements(page, "data-plan")) == len(plans(corpus, researcher))
    assert client.get(at, {"vat": "x"}).status_code == 200
