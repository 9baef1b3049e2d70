"""The cache in the database: it never makes a page wait or fail."""

import base64
import time
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from annotation.models import Kept

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


def test_what_is_kept_is_there_for_all_until_it_is_over():
    cache.set("lamps", ["A lamp shines."], 60)
    assert cache.get("lamps") == ["A lamp shines."]
    Kept.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert cache.get("lamps") is None


def test_what_another_release_has_pickled_is_not_there():
    cache.set("lamps", "A lamp shines.", 60)
    gone = base64.b64encode(b"cno_such_module\nLamp\n.").decode()
    Kept.objects.update(value=gone)
    assert cache.get("lamps") is None
    cache.set("lamps", "It shines again.", 60)
    assert cache.get("lamps") == "It shines again."


def test_values_are_kept_together_as_they_are_alone():
    cache.set_many({"lamps": ["A lamp shines."]}, 60)
    cache.set_many({"lamps": 1, "pages": None, "answers": {"a": 2}}, 60)
    found = cache.get_many(["lamps", "pages", "answers", "another"])
    assert found == {"lamps": 1, "pages": None, "answers": {"a": 2}}
    cache.set("alone", 1, 60)
    alone, together = (Kept.objects.get(cache_key__endswith=k) for k in ("alone", "answers"))
    assert abs(alone.expires - together.expires) < timedelta(seconds=10)
    cache.set_many({"lamps": 2, "pages": 2, "answers": 2}, None)
    assert set(cache.get_many(["lamps", "pages", "answers"]).values()) == {2}
    assert cache.set_many({}, 60) == []


def test_a_page_waits_for_no_import():
    """While a long write holds SQLite, computed values are not stored."""
    is_alone = connection.vendor == "sqlite"
    cache.set("lamps", "before", 60)
    writer = connection.copy()
    began = time.monotonic()
    try:
        with writer.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE" if is_alone else "BEGIN")
            cursor.execute("DELETE FROM annotation_kept WHERE cache_key = 'another'")
            cache.set("lamps", "meanwhile", 60)
            assert cache.get("lamps") == ("before" if is_alone else "meanwhile")
            cursor.execute("ROLLBACK")
    finally:
        writer.close()
    assert time.monotonic() - began < 10
    cache.set("lamps", "after", 60)
    assert cache.get("lamps") == "after"
