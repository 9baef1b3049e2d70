"""The cache in the database: it never makes a page wait or fail."""

import base64
import sqlite3
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


def test_a_page_waits_for_no_import():
    """Somebody writes to SQLite for a long time: what is computed meanwhile is not kept."""
    if connection.vendor != "sqlite":
        pytest.skip("one writer at a time has SQLite alone")
    cache.set("lamps", "before", 60)
    writer = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    try:
        cache.set("lamps", "meanwhile", 60)
        assert cache.get("lamps") == "before"
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    assert time.monotonic() - began < 10
    cache.set("lamps", "after", 60)
    assert cache.get("lamps") == "after"
