"""A session is read as Django reads it, and with it whoever is logged in."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.forms.models import model_to_dict
from django.test import Client
from django.utils import timezone

from annotation.models import LoginSession
from config.sessions import SessionStore, logged_in
from tests.cast import rita

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def kept(ends: timedelta) -> str:
    """Return the key of a session that Django's own store has written."""
    store = db.SessionStore()
    store["name"] = "rita"
    store.create()
    Session.objects.update(expire_date=timezone.now() + ends)
    return str(store.session_key)


def test_it_holds_what_was_kept_and_takes_one_query(django_assert_num_queries):
    store = SessionStore(kept(timedelta(minutes=1)))
    with django_assert_num_queries(1):
        assert dict(store.items()) == {"name": "rita"}
    assert store.session_key


@pytest.mark.parametrize("store_of", [db.SessionStore, SessionStore])
def test_one_that_is_over_holds_nothing_and_loses_its_key(store_of):
    store = store_of(kept(-timedelta(seconds=1)))
    assert store.is_empty() is False  # as long as it has a key, and nobody has looked
    assert dict(store.items()) == {}
    assert store.session_key is None


def test_one_that_nobody_has_holds_nothing_and_loses_its_key():
    store = SessionStore("nobody-has-this")
    assert dict(store.items()) == {}
    assert store.session_key is None


@pytest.fixture
def hers() -> Client:
    """Return a browser in which Rita is logged in, and whose session is in our list."""
    client = Client()
    client.force_login(rita())
    client.get("/login/")
    return client


def key_of(client: Client) -> str:
    return str(client.cookies["sessionid"].value)


def test_who_is_logged_in_comes_with_the_session(hers, django_assert_num_queries):
    store = SessionStore(key_of(hers))
    with django_assert_num_queries(1):
        found = logged_in(store)
    user = User.objects.get()
    assert found == user
    assert model_to_dict(found) == model_to_dict(user)
    assert found.date_joined == user.date_joined
    assert found.last_login == user.last_login
    assert found.is_active is True  # SQLite keeps it as a number
    with django_assert_num_queries(1):
        assert hers.get("/no-such-page/").context["user"] == user


def changed(**fields: Any) -> Callable[[Client], object]:
    return lambda client: User.objects.update(**fields)


def said(**values: str) -> Callable[[Client], None]:
    """Return a step that stores these values in the session."""

    def say(client: Client) -> None:
        session = client.session
        session.update(values)
        session.save()

    return say


def unlisted(client: Client) -> None:
    LoginSession.objects.all().delete()


def given_to_another(client: Client) -> None:
    LoginSession.objects.update(user=User.objects.create_user("mallory"))


LIES = {
    "another password": changed(password="another"),
    "deactivated": changed(is_active=False),
    "no proof": said(**{HASH_SESSION_KEY: ""}),
    "a wrong proof": said(**{HASH_SESSION_KEY: "x" * 64}),
    "another person": said(**{SESSION_KEY: "999"}),
    "another backend": said(**{BACKEND_SESSION_KEY: "config.verifying.CodeBackend"}),
}


@pytest.mark.parametrize("lie", LIES)
def test_nobody_is_logged_in_by_being_in_the_list(hers, lie):
    LIES[lie](hers)
    assert logged_in(SessionStore(key_of(hers))) is None
    assert hers.get("/account/").status_code == 302


@pytest.mark.parametrize("change", [given_to_another, unlisted])
def test_whom_the_list_does_not_know_is_logged_in_all_the_same(hers, change):
    change(hers)
    assert logged_in(SessionStore(key_of(hers))) is None
    assert hers.get("/no-such-page/").context["user"].username == "rita"
