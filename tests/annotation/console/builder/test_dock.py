"""How many people a draft needs is said where it is set; what has no meaning is not asked."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Draft
from annotation.studies.drafts.kinds import Outline, Wave, kind_of
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.drafts.schema import Onboarding
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted
from tests.hooks import element, invalid_fields, values

pytestmark = pytest.mark.django_db
FEES = [("link", False), ("invitation", False), ("prolific", True)]


def page(client: Client, draft: Draft, section: str) -> str:
    return client.get(reverse("draft_section", args=[draft.pk, section])).text


def asking(most: int, **said: Any) -> Draft:
    return drafted(writing_document(recruitment=Recruitment(tasks_per_worker=most), **said))


def participants(html: str) -> list[float]:
    """Return the fewest and the most participants in the dock."""
    return [
        float(number)
        for number in element(html, "data-dock-participants").text.split()[-1].split("–")
    ]


def test_one_task_for_each_person_needs_as_many_people_as_places(client):
    shown_page = page(client, asking(1), "texts")
    assert element(shown_page, "data-dock-tasks").numbers[-1] == 9
    assert element(shown_page, "data-dock-participants").numbers == [9]
    assert "data-dock-cost" not in shown_page  # nothing is paid


@pytest.mark.parametrize(("platform", "fees"), FEES)
def test_what_the_places_cost_is_said_beside_the_budget(client, platform, fees):
    paid = Recruitment(platform=platform, tasks_per_worker=1, pay=Decimal("5.00"))
    shown_page = page(client, drafted(writing_document(recruitment=paid)), "quality")
    assert element(shown_page, "data-dock-cost").numbers == [45]
    assert ("data-without-fees" in shown_page) is fees


def test_nobody_writes_about_more_topics_than_there_are(client):
    draft = asking(5)
    assert participants(page(client, draft, "recruitment")) == [3, 9]
    assert "<dd>3</dd>" in client.get(reverse("draft_plan", args=[draft.pk])).text


def test_what_newcomers_do_first_comes_on_top():
    waves = (Wave("onboarding", 2, 20), Wave("main", 4, 8))
    outline = Outline(waves, 25, 8, pay=0, currency="USD")
    assert outline.people(tasks_per_worker=3) == (3, 8)
    assert outline.people(tasks_per_worker=9) == (2, 8)  # a task has two places


def test_it_follows_what_is_typed(client):
    draft = asking(1)
    answer = client.post(
        reverse("draft_section", args=[draft.pk, "recruitment"]),
        {"revision": draft.revision, "recruitment/tasks_per_worker": "2"},
        headers={"accept": "application/json"},
    )
    assert participants(answer.json()["dock"]) == [5, 9]


@pytest.mark.parametrize(("topics", "is_asked"), [(0, False), (1, True)])
def test_newcomers_are_asked_about_where_there_are_topics_for_them(client, topics, is_asked):
    html = page(client, asking(1, onboarding=Onboarding(topics=topics)), "forms")
    names = ["onboarding/topics", *["onboarding/writers", "onboarding/accepted"] * is_asked]
    fields = values(html, "name")
    assert [name for name in fields if name.startswith("onboarding/")] == names


def test_a_day_has_a_date_field_and_what_is_none_stands_as_it_was_typed(client):
    draft = asking(1)
    address = reverse("draft_section", args=[draft.pk, "recruitment"])
    shown_page = client.get(address).text
    assert shown_page.count('type="date"') == 2
    sent = {"revision": draft.revision, "retention/logs_until": "31.3.2027"}
    answer = client.post(address, sent)
    assert answer.status_code == 422
    assert invalid_fields(answer.text) == ["retention/logs_until"]
    assert 'value="31.3.2027" autocomplete="off" dir="auto"' in answer.text
    client.post(address, sent | {"retention/logs_until": "2099-03-31"})
    assert 'value="2099-03-31" autocomplete="off" type="date"' in client.get(address).text


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_name_says_no_number_of_styles_which_may_be_taken_out(language):
    title = kind_of("writing").load("crowdrag-writing", language).title
    assert not {"three", "drei"} & set(title.split())
