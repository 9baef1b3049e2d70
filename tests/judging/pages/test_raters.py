"""The researcher's page of raters, and the choice of a pool on the results."""

import re

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from analysis.models import AnalysisRequest
from judging.models import Judgment
from judging.raters.registering import register
from tests.analysis.runs.polls import analysed
from tests.cast import NOW, begun, bob, charlie, rita, small_study, submitted
from tests.hooks import elements, values

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def study():
    study = small_study(responses=3, quota=3)
    submitted(study, bob())
    begun(study, charlie())
    for rater in (
        register(name="Ann Expert", kind="expert"),
        register(name="gpt", kind="model", model="gpt-4o", prompt_version="2"),
    ):
        for item in study.items.all():
            Judgment.objects.create(
                rater=rater, item=item, question=study.questions.get(), raw="n", value="n",
                first_at=NOW, answered_at=NOW,
            )  # fmt: skip
    return study


@pytest.fixture
def shown(client, study):
    client.force_login(rita())
    return lambda name, **q: client.get(reverse(name, args=["lamps", 1]), q).content.decode()


def test_the_page_names_who_has_answered_and_how_much(shown):
    html = shown("raters")
    for seen in ("Ann Expert", "gpt-4o, prompt 2", "worker bob", "expert-", ">3<"):
        assert seen in html
    assert "charlie" not in html  # at work: nothing counts yet
    assert html.index("gpt") < html.index("Ann Expert") < html.index("worker bob")


def test_a_rater_is_found_by_name(shown):
    html = shown("raters", q="ann")
    assert "Ann Expert" in html
    assert "worker bob" not in html
    assert values(shown("raters", q="zoe"), "data-no-raters") == ["search"]


def test_a_study_without_answers_says_so(shown, study):
    Judgment.objects.all().delete()
    assert values(shown("raters"), "data-no-raters") == [""]


def test_the_results_offer_the_pools_that_have_answers(shown, study):
    html = shown("results")
    for name in ("people", "experts", "models", "gpt"):
        assert f'<option value="{name}"' in html
    assert "Ann Expert" not in html
    Judgment.objects.filter(assignment=None).delete()
    assert 'name="pool"' not in shown("results")


def test_the_choice_is_noted_and_an_unknown_one_refused(client, shown):
    shown("results")
    client.post(reverse("analyse", args=["lamps", 1]), {"pool": "models"})
    assert AnalysisRequest.objects.get().pool == "models"
    refused = client.post(reverse("analyse", args=["lamps", 1]), {"pool": "nobody"})
    [message] = get_messages(refused.wsgi_request)
    assert message.level_tag == "error"
    assert "nobody" in message.message
    assert AnalysisRequest.objects.get().pool == "models"


@pytest.mark.django_db(transaction=True)
def test_the_page_of_a_run_says_whose_answers_it_reads(shown, study):
    analysed(study)
    assert values(shown("results"), "data-pool") == []
    analysed(study, pool="models")
    html = shown("results")
    assert values(html, "data-pool") == []  # people's run is shown until another is asked for
    assert elements(html, "value", "models")
    html = shown("results", pool="models")
    assert values(html, "data-pool") == ["models"]
    assert '<option value="models" selected>' in html


@pytest.mark.django_db(transaction=True)
def test_pages_and_files_of_a_pool_are_of_its_run(client, shown, study, tmp_path):
    run = analysed(study, pool="models")
    assert values(shown("results"), "data-pool") == ["models"]  # there is no other run
    people = analysed(study)
    html = shown("results", pool="models")
    addresses = set(re.findall(r'href="(/[^"]*pool=models[^"]*)"', html))
    assert len(addresses) > 5
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        if "attachment" in answer.headers.get("Content-Disposition", ""):
            assert f"run{people.pk}" not in answer.headers["Content-Disposition"]
    assert values(html, "data-run") == [str(run.pk)]
    assert values(shown("results"), "data-run") == [str(people.pk)]
    for pool, of in (("", people), ("models", run)):
        manifest = write_bundle(study=study, out=tmp_path / (pool or "p"), pool=pool)
        assert manifest.run["id"] == of.pk
    table = reverse("results_table", args=["lamps", 1, "agreement-agreement.csv"])
    assert client.get(table, {"pool": "nobody"}).status_code == 404
