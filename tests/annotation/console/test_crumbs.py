"""A page says where it stands: in the line above its name, and in the menu."""

import re

import pytest
from django.urls import reverse

from tests.cast import rita, small_study

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "above"),
    [
        ("password", "account"),
        ("two_step", "account"),
        ("api_keys", "account"),
        ("papers", "instruments"),
        ("prolific_webhooks", "studies"),
    ],
)
def test_a_page_leads_back_to_what_it_belongs_to(client, django_user_model, name, above):
    user = rita()
    django_user_model.objects.filter(pk=user.pk).update(is_superuser=True)
    client.force_login(user)
    (crumbs,) = re.findall(r'<nav class="crumbs".*?</nav>', client.get(reverse(name)).text)
    assert f'<a href="{reverse(above)}">' in crumbs


def test_calls_of_machine_judges_lead_back_to_the_judges(client):
    client.force_login(rita())
    at = [(study := small_study()).slug, study.version]
    page = client.get(reverse("call_list", args=at)).text
    (crumbs,) = re.findall(r'<nav class="crumbs.*?</nav>', page, re.DOTALL)
    assert f'<a href="{reverse("machines", args=at)}">' in crumbs


def lit(page: str) -> list[str]:
    (menu,) = re.findall(r'<nav aria-label="Main".*?</nav>', page, re.DOTALL)
    return re.findall(r'aria-current="page">(\w+)</a>', menu)


def test_the_menu_says_that_a_study_is_one_of_the_studies(client):
    client.force_login(rita())
    study = small_study()
    assert lit(client.get(reverse("studies")).text) == ["Studies"]
    assert lit(client.get(study.get_absolute_url()).text) == ["Studies"]
    assert lit(client.get(study.corpus.get_absolute_url()).text) == ["Corpora"]
    assert lit(client.get(reverse("papers")).text) == ["Methods"]
    assert lit(client.get(reverse("account")).text) == []
