"""Elo by models beside Elo by people: what a run finds, what it refuses, and the page."""

import pytest
from django.urls import reverse

from analysis.analyses.games import ONE_SYSTEM
from analysis.inputs.machine_calls import MODELS
from analysis.models import Result
from analysis.pages.results import findings_json
from analysis.runs import findings
from annotation.models import Response
from tests.analysis.analyses.test_judges import label
from tests.analysis.runs.polls import analysed, poll
from tests.cast import rita
from tests.hooks import element

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def only_this(settings):
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES = {"elo_beside": CATALOGUE["elo_beside"]}


def systems(*names):
    for response, name in zip(Response.objects.order_by("key"), names, strict=False):
        corpus = response.corpus
        response.system, _ = corpus.systems.get_or_create(key=name, defaults={"name": name})
        response.save()


@pytest.fixture
def study():
    """Three pairs of three systems; everybody prefers the first of each pair, but one."""
    made = poll({"bob": "aaa", "dora": "aab"})
    systems("RAG", "BM25", "GPT")
    return made


def rows(run, table):
    return findings.records(findings.tables(run, "elo_beside", table))


def test_models_and_people_have_ratings_from_the_same_games(study):
    label(study, "copy", "aaa")
    label(study, "both", "aab")
    label(study, "both", "bab", shown="b,a")
    run = analysed(study, pool=MODELS)
    lines = rows(run, "elo")
    assert [row["judge"] for row in lines] == ["both"] * 3 + ["copy"] * 3
    by = {(row["judge"], row["system"]): row for row in lines}
    for judge in ("both", "copy"):
        mine = [row for row in lines if row["judge"] == judge]
        assert sum(row["rating"] for row in mine) == pytest.approx(3000)
        assert sum(row["people_rating"] for row in mine) == pytest.approx(3000)
        assert {row["games"] for row in mine} == {2}
        for row in mine:
            assert row["difference"] == pytest.approx(row["rating"] - row["people_rating"])
            assert row["low"] is None
    # Of a pair that it answers otherwise in the other order, either text has half a point.
    assert by["both", "RAG"]["rating"] < by["copy", "RAG"]["rating"]
    assert all(row["reason"] for row in rows(run, "undefined"))
    assert rows(run, "undefined")


def test_it_says_where_no_two_systems_are_compared(study):
    Response.objects.update(system=Response.objects.first().system)
    label(study, "copy", "aaa")
    run = analysed(study, pool=MODELS)
    assert Result.objects.get(step__run=run).missing == ONE_SYSTEM


def test_the_page_of_judges_has_them_and_programs_too(study, client):
    label(study, "copy", "aaa")
    run = analysed(study, pool=MODELS)
    client.force_login(rita())
    address = reverse("results_part", args=[study.slug, study.version, "judges"])
    page = client.get(address, {"pool": MODELS, "section": "all"})
    assert element(page.text, "id", "elo_beside-title")
    for name in ("RAG", "BM25"):
        assert name in element(page.text, "id", "elo_beside").text
    assert findings_json.as_json(run)["elo_beside"]["elo"][0]["judge"] == "copy"
