"""Who leaves gets in no more; their name stays on what they did."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.models import LoginSession
from config.accounts import changing
from tests.annotation.people.access.people import on_threads, somebody
from tests.cast import rita
from tests.config.accounts.test_sessions import is_in, logged_in
from tests.hooks import element

pytestmark = pytest.mark.django_db


def test_a_deactivated_person_is_out_at_once_and_let_in_again(client):
    client.force_login(rita())
    sam = somebody("sam")
    his = logged_in("sam")
    page = client.post(f"/people/{sam.pk}/activate/", {"active": "no"}, follow=True).text
    assert "sam" in element(page, "data-message", "success").text
    assert not is_in(his)
    assert not is_in(logged_in("sam"))
    assert not LoginSession.objects.filter(user=sam).exists()
    client.post(f"/people/{sam.pk}/activate/", {"active": "yes"})
    assert is_in(logged_in("sam"))


def test_the_last_administrator_stays(client):
    admin = rita()
    client.force_login(admin)
    page = client.post(f"/people/{admin.pk}/activate/", {"active": "no"}, follow=True).text
    assert 'data-message="error"' in page
    assert User.objects.get().is_active


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_deactivate_each_other_one_stays():
    one, two = (User.objects.create_superuser(name) for name in ("a", "b"))
    answers = on_threads(
        [
            lambda: changing.deactivate(user=one, by=two),
            lambda: changing.deactivate(user=two, by=one),
        ]
    )
    assert sorted(answers) == ["LastAdministrator", "done"]
    assert User.objects.filter(is_active=True).count() == 1


def test_the_page_of_a_person_is_for_administrators():
    sam = somebody("sam")
    client = Client()
    client.force_login(sam)
    assert client.get(f"/people/{sam.pk}/").status_code == 404
