"""Changes that would let an intruder keep an account need the password again."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Invitation, Role
from annotation.people.access import confirming, making_keys
from config import verifying
from config.accounts import changing
from tests.annotation.people.access.people import join
from tests.cast import rita, small_study
from tests.config.askers import client_of

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"


@pytest.fixture
def client() -> Client:
    """Rita's browser, in which the password was given a while ago."""
    browser = client_of(rita())
    session = browser.session
    session[confirming.CONFIRMED] -= confirming.LASTS + 1
    session.save()
    return browser


def is_asked(response: Any) -> bool:
    return response.status_code == 422 and "data-confirm" in response.content.decode()


def sent_again(client: Client, address: str, sent: dict[str, str], password: str) -> Any:
    return client.post(address, sent | {confirming.FIELD: password})


def test_the_address_of_an_account_is_changed_with_the_password(client):
    address, sent = reverse("account"), {"email": "eve@example.org"}
    assert is_asked(client.post(address, sent))
    assert is_asked(sent_again(client, address, sent, "wrong"))
    assert User.objects.get().email == ""
    assert sent_again(client, address, sent, PASSWORD).status_code == 302
    assert User.objects.get().email == "eve@example.org"
    assert client.post(address, {"email": "rita@example.org"}).status_code == 302  # for a while


def test_the_rest_of_an_account_is_changed_without(client):
    assert client.post(reverse("account"), {"email": "", "introduction": "Rita"}).status_code == 302


def test_a_key_is_made_with_the_password_and_nothing_typed_is_lost(client):
    sent = {"name": "notebook <b>", "scopes": ["run", "export"], "days": "30"}
    response = client.post(reverse("api_keys"), sent)
    assert is_asked(response)
    page = response.content.decode()
    assert 'name="name" value="notebook &lt;b&gt;"' in page
    assert page.count('name="scopes"') == 2
    assert not User.objects.get().api_keys.exists()
    sent_again(client, reverse("api_keys"), sent, PASSWORD)
    assert User.objects.get().api_keys.get().scopes == ["export", "run", "view"]


@pytest.mark.parametrize("name", ["two_step_off", "two_step_prepare"])
def test_two_step_sign_in_is_changed_with_the_password(client, name):
    assert is_asked(client.post(reverse(name), {"code": "123456"}))
    assert verifying.prepared(User.objects.get()) is None


def test_an_owner_is_made_with_the_password(client):
    study = small_study()
    other = User.objects.create_user("olga")
    join(other, study, Role.VIEWER)
    address = reverse("team_invite", args=[study.team_id])
    assert is_asked(client.post(address, {"role": "owner", "name": "x"}))
    assert not Invitation.objects.exists()
    assert client.post(address, {"role": "viewer", "name": "x"}).status_code == 302
    change = reverse("team_change", args=[study.team_id])
    assert is_asked(client.post(change, {"role": "owner", "user": other.pk}))
    assert other.memberships.get().role == Role.VIEWER


@pytest.mark.parametrize("name", ["person_reset", "person_activate"])
def test_an_administrator_changes_other_accounts_with_the_password(client, name):
    other = User.objects.create_user("olga")
    assert is_asked(client.post(reverse(name, args=[other.pk])))


def test_raw_records_are_changed_with_the_password(client):
    """There anybody is made an administrator."""
    other = User.objects.create_user("olga")
    address = reverse("admin:auth_user_change", args=[other.pk])
    assert client.get(address).status_code == 200
    assert is_asked(client.post(address, {"is_superuser": "on"}))
    assert client.post(reverse("admin:logout")).status_code != 422


def test_wrong_passwords_are_counted_as_at_sign_in(client, settings):
    settings.AXES_ENABLED = True
    address, sent = reverse("account"), {"email": "eve@example.org"}
    answers = [sent_again(client, address, sent, f"guess {n}").status_code for n in range(101)]
    assert answers[0] == 422
    assert answers[-1] == 429
    assert sent_again(client, address, sent, PASSWORD).status_code == 429


def test_a_session_that_just_began_is_not_asked():
    browser = Client()
    rita()
    browser.post(reverse("login"), {"username": "rita", "password": PASSWORD})
    assert browser.post(reverse("account"), {"email": "a@example.org"}).status_code == 302


# -- A new password and the keys of programs ----------------------------------------------------


def a_key(user: User) -> Any:
    return making_keys.make_key(user=user, name="notebook", scopes=[], now=timezone.now())[0]


@pytest.mark.parametrize("revokes", [True, False])
def test_a_new_password_revokes_keys_where_that_is_chosen(client, revokes):
    key = a_key(User.objects.get())
    page = client.get(reverse("password")).content.decode()
    assert 'name="revoke_keys"' in page
    new = "another long password"
    sent = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    client.post(reverse("password"), sent | ({"revoke_keys": "yes"} if revokes else {}))
    key.refresh_from_db()
    assert (key.revoked_at is not None) == revokes


def test_a_forgotten_password_offers_it_as_well(client):
    user = User.objects.get()
    assert 'name="revoke_keys"' not in client.get(reverse("password")).content.decode()
    key = a_key(user)
    browser = Client()
    page = browser.get(changing.make_link(user=user, by=user), follow=True)
    assert 'name="revoke_keys"' in page.content.decode()
    new = "another long password"
    sent = {"new_password1": new, "new_password2": new, "revoke_keys": "yes"}
    browser.post(page.request["PATH_INFO"], sent)
    key.refresh_from_db()
    assert key.revoked_at is not None
