"""A session is read as Django reads it."""

from datetime import timedelta

import pytest
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.sessions import SessionStore

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def kept(ends: timedelta) -> str:
    """The key of a session that Django's own store has written."""
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
