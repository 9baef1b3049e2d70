"""The first account of an empty server."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.console.login import JoinForm
from annotation.models import AuditEntry
from config.accounts import setting_up
from tests.annotation.people.access.people import on_threads
from tests.cast import rita
from tests.hooks import element
from tests.refusals import refused

pytestmark = pytest.mark.django_db
NEW = {"username": "ada", "password1": "shining lamps 7", "password2": "shining lamps 7"}


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def test_an_empty_server_asks_for_the_token_and_makes_an_administrator(client, caplog):
    assert client.get("/").url == "/login/?next=/"
    assert client.get("/login/").url == "/set-up/"
    page = client.get("/set-up/").text
    assert 'name="token"' in page
    assert str(setting_up.token_file()) in page
    assert str(setting_up.token_file()) in caplog.text
    assert setting_up.token() not in caplog.text
    response = client.post("/set-up/", NEW | {"token": setting_up.token()})
    assert response.url == "/"
    ada = User.objects.get()
    assert ada.is_superuser
    assert ada.is_staff
    assert "data-first-steps" in client.get("/").text
    assert str(AuditEntry.objects.get()) == "ada set up Crowdwright"
    assert not setting_up.token_file().exists()


def test_the_token_is_for_the_servers_own_user_alone():
    setting_up.token()
    assert setting_up.token_file().stat().st_mode & 0o077 == 0
    assert setting_up.token() == setting_up.token()


def test_all_hosts_have_one_token(settings, tmp_path, client):
    first = setting_up.token()
    settings.VAR_DIR = tmp_path / "another host"
    settings.VAR_DIR.mkdir()
    assert setting_up.token() == setting_up.token_file().read_text() == first
    assert client.post("/set-up/", NEW | {"token": first}).url == "/"
    settings.SECRET_KEY = "another installation " * 3
    assert setting_up.token() != first


@pytest.mark.parametrize("token", ["", "wrong", "é", "\x00"])
def test_without_the_token_nobody_is_made(token, client):
    response = client.post("/set-up/", NEW | {"token": token})
    assert response.status_code == 422
    assert element(response.text, "id", "token-error")
    assert 'value="ada"' in response.text
    assert not User.objects.exists()


def test_a_password_that_is_too_short_is_refused_at_its_field_and_the_token_kept(client):
    wrong = NEW | {"token": setting_up.token(), "password1": "short", "password2": "short"}
    response = client.post("/set-up/", wrong)
    assert re.search('id="id_password2-error">.*at least 12 characters', response.text)
    assert setting_up.token() in response.text
    assert not User.objects.exists()


def test_a_server_with_an_account_is_not_set_up_again(client):
    rita()
    assert client.get("/set-up/").url == "/login/"
    assert client.post("/set-up/", NEW | {"token": setting_up.token()}).url == "/login/"
    assert User.objects.count() == 1
    assert client.get("/login/").status_code == 200


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_of_two_who_set_it_up_at_once_one_is_administrator():
    token = setting_up.token()

    def make(name: str) -> None:
        form = JoinForm(NEW | {"username": name})
        assert form.is_valid()
        setting_up.make_first(token_typed=token, form=form)

    answers = on_threads([lambda name=name: make(name) for name in ("ada", "eve")])
    assert answers.count("done") == 1
    assert User.objects.count() == 1
    late = JoinForm(NEW | {"username": "late"})
    assert late.is_valid()
    with refused("AlreadySetUp"):
        setting_up.make_first(token_typed=setting_up.token(), form=late)
    assert Client().get("/set-up/").url == "/login/"
