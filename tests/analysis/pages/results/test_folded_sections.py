"""Sections of a part of the results: the first is open, others load when they are opened."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.pages.results import views
from analysis.pages.results.sections import PARTS
from annotation.models import Study
from judging.simulation.simulating import crowd, simulate
from tests.analysis.runs.polls import analysed
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study
from tests.hooks import element, values

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
MOST_ELEMENTS = 1500


def made() -> int:
    study = small_study(
        slug="shown", responses=4, topics=2, quota=8, analysis={"draws": 40},
        batch={"closes_when_full": False}, cap=9,
    )  # fmt: skip
    list(simulate(study=study, workers=crowd(workers=8, spammers=0.2, seed=2), now=timezone.now()))
    analysed(study)
    return study.pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def study(made_once, client, db):
    client.force_login(rita())
    return Study.objects.get(pk=made_once)


def place(study, part="systems"):
    return reverse("results_part", args=[study.slug, study.version, part])


def open_sections(html):
    return [
        name for name in values(html, "data-section") if f'<a href="?section={name}">' not in html
    ]


def test_the_first_section_is_open_and_each_other_one_links_to_its_contents(study, client):
    page = client.get(place(study)).text
    names = values(page, "data-section")
    assert len(names) > 2
    assert open_sections(page) == names[:1]
    for name in names[1:]:
        assert open_sections(client.get(place(study), {"section": name}).text) == [name]


def test_opening_a_section_loads_its_contents_alone(study, client):
    name = values(client.get(place(study)).text, "data-section")[1]
    contents = client.get(place(study), {"section": name}, headers=HTMX).text
    assert "<html" not in contents
    assert element(contents, "data-about")
    assert contents.count("data-about") == 1
    assert contents.strip() in client.get(place(study), {"section": name}).text


@pytest.mark.parametrize("section", ["", "nothing", "<b>"])
def test_an_unknown_section_opens_the_first(study, client, section):
    page = client.get(place(study), {"section": section}).text
    assert open_sections(page) == values(page, "data-section")[:1]
    assert "<b>" not in page


def test_all_sections_open_on_request(study, client):
    page = client.get(place(study)).text
    assert "section=all" in element(page, "data-all").attributes["href"]
    whole = client.get(whole_part(study.slug, study.version, "systems")).text
    assert open_sections(whole) == values(page, "data-section")
    assert "data-all" not in whole


def test_progress_is_answered_without_a_section(study, client):
    assert client.get(place(study), headers=HTMX).headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("part", PARTS)
def test_first_sight_is_short(study, client, part):
    assert len(re.findall(r"<[a-z]", client.get(place(study, part)).text)) <= MOST_ELEMENTS


def test_a_long_table_shows_its_first_rows_and_links_to_all(study, client, monkeypatch):
    monkeypatch.setattr(views, "FEW_ROWS", 2)
    stem = "agreement-agreement"
    every = reverse("results_rows", args=[study.slug, study.version, stem])
    first = client.get(place(study, "agreement")).text
    whole = client.get(whole_part(study.slug, study.version, "agreement")).text
    rows = client.get(every).context["page"]
    assert len(rows) > 2
    assert f'href="{every}"' in first
    assert f'href="{every}"' not in whole
    assert first.count("<tr") < whole.count("<tr")
